import Testing

@testable import MoqRelay
