import Testing

@testable import MoqWire
