import MoqBase
import MoqTransport
import Testing

/// What a peer with bad intentions, or a broken one, can do.
@Suite struct QmuxHostileTests {
    /// A record with a frame of every kind.
    private static let rich: [UInt8] = {
        var record: [UInt8] = [0]
        record += [0x0F, 6, 0, 3, 1, 2, 3]
        record += [0x0E, 0, 0, 2, 4, 5]
        record += [0x15, 0, 9]
        record += [0x10] + QmuxMalformedTests.big(1 << 30)
        record += [0x12, 0x40, 200]
        record += [0x14, 9, 0x16, 9]
        record += QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BD, 3)
        record += [4, 2, 7, 5]
        record += [5, 0, 9]
        record += [0x1D, 6, 2, 0x6E, 0x6F]
        return record
    }()

    @Test(arguments: [QmuxVersion.draft02, .draft01])
    func aRecordMayBeCutAtEveryOffset(_ version: QmuxVersion) {
        var whole = 0
        for end in 1..<Self.rich.count {
            let peer = QmuxRawPeer(version)
            peer.give(Array(Self.rich[..<end]))
            switch peer.engine.closed?.cause {
            case nil: whole += 1
            case .transport(let code): #expect(code == 0x7, "cut at \(end)")
            case let other: Issue.record("cut at \(end): \(String(describing: other))")
            }
            peer.drain()
        }
        // Cuts between frames are none.
        #expect(whole == 11)
    }

    @Test func everyByteMayBeWrong() {
        for position in Self.rich.indices {
            for value: UInt8 in [0x00, 0x01, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0xFF] {
                var record = Self.rich
                record[position] = value
                let peer = QmuxRawPeer()
                peer.give(record)
                peer.drain()
                _ = QmuxPair.events(peer.engine)
                #expect(peer.engine.openStreamCount <= 3)
            }
        }
    }

    @Test func nonsenseEndsTheConnectionOrIsHarmless() {
        for seed in UInt64(0)..<300 {
            var random = SeededRandom(seed: seed)
            let peer = QmuxRawPeer(QmuxVersion.allCases[Int(seed % 4)], role: seed % 3 == 0 ? .client : .server)
            for _ in 0..<20 where peer.engine.closed == nil {
                // Small first bytes are frame types more often than not.
                var record = random.bytes(1 + Int(random.next() % 60))
                record[0] &= 0x3F
                peer.give(record)
                peer.drain()
            }
            #expect(QmuxPair.events(peer.engine).count < 500)
        }
    }

    @Test func nonsenseInsteadOfParametersEndsTheConnection() {
        for seed in UInt64(0)..<300 {
            var random = SeededRandom(seed: seed)
            let engine = QmuxEngine(role: .client, settings: QmuxSettings())
            engine.begin(.draft02, negotiation: .inBand(["a"]), at: .origin)
            engine.receive(
                record: QmuxRawPeer.frame(parameters: random.bytes(1 + Int(random.next() % 40))), at: .origin)
            #expect(engine.closed != nil)
        }
    }

    @Test func opensWithoutReadingStayWithinTheLimit() {
        var settings = QmuxSettings()
        settings.maximumStreamsUnidirectional = 50
        let peer = QmuxRawPeer(settings: settings)
        for number in UInt64(0)..<50 { peer.give([0x0E] + QmuxMalformedTests.big(number << 2 | 2) + [0, 1, 9]) }
        #expect(peer.engine.openStreamCount == 50 && peer.engine.closed == nil)
        peer.give([0x0E] + QmuxMalformedTests.big(50 << 2 | 2) + [0, 1, 9])
        #expect(peer.engine.closed?.cause == .transport(code: 0x4))
        #expect(peer.engine.openStreamCount == 0)
    }

    @Test func opensAndResetsCostNoMoreThanTheLimitBetweenTurns() {
        let peer = QmuxRawPeer()
        var number: UInt64 = 0
        for _ in 0..<20 {
            // As fast as the limit lets it, without the owner polling in between.
            for _ in 0..<256 {
                peer.give([4] + QmuxMalformedTests.big(number << 2 | 2) + [0, 0])
                number += 1
            }
            peer.drain()
        }
        #expect(peer.engine.closed == nil && peer.engine.openStreamCount == 0)
        // Without turns the limit is not raised.
        for _ in 0..<1025 where peer.engine.closed == nil {
            peer.give([4] + QmuxMalformedTests.big(number << 2 | 2) + [0, 0])
            number += 1
        }
        #expect(peer.engine.closed?.cause == .transport(code: 0x4))
    }

    @Test func stopsAndPingsAndWindowsAreAnsweredOnceEach() throws {
        let peer = QmuxRawPeer()
        var streams: [StreamID] = []
        while streams.count < 50, let stream = peer.engine.openStream(.unidirectional) {
            peer.engine.write([1], to: stream)
            streams.append(stream)
        }
        peer.drain()
        for round in UInt64(1)...50 {
            for stream in streams { peer.give([5, UInt8(stream.rawValue % 64), 9]) }
            peer.give([0x15, 2, 9])
            peer.give([0x14, 9])
            peer.give([0x10] + QmuxMalformedTests.big((1 << 21) + round))
        }
        let answered = peer.drain().reduce(0) { $0 + $1.count }
        #expect(answered <= 50 * 8)
    }

    @Test func bytesBeyondEitherWindowEndTheConnection() {
        var settings = QmuxSettings()
        settings.streamWindow = 1000
        settings.connectionWindow = 1500
        let stream = QmuxRawPeer(settings: settings)
        stream.give([0x0E, 2, 0, 0x43, 0xE8] + Array(repeating: 0, count: 1000))
        #expect(stream.engine.closed == nil)
        stream.give([0x0E, 2, 0x43, 0xE8, 1, 0])
        #expect(stream.engine.closed?.cause == .transport(code: 0x3))

        let connection = QmuxRawPeer(settings: settings)
        connection.give([0x0E, 2, 0, 0x43, 0xE8] + Array(repeating: 0, count: 1000))
        connection.give([0x0E, 6, 0, 0x41, 0xF4] + Array(repeating: 0, count: 500))
        #expect(connection.engine.closed == nil)
        connection.give([0x0E, 10, 0, 1, 0])
        #expect(connection.engine.closed?.cause == .transport(code: 0x3))

        // Reading without a turn tells the peer of no new window.
        let read = QmuxRawPeer(settings: settings)
        read.give([0x0E, 2, 0, 0x43, 0xE8] + Array(repeating: 0, count: 1000))
        #expect(read.engine.read(StreamID(rawValue: 2), limit: 9999)?.bytes.count == 1000)
        read.give([0x0E, 2, 0x43, 0xE8, 1, 0])
        #expect(read.engine.closed?.cause == .transport(code: 0x3))
    }

    @Test func stoppedStreamsMayNotBeUsedToSendForEver() {
        var settings = QmuxSettings()
        settings.streamWindow = 1000
        let peer = QmuxRawPeer(settings: settings)
        peer.give([0x0E, 2, 0, 1, 0])
        peer.engine.stop(StreamID(rawValue: 2), code: .code(1))
        var offset: UInt64 = 1
        for _ in 0..<40 where peer.engine.closed == nil {
            peer.drain()
            var record: [UInt8] = [0x0E, 2]
            record += QmuxMalformedTests.big(offset)
            record.append(36)
            record += [UInt8](repeating: 0, count: 36)
            peer.give(record)
            offset += 36
        }
        #expect(peer.engine.closed?.cause == .transport(code: 0x3))
    }

    @Test func singleBytesCostLittleMoreThanBytes() {
        let peer = QmuxRawPeer(.draft01)
        for _ in 0..<20_000 { peer.give([0x0A, 2, 1, 7]) }
        let read = peer.engine.read(StreamID(rawValue: 2), limit: 1 << 20)
        // They come back in large pieces.
        #expect((read?.bytes.count ?? 0) >= 16_000)
    }

    @Test func theOldestFormatIsBoundedAlthoughItHasNoLimits() {
        let streams = QmuxRawPeer(.webTransport)
        var number: UInt64 = 0
        for _ in 0..<1024 {
            streams.give([8] + QmuxMalformedTests.big(number << 2 | 2) + [1])
            number += 1
        }
        #expect(streams.engine.closed == nil)
        streams.give([8] + QmuxMalformedTests.big(number << 2 | 2) + [1])
        #expect(streams.engine.closed?.cause == .transport(code: 0x4))

        let skipping = QmuxRawPeer(.webTransport)
        skipping.give([8] + QmuxMalformedTests.big(1 << 50 | 2) + [1])
        #expect(skipping.engine.closed?.cause == .transport(code: 0x4))

        let resets = QmuxRawPeer(.webTransport)
        for number in UInt64(0)..<70_000 where resets.engine.closed == nil {
            resets.give([4] + QmuxMalformedTests.big(number << 2 | 2) + [0])
        }
        #expect(resets.engine.closed?.cause == .transport(code: 0x4))

        let bytes = QmuxRawPeer(.webTransport)
        let message = [8, 2] + Array(repeating: UInt8(0), count: 1 << 20)
        for _ in 0..<16 { bytes.give(message) }
        #expect(bytes.engine.closed == nil)
        bytes.give([8, 2, 0])
        #expect(bytes.engine.closed?.cause == .transport(code: 0x3))
    }

    @Test func prioritiesThatChangeForEverCostNothing() throws {
        let pair = QmuxPair()
        var streams: [StreamID] = []
        for _ in 0..<20 {
            let stream = try #require(pair.client.openStream(.unidirectional))
            pair.client.write([UInt8(stream.rawValue)], to: stream)
            streams.append(stream)
        }
        for round in UInt64(0)..<20_000 {
            pair.client.setPriority(
                SendPriority(urgency: 1, sequence: round * 7 % 1000), of: streams[Int(round % 20)])
        }
        let record = try #require(pair.client.transmit(limit: 4096, at: pair.now))
        // Each stream once, in the order of the last word.
        #expect(record.count == 20 * 5 + streams.filter { $0.rawValue > 63 }.count)
    }

    @Test func atEveryOffsetATCPStreamMayEnd() throws {
        let now = Instant.origin
        let client = QmuxTCPSession(
            client: .loopback(port: 1), protocols: ["moq-lite-06"], settings: QmuxSettings())
        var whole = try #require(client.transmit(at: now))
        client.engine.receive(record: QmuxRawPeer.parameters(adding: protocolList()), at: now)
        let stream = try #require(client.openStream(.bidirectional))
        client.write([1, 2, 3], to: stream)
        client.finish(stream)
        whole += try #require(client.transmit(at: now))
        for end in 0...whole.count {
            let server = QmuxTCPSession(
                server: .loopback(port: 1), protocols: ["moq-lite-06"], settings: QmuxSettings())
            server.receive(Array(whole[..<end]), at: now)
            #expect(server.engine.closed == nil, "cut at \(end)")
            server.receiveEnd(failure: nil, at: now)
            #expect(server.engine.closed?.cause == .lost && server.isFinished)
        }
    }

    private func protocolList() -> [UInt8] {
        var list = ByteWriter()
        list.string("moq-lite-06")
        var writer = ByteWriter()
        writer.varint(0x3D4F_9C2A_8B1E_6075)
        writer.counted(list.bytes)
        return writer.bytes
    }
}
