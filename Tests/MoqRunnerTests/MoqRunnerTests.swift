import Testing

@testable import MoqRunner
