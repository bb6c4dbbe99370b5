import Testing

@testable import MoqHang

struct CodecStringTests {
    @Test func `every family is taken apart`() throws {
        #expect(try CodecString("avc1.64001f", kind: .video).details == .h264(profile: 100, constraints: 0, level: 31))
    }
}
