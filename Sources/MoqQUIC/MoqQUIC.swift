// The MoqQUIC room.
