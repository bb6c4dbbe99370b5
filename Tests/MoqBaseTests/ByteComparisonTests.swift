import MoqBase
import Testing

@Suite struct ByteComparisonTests {
    @Test func sameBytesAreTheSame() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(bytes.hasSameBytes(as: Array(bytes)))
        #expect([UInt8]().hasSameBytes(as: []))
    }

    @Test func oneByteAnywhereMakesTheDifference() {
        let bytes = [UInt8](repeating: 7, count: 100)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(!bytes.hasSameBytes(as: other))
        }
    }

    @Test func whatIsShorterIsNotTheSame() {
        #expect(![1, 2, 3].hasSameBytes(as: [1, 2]))
        #expect(![].hasSameBytes(as: [1]))
    }
}
