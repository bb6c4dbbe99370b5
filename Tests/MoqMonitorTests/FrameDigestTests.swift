import Testing

@testable import MoqMonitor

@Suite struct FrameDigestTests {
    private func digest(_ bytes: [UInt8], by piece: Int) -> FrameDigest {
        var digest = FrameDigest()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + piece)
            digest.take(bytes[start..<end])
            start = end
        }
        return digest
    }

    private let frame = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }

    @Test func howAFrameWasCutDoesNotMatter() {
        let whole = digest(frame, by: frame.count)
        for piece in [1, 2, 3, 5, 7, 61, 1200, 4095, 4097] {
            #expect(digest(frame, by: piece) == whole)
            #expect(digest(frame, by: piece).hash == whole.hash)
        }
    }

    @Test func everyByteOfAFrameOfOrdinarySizeCounts() {
        let bytes = Array(frame.prefix(1500))
        let whole = digest(bytes, by: 1500)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x20
            #expect(!digest(other, by: 1500).hasContent(of: whole))
            #expect(digest(other, by: 1500).hash != whole.hash)
        }
    }

    @Test func whatIsMovedOrShorterIsNotTheSame() {
        let bytes = Array(frame.prefix(3000))
        let whole = digest(bytes, by: 3000)
        #expect(!digest(Array(bytes[1000...] + bytes[..<1000]), by: 3000).hasContent(of: whole))
        #expect(!digest(Array(bytes.dropLast()), by: 3000).hasContent(of: whole))
        // Four bytes that change places with the next four.
        #expect(!digest(Array(bytes[4..<8] + bytes[..<4] + bytes[8...]), by: 3000).hasContent(of: whole))
    }
}
