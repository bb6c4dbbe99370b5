import Testing

@testable import MoqReport
