import Testing

@testable import MoqBase
