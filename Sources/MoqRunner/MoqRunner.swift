// The MoqRunner room.
