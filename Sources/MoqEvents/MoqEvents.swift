// The MoqEvents room.
