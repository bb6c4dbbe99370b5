import Testing

@testable import MoqConformance
