import MoqBase
import Testing

@testable import MoqWire

@Suite struct FrameDecoderTests {
    private func randomFrames(_ random: inout SeededRandom, _ version: Version) -> [Frame] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let timestamp = random.next() >> UInt64.random(in: 3...63, using: &random)
            return Frame(
                timestamp: version.hasFrameTimestamps ? timestamp : nil,
                payload: random.bytes(Int.random(in: 0...40, using: &random)))
        }
    }

    private func bytes(of frames: [Frame], _ version: Version) throws -> [UInt8] {
        var encoder = FrameEncoder(version: version)
        return try frames.reduce(into: []) { try $0.append(contentsOf: encoder.encode($1)) }
    }

    private func frames(_ assembler: inout FrameAssembler) throws -> [Frame] {
        var result: [Frame] = []
        while let frame = try assembler.next() { result.append(frame) }
        return result
    }

    @Test(arguments: Version.allCases)
    func framesFedInPiecesAreTheSameAsFedWhole(version: Version) throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<40 {
            let sent = randomFrames(&random, version)
            let stream = try bytes(of: sent, version)
            for cut in 0...stream.count {
                var assembler = FrameAssembler(version: version)
                assembler.feed(Array(stream.prefix(cut)))
                let early = try frames(&assembler)
                #expect(early == Array(sent.prefix(early.count)))
                assembler.feed(Array(stream.dropFirst(cut)))
                #expect(try early + frames(&assembler) == sent)
                #expect(assembler.isBetweenFrames)
            }
            var bytewise = FrameAssembler(version: version)
            var read: [Frame] = []
            for byte in stream {
                bytewise.feed([byte])
                read += try frames(&bytewise)
            }
            #expect(read == sent)
        }
    }

    @Test(arguments: Version.allCases)
    func whatIsNotWholeYetIsToldOnceAndTheFrameAllTheSame(version: Version) throws {
        let timestamp: UInt64? = version.hasFrameTimestamps ? 70 : nil
        let sent = [Frame(timestamp: timestamp, payload: [1, 2, 3, 4]), Frame(timestamp: timestamp, payload: [])]
        let stream = try bytes(of: sent, version)
        let header = FrameHeader(timestamp: timestamp, size: 4)
        var assembler = FrameAssembler(version: version)
        var told: [FramePart] = []
        func feed(_ bytes: ArraySlice<UInt8>) throws -> [Frame] {
            assembler.feed(Array(bytes))
            let whole = try frames(&assembler)
            while let part = assembler.nextPart() { told.append(part) }
            return whole
        }
        let head = try bytes(of: [sent[0]], version).count - 4
        #expect(try feed(stream[..<head]) == [])
        #expect(try feed(stream[head..<head + 2]) == [])
        #expect(try feed(stream[(head + 2)...]) == sent)
        #expect(
            told == [
                FramePart(header: header, offset: 0, bytes: []), FramePart(header: header, offset: 0, bytes: [1, 2]),
            ]
        )
    }

    @Test(arguments: Version.allCases)
    func anEndInsideAFrameIsToldFromAnEndBetweenFrames(version: Version) throws {
        let sent = [Frame(timestamp: 100, payload: [1, 2, 3]), Frame(timestamp: 90, payload: [])]
        let one = try bytes(of: [sent[0]], version).count
        let stream = try bytes(of: sent, version)
        for cut in 0...stream.count {
            var assembler = FrameAssembler(version: version)
            assembler.feed(Array(stream.prefix(cut)))
            _ = try frames(&assembler)
            #expect(assembler.isBetweenFrames == [0, one, stream.count].contains(cut))
            if !assembler.isBetweenFrames {
                #expect(throws: WireError.endedInside(message: "FRAME")) { try assembler.finish() }
            }
        }
    }

    @Test func payloadIsHandedOnAsItArrives() throws {
        var decoder = FrameDecoder(version: .lite04)
        decoder.feed([5, 1, 2])
        #expect(try decoder.next() == .header(FrameHeader(timestamp: nil, size: 5)))
        #expect(try decoder.next() == .payload([1, 2]))
        #expect(try decoder.next() == nil)
        decoder.feed([3, 4, 5, 0])
        #expect(try decoder.next() == .payload([3, 4, 5]))
        #expect(try decoder.next() == .end)
        #expect(try decoder.next() == .header(FrameHeader(timestamp: nil, size: 0)))
        #expect(try decoder.next() == .end)
        #expect(try decoder.next() == nil)
        #expect(decoder.isBetweenFrames)
    }

    @Test func aFrameBeyondTheLimitIsRefusedByItsHeadAndTheDecoderStaysFailed() throws {
        func head(_ size: UInt64) -> [UInt8] {
            var writer = ByteWriter()
            writer.varint(0)
            writer.varint(size)
            return writer.bytes
        }
        var allowed = FrameDecoder(version: .lite05)
        allowed.feed(head(UInt64(WireLimits.frameBytes)))
        #expect(try allowed.next() == .header(FrameHeader(timestamp: 0, size: WireLimits.frameBytes)))
        for size in [UInt64(WireLimits.frameBytes + 1), VarInt.maximum] {
            var decoder = FrameDecoder(version: .lite05)
            decoder.feed(head(size))
            let expected = WireError.tooLarge(WireField("FRAME", "payload"), size: size, limit: WireLimits.frameBytes)
            #expect(throws: expected) { try decoder.next() }
            decoder.feed([0, 1, 7])
            #expect(throws: expected) { try decoder.next() }
            #expect(expected.condition == .frameTooLarge)
        }
    }

    @Test func aTimestampBelowZeroOrBeyond62BitsIsRefused() throws {
        var below = FrameDecoder(version: .lite06)
        below.feed([0x14, 0, 0x15, 0])
        #expect(try below.next() == .header(FrameHeader(timestamp: 10, size: 0)))
        #expect(try below.next() == .end)
        #expect(throws: WireError.timestampOutOfRange(previous: 10, delta: -11)) { try below.next() }

        var above = FrameDecoder(version: .lite06)
        let largest: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0]
        above.feed(largest + largest + [2, 0] + [2, 0])
        for expected: UInt64 in [(1 << 61) - 1, (1 << 62) - 2, VarInt.maximum] {
            #expect(try above.next() == .header(FrameHeader(timestamp: expected, size: 0)))
            #expect(try above.next() == .end)
        }
        #expect(throws: WireError.timestampOutOfRange(previous: VarInt.maximum, delta: 1)) { try above.next() }
    }

    @Test func randomBytesNeverMakeItHoldMoreThanTheyAre() throws {
        var random = SeededRandom(seed: 12)
        for version in Version.allCases {
            for _ in 0..<300 {
                var decoder = FrameDecoder(version: version)
                let stream = random.bytes(200)
                var payload = 0
                do {
                    for start in stride(from: 0, to: stream.count, by: 7) {
                        decoder.feed(Array(stream[start..<min(start + 7, stream.count)]))
                        while let piece = try decoder.next() {
                            if case .payload(let slice) = piece { payload += slice.count }
                        }
                    }
                } catch {
                    // Refusing is fine; what matters is that nothing more comes out than went in.
                }
                #expect(payload <= stream.count)
            }
        }
    }

    @Test func aFrameThatCannotBeWrittenLeavesTheEncoderAsItWas() throws {
        var encoder = FrameEncoder(version: .lite05)
        _ = try encoder.header(timestamp: 1000, size: 1)
        #expect(throws: WireError.missing(WireField("FRAME", "timestamp"), .lite05)) {
            try encoder.header(timestamp: nil, size: 1)
        }
        #expect(throws: WireError.self) { try encoder.header(timestamp: VarInt.maximum, size: 1) }
        #expect(throws: WireError.self) { try encoder.header(timestamp: 1, size: WireLimits.frameBytes + 1) }
        #expect(try encoder.header(timestamp: 1001, size: 1) == [2, 1])
    }
}
