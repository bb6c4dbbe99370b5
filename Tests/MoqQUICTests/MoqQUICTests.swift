import Testing

@testable import MoqQUIC
