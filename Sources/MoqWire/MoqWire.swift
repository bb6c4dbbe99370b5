// The MoqWire room.
