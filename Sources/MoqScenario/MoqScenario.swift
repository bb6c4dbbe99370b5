// The MoqScenario room.
