// The MoqReport room.
