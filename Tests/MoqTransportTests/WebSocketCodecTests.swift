import MoqBase
import MoqQUIC
import Testing

@testable import MoqTransport

struct WebSocketCodecTests {
    private func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hexadecimal.decode(hex.filter { $0 != " " }))
    }

    /// What a reader makes of bytes, and the violation that ended it.
    private func read(
        _ bytes: [UInt8], from peer: EndpointRole, limit: Int = 100_000, pieces size: Int = .max
    ) -> (items: [WebSocketReader.Item], violation: WebSocketViolation?) {
        var reader = WebSocketReader(peer: peer, maximumMessage: limit)
        var items: [WebSocketReader.Item] = []
        do throws(WebSocketViolation) {
            for piece in pieces(of: bytes, size: size) {
                reader.take(piece)
                while let item = try reader.next() { items.append(item) }
            }
        } catch {
            return (items, error)
        }
        return (items, nil)
    }

    // MARK: RFC 6455 section 5.7, with binary for text

    @Test func theExamplesOfTheRFC() throws {
        let hello = Array("Hello".utf8)
        #expect(read(try bytes("82 05 48656c6c6f"), from: .server).items == [.message(hello)])
        #expect(read(try bytes("82 85 37fa213d 7f9f4d5158"), from: .client).items == [.message(hello)])
        #expect(read(try bytes("02 03 48656c 80 02 6c6f"), from: .server).items == [.message(hello)])
        #expect(read(try bytes("89 05 48656c6c6f"), from: .server).items == [.ping(hello)])
        #expect(read(try bytes("8a 85 37fa213d 7f9f4d5158"), from: .client).items == [.pong(hello)])
        let long = [UInt8](repeating: 7, count: 256)
        #expect(read(try bytes("82 7e 0100") + long, from: .server).items == [.message(long)])
        let longer = [UInt8](repeating: 7, count: 65_536)
        #expect(read(try bytes("82 7f 0000000000010000") + longer, from: .server).items == [.message(longer)])
    }

    @Test func theExampleHandshakeOfTheRFC() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(Base64.encode(Array("the sample nonce".utf8)) == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(Base64.decodedCount("dGhlIHNhbXBsZSBub25jZQ==") == 16)
        #expect(Base64.decodedCount("dGhlIHNhbXBsZSBub25jZQ=") == nil)
        #expect(Base64.decodedCount("dGhl!HNhbXBsZSBub25jZQ==") == nil)
    }

    @Test func controlFramesMayComeBetweenFragments() throws {
        let all = try bytes("02 01 61 89 01 70 00 00 8a 00 80 01 62 88 02 03e8")
        for size in [1, 2, 3, 1000] {
            let (items, violation) = read(all, from: .server, pieces: size)
            #expect(items == [.ping([0x70]), .pong([]), .message([0x61, 0x62]), .close(.normal, "")])
            #expect(violation == nil)
        }
    }

    @Test func whatIsWrittenIsReadHoweverItIsCut() {
        var random = SeededRandom(seed: 3)
        for peer in [EndpointRole.client, .server] {
            var writer = peer == .client ? WebSocketWriter(client: random) : WebSocketWriter(server: ())
            let messages = [0, 1, 7, 8, 125, 126, 1000, 65_535, 65_536].map { random.bytes($0) }
            let stream = messages.flatMap { writer.frame(.binary, $0) }
            for size in [1, 3, 777, 100_000] {
                let (items, violation) = read(stream, from: peer, pieces: size)
                #expect(violation == nil)
                // Compared outside of the macro, which would work for minutes on how long arrays differ.
                let isSame = items == messages.map(WebSocketReader.Item.message)
                #expect(isSame)
            }
        }
    }

    @Test func equalSeedsGiveEqualMasks() {
        var one = WebSocketWriter(client: SeededRandom(seed: 8))
        var other = WebSocketWriter(client: SeededRandom(seed: 8))
        let first = one.frame(.binary, [1, 2, 3])
        #expect(first == other.frame(.binary, [1, 2, 3]))
        #expect(first[1] == 0x83)
        #expect(Array(first[6...]) != [1, 2, 3])
        #expect(one.frame(.binary, [1, 2, 3]) != first, "every frame has a mask of its own")
    }

    @Test func aLongReasonIsCutBetweenCharacters() throws {
        var writer = WebSocketWriter(server: ())
        let frame = writer.close(.protocolError, String(repeating: "ä", count: 100))
        #expect(frame.count <= 127)
        #expect(read(frame, from: .server).items == [.close(.protocolError, String(repeating: "ä", count: 61))])
    }

    // MARK: What is malformed

    @Test(arguments: [
        ("c2 00", 1002, "reserved bit"), ("a2 00", 1002, "reserved bit"), ("92 00", 1002, "reserved bit"),
        ("83 00", 1002, "opcode 3"), ("8b 00", 1002, "opcode 11"), ("82 80 00000000", 1002, "masked"),
        ("80 00", 1002, "continuation"), ("02 00 82 00", 1002, "begins before"), ("09 00", 1002, "fragmented"),
        ("89 7e 007e", 1002, "over 125"), ("82 7e 007d", 1002, "shortest"),
        ("82 7f 000000000000ffff", 1002, "shortest"),
        ("82 7f ffffffffffffffff", 1002, "shortest"), ("81 05 48656c6c6f", 1003, "text"), ("01 00", 1003, "text"),
        ("82 7f 7fffffffffffffff", 1009, "over 1000"), ("82 7e 03e9", 1009, "over 1000"),
        ("88 01 03", 1002, "half a code"), ("88 02 03e7", 1002, "999"), ("88 02 03ed", 1002, "1005"),
        ("88 02 03ee", 1002, "1006"), ("88 02 03f7", 1002, "1015"), ("88 02 0bb7", 1002, "2999"),
        ("88 03 03e8ff", 1007, "UTF-8"),
    ])
    func malformedFramesGetTheirCloseCode(_ hex: String, _ code: Int, _ word: String) throws {
        for size in [1, 100] {
            let (items, violation) = read(try bytes(hex), from: .server, limit: 1000, pieces: size)
            #expect(items.isEmpty)
            #expect(violation?.code.rawValue == UInt16(code), "\(hex)")
            #expect(violation?.reason.contains(word) == true, "\(hex): \(violation?.reason ?? "taken")")
        }
    }

    @Test func aClientMustMask() throws {
        #expect(read(try bytes("82 00"), from: .client).violation?.code == .protocolError)
    }

    @Test func fragmentsAreBoundedTogether() throws {
        let half = try bytes("02 7e 0258") + [UInt8](repeating: 0, count: 600)
        let rest = try bytes("00 7e 0258") + [UInt8](repeating: 0, count: 600)
        #expect(read(half + rest, from: .server, limit: 1000).violation?.code == .tooLarge)
        #expect(read(half + rest, from: .server, limit: 1200).violation == nil)
    }

    @Test func randomBytesNeverCrash() {
        var random = SeededRandom(seed: 77)
        for round in 0..<2000 {
            var garbage = random.bytes(Int.random(in: 1...64, using: &random))
            if round % 2 == 0 { garbage[0] = 0x82 }
            _ = read(garbage, from: round % 3 == 0 ? .client : .server, limit: 100, pieces: round % 5 + 1)
        }
    }

    @Test(arguments: [
        (999, false), (1000, true), (1004, false), (1005, false), (1014, true), (1016, false), (3000, true),
    ])
    func closeCodesThatMayBeSent(_ number: UInt16, _ mayBeSent: Bool) {
        #expect(WebSocketCloseCode(rawValue: number).mayBeSent == mayBeSent)
    }
}
