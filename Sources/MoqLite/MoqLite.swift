// The MoqLite room.
