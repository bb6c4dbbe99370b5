import Testing

@testable import MoqScenario
