import Testing

@testable import MoqTransport
