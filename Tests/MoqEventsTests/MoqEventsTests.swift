import Testing

@testable import MoqEvents
