import MoqBase
import Testing

@testable import MoqHang

struct CompressionTests {
    @Test func `frames that another encoder made are inflated in their order`() throws {
        let inflater = GroupInflater()
        #expect(try inflater.inflate([UInt8](hex: "aa 56 4a 54 b2 32 ac 05 00")) == Array("{\"a\":1}".utf8))
        #expect(try inflater.inflate([UInt8](hex: "aa 06 51 46 b5 00 00")) == Array("{\"a\":2}".utf8))
    }

    @Test func `a frame builds on all before it, and a new group on none`() throws {
        let inflater = GroupInflater()
        #expect(throws: CompressionError.self) { try inflater.inflate([UInt8](hex: "aa 06 51 46 b5 00 00")) }
        #expect(throws: CompressionError.afterFailure(frame: 0)) {
            try inflater.inflate([UInt8](hex: "aa 56 4a 54 b2 32 ac 05 00"))
        }
        #expect(try GroupInflater().inflate([UInt8](hex: "aa 56 4a 54 b2 32 ac 05 00")) == Array("{\"a\":1}".utf8))
    }

    @Test func `an empty value is an empty frame and leaves the stream alone`() throws {
        let (deflater, inflater) = (GroupDeflater(), GroupInflater())
        let first = deflater.deflate([1, 2, 3])
        #expect(deflater.deflate([]) == [])
        #expect(try inflater.inflate(first) == [1, 2, 3])
        #expect(try inflater.inflate([]) == [])
        #expect(try inflater.inflate(deflater.deflate([1, 2, 3])) == [1, 2, 3])
    }

    @Test func `any values come back, of whatever length`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<40 {
            let (deflater, inflater) = (GroupDeflater(), GroupInflater())
            for _ in 0..<6 {
                let noise = random.bytes(Int(random.next() % 40_000))
                let value = random.chance(0.5) ? noise : noise.map { $0 & 3 }
                let frame = deflater.deflate(value)
                #expect(try inflater.inflate(frame) == value)
            }
        }
    }

    @Test func `exactly one marker is stripped`() throws {
        let frame = GroupDeflater().deflate(Array("{}".utf8))
        // With its marker a frame is a complete flush, and so is one with a second behind it: an empty block.
        #expect(try GroupInflater().inflate(frame + GroupInflater.marker) == Array("{}".utf8))
        #expect(!frame.suffix(4).elementsEqual(GroupInflater.marker))
    }

    @Test func `what grows beyond the limit is refused, and does not grow`() throws {
        let frame = GroupDeflater().deflate([UInt8](repeating: 0, count: 4 << 20))
        #expect(frame.count < 8192)
        #expect(throws: CompressionError.tooLong(frame: 0, limit: 1 << 20)) {
            try GroupInflater(limit: 1 << 20).inflate(frame)
        }
        #expect(try GroupInflater(limit: 4 << 20).inflate(frame).count == 4 << 20)
    }

    @Test func `a stream that its writer ended takes no more frames`() throws {
        // A final block with the fixed code and nothing in it.
        let inflater = GroupInflater()
        #expect(try inflater.inflate([0x03, 0x00]) == [])
        #expect(throws: CompressionError.self) { try inflater.inflate([0x03, 0x00]) }
        #expect(throws: CompressionError.self) { try GroupInflater().inflate([0x03, 0x00, 0x55]) }
    }

    @Test func `no frame whatever crashes or grows`() {
        var random = SeededRandom(seed: 21)
        let text = Array(String(repeating: "{\"video\":{\"renditions\":{}}}", count: 40).utf8)
        for _ in 0..<3000 {
            let inflater = GroupInflater(limit: 1 << 16)
            var frame = random.chance(0.5) ? GroupDeflater().deflate(text) : random.bytes(Int(random.next() % 64))
            for _ in 0..<random.next() % 4 where !frame.isEmpty {
                frame[Int(random.next() % UInt64(frame.count))] ^= UInt8(1) << UInt8(random.next() % 8)
            }
            frame.removeLast(Int(random.next() % UInt64(frame.count + 1)) / 3)
            for _ in 0..<2 { #expect(((try? inflater.inflate(frame))?.count ?? 0) <= 1 << 16) }
        }
    }

    @Test(arguments: ["0.4.18", "0.3.19"])
    func `the compressed catalog of the original stack is its plain one`(release: String) throws {
        let groups = try Fixtures.recorded(release)
        var count = 0
        for group in groups where group.track == "catalog.json.z" {
            let plain = try #require(groups.first { $0.track == "catalog.json" && $0.sequence == group.sequence })
            #expect(group.frames.count == 1)
            #expect(try GroupInflater().inflate(group.frames[0]) == plain.frames[0])
            count += 1
        }
        #expect(count >= 5)
    }
}
