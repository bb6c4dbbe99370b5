import Testing

@testable import MoqLite
