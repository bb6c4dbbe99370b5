import MoqBase
import Testing

@testable import MoqWire

@Suite struct WireMessagePropertyTests {
    static let rounds = 120

    @Test(arguments: Version.allCases)
    func everyMessageComesBackAsItWasWritten(version: Version) throws {
        func check<M: WireMessage>(_ message: M) throws {
            var decoder = MessageDecoder()
            decoder.feed(try message.encode(version: version))
            #expect(try decoder.next(M.self, version: version) == message)
            #expect(decoder.isBetweenMessages)
        }
        var source = RandomMessages(seed: 1)
        for _ in 0..<Self.rounds {
            for message in try source.all(version) { try check(message) }
        }
    }

    @Test(arguments: Version.allCases)
    func aMessageCutAnywhereIsNeverAMessage(version: Version) throws {
        func check<M: WireMessage>(_ message: M) throws {
            let bytes = try message.encode(version: version)
            for count in 0..<bytes.count {
                var decoder = MessageDecoder()
                decoder.feed(Array(bytes.prefix(count)))
                #expect(try decoder.next(M.self, version: version) == nil)
                #expect(decoder.isBetweenMessages == (count == 0))
                if count > 0 { #expect(throws: WireError.endedInside(message: "message")) { try decoder.finish() } }
            }
        }
        var source = RandomMessages(seed: 2)
        for _ in 0..<8 {
            for message in try source.all(version) { try check(message) }
        }
    }

    @Test(arguments: Version.allCases)
    func aBodyCutShortOrWithASpareByteIsRefusedAtOnce(version: Version) throws {
        func check<M: WireMessage>(_ message: M) throws {
            let raw = try message.raw(version: version)
            for count in 0..<raw.body.count {
                let cut = RawMessage(type: raw.type, body: Array(raw.body.prefix(count)))
                #expect(throws: WireError.self, "\(message) cut at \(count)") { try M.decode(cut, version: version) }
            }
            let spare = RawMessage(type: raw.type, body: raw.body + [0])
            #expect(throws: WireError.self, "\(message)") { try M.decode(spare, version: version) }
        }
        var source = RandomMessages(seed: 3)
        for _ in 0..<8 {
            for message in try source.all(version) { try check(message) }
        }
    }

    @Test(arguments: Version.allCases)
    func messagesFedInPiecesAreTheSameAsFedWhole(version: Version) throws {
        func check<M: WireMessage>(_ message: M) throws {
            let bytes = try message.encode(version: version)
            for cut in 0...bytes.count {
                var decoder = MessageDecoder()
                decoder.feed(Array(bytes.prefix(cut)))
                let early = try decoder.next(M.self, version: version)
                #expect((early != nil) == (cut == bytes.count))
                // A second message follows in the same piece.
                decoder.feed(Array(bytes.dropFirst(cut)) + bytes)
                if early == nil { #expect(try decoder.next(M.self, version: version) == message) }
                #expect(try decoder.next(M.self, version: version) == message)
                #expect(decoder.isBetweenMessages)
            }
        }
        var source = RandomMessages(seed: 4)
        for _ in 0..<8 {
            for message in try source.all(version) { try check(message) }
        }
    }

    @Test(arguments: Version.allCases)
    func damagedMessagesAreRefusedOrReadAsSomethingThatCanBeWritten(version: Version) throws {
        var random = SeededRandom(seed: 5)
        var accepted = 0
        func check<M: WireMessage>(_ message: M) throws {
            var raw = try message.raw(version: version)
            guard !raw.body.isEmpty else { return }
            for _ in 0..<3 {
                let index = Int.random(in: 0..<raw.body.count, using: &random)
                raw.body[index] ^= UInt8(1) << UInt8.random(in: 0...7, using: &random)
            }
            guard let read = try? M.decode(raw, version: version) else { return }
            accepted += 1
            #expect(try M.decode(read.raw(version: version), version: version) == read)
        }
        var source = RandomMessages(seed: 6)
        for _ in 0..<Self.rounds {
            for message in try source.all(version) { try check(message) }
        }
        #expect(accepted > 100)
    }

    @Test(arguments: Version.allCases)
    func randomBytesNeverMakeADecoderKeepMoreThanItsBound(version: Version) throws {
        func check<M: WireMessage>(_: M, _ bytes: [UInt8]) {
            var decoder = MessageDecoder()
            do {
                for start in stride(from: 0, to: bytes.count, by: 1000) {
                    decoder.feed(Array(bytes[start..<min(start + 1000, bytes.count)]))
                    while try decoder.next(M.self, version: version) != nil {}
                    #expect(decoder.bufferedCount <= M.bodyLimit + 16)
                }
            } catch {
                // Refusing is fine: a stream that failed is read no further.
            }
        }
        var source = RandomMessages(seed: 7)
        for _ in 0..<10 {
            let bytes = source.random.bytes(4000)
            for message in try source.all(version) { check(message, bytes) }
        }
    }

    @Test func aHostileLengthIsRefusedBeforeItsBytesAreWaitedFor() throws {
        for length in [UInt64(WireLimits.messageBytes + 1), VarInt.maximum] {
            var writer = ByteWriter()
            writer.varint(length)
            var decoder = MessageDecoder()
            decoder.feed(writer.bytes)
            let expected = WireError.tooLarge(
                WireField("SUBSCRIBE", "length"), size: length, limit: WireLimits.messageBytes)
            #expect(throws: expected) { try decoder.next(Subscribe.self, version: .lite06) }
        }
        var decoder = MessageDecoder()
        decoder.feed([0x80, 0x00, 0x40, 0x01])
        #expect(throws: WireError.tooLarge(WireField("SETUP", "length"), size: 16385, limit: 16384)) {
            try decoder.next(Setup.self, version: .lite06)
        }
    }

    @Test func numbersInLongerFormsThanNeededAreRead() throws {
        // A GROUP whose length, id and sequence take 2, 4 and 8 bytes.
        var decoder = MessageDecoder()
        decoder.feed([0x40, 0x0C, 0x80, 0, 0, 7, 0xC0, 0, 0, 0, 0, 0, 0, 5])
        #expect(try decoder.next(GroupHeader.self, version: .lite05) == GroupHeader(subscribeID: 7, sequence: 5))
    }
}
