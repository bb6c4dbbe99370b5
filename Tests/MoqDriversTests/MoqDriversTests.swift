import Testing

@testable import MoqDrivers
