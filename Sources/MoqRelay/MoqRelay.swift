// The MoqRelay room.
