import MoqBase
import MoqTransport
import Testing

@Suite struct QmuxFlowControlTests {
    private func settings(_ change: (inout QmuxSettings) -> Void) -> QmuxSettings {
        var settings = QmuxSettings()
        settings.keepAlive = nil
        change(&settings)
        return settings
    }

    @Test func aStreamIsHeldBackByItsWindowAndReleasedByReading() throws {
        let small = settings { $0.streamWindow = 1000 }
        let pair = QmuxPair(client: settings { _ in }, server: small)
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 3, count: 2500), to: stream)
        pair.client.finish(stream)
        pair.settle()
        var sizes: [Int] = []
        for _ in 0..<20 {
            guard let read = pair.server.read(stream, limit: 400) else { break }
            sizes.append(read.bytes.count)
            if read.isFinished { break }
            pair.settle()
        }
        #expect(sizes.reduce(0, +) == 2500)
        #expect(pair.clientEvents == ["delivered(stream 2)"])
        #expect(pair.server.closed == nil)
    }

    @Test func aBlockedStreamSaysSoOncePerLimit() throws {
        let pair = QmuxPair(client: settings { _ in }, server: settings { $0.streamWindow = 100 })
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 3, count: 150), to: stream)
        let data = try #require(pair.client.transmit(limit: 4096, at: pair.now))
        #expect(data.count == 100 + 5)
        #expect(pair.client.transmit(limit: 4096, at: pair.now) == [0x15, 2, 0x40, 100])
        pair.client.write([1], to: stream)
        #expect(pair.client.transmit(limit: 4096, at: pair.now) == nil)
    }

    @Test func theWindowOfTheConnectionHoldsAllStreamsBack() throws {
        let pair = QmuxPair(client: settings { _ in }, server: settings { $0.connectionWindow = 1000 })
        var streams: [StreamID] = []
        for _ in 0..<3 {
            let stream = try #require(pair.client.openStream(.unidirectional))
            pair.client.write(Array(repeating: UInt8(stream.rawValue), count: 700), to: stream)
            pair.client.finish(stream)
            streams.append(stream)
        }
        let empty = try #require(pair.client.openStream(.unidirectional))
        pair.client.finish(empty)
        pair.settle()
        // The end of a stream without bytes needs no room.
        #expect(pair.serverEvents.contains("streamOpened(\(empty))"))
        var total = 0
        for _ in 0..<20 {
            for stream in streams {
                while let read = pair.server.read(stream, limit: 300) {
                    total += read.bytes.count
                    #expect(read.bytes.allSatisfy { $0 == UInt8(stream.rawValue) })
                    if read.isFinished { break }
                }
            }
            pair.settle()
        }
        #expect(total == 2100)
        #expect(pair.client.openStreamCount == 0 && pair.server.closed == nil)
    }

    @Test func bytesOfStoppedAndResetStreamsAreGivenBackToTheConnection() throws {
        let pair = QmuxPair(client: settings { _ in }, server: settings { $0.connectionWindow = 1000 })
        for round in 0..<20 {
            let stream = try #require(pair.client.openStream(.unidirectional))
            pair.client.write(Array(repeating: 1, count: 600), to: stream)
            pair.settle()
            if round.isMultiple(of: 2) {
                pair.server.stop(stream, code: .code(1))
            } else {
                pair.client.reset(stream, code: .code(1))
            }
            pair.settle()
        }
        let last = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 1, count: 900), to: last)
        pair.settle()
        #expect(QmuxPair.readAll(pair.server, last).bytes.count == 900)
        #expect(pair.server.openStreamCount == 1)
    }

    @Test func bytesThatAResetOnlyNamesCountAndAreGivenBack() {
        let peer = QmuxRawPeer(settings: settings { $0.connectionWindow = 1000 })
        // 600 bytes that never came: they are part of the window, and at once free again.
        for number in UInt8(0)..<10 {
            peer.give([4, number << 2 | 2, 0, 0x42, 0x58])
            #expect(peer.engine.closed == nil)
            let window = QmuxRawPeer.numbers(0x10, (UInt64(number) + 1) * 600 + 1000)
            #expect(peer.drain().contains { $0.starts(with: window) })
        }
        peer.give([4, 42, 0, 0x43, 0xE9])
        #expect(peer.engine.closed?.cause == .transport(code: 0x3))
    }

    @Test func whoMayOpenNoMoreStreamsSaysSoOncePerLimit() throws {
        let pair = QmuxPair(client: settings { _ in }, server: settings { $0.maximumStreamsUnidirectional = 1 })
        _ = try #require(pair.client.openStream(.unidirectional))
        #expect(pair.client.openStream(.unidirectional) == nil)
        #expect(pair.client.transmit(limit: 4096, at: pair.now) == [0x17, 1])
        #expect(pair.client.openStream(.unidirectional) == nil)
        #expect(pair.client.transmit(limit: 4096, at: pair.now) == nil)
    }

    @Test(arguments: StreamDirection.allCases)
    func streamLimitsHoldAndAreRaisedAsStreamsEnd(_ direction: StreamDirection) throws {
        let few = settings {
            $0.maximumStreamsBidirectional = 3
            $0.maximumStreamsUnidirectional = 3
        }
        let pair = QmuxPair(client: settings { _ in }, server: few)
        var streams: [StreamID] = []
        while streams.count < 99, let stream = pair.client.openStream(direction) { streams.append(stream) }
        #expect(streams.count == 3)
        for stream in streams {
            pair.client.write([1], to: stream)
            pair.client.finish(stream)
        }
        pair.settle()
        #expect(pair.client.openStream(direction) == nil)
        _ = QmuxPair.readAll(pair.server, streams[1])
        if direction == .bidirectional { pair.server.finish(streams[1]) }
        pair.settle()
        if direction == .bidirectional { _ = QmuxPair.readAll(pair.client, streams[1]) }
        #expect(pair.clientEvents.last == "streamsAvailable(MoqTransport.StreamDirection.\(direction))")
        #expect(pair.client.openStream(direction) != nil)
        #expect(pair.client.openStream(direction) == nil)
    }

    @Test func manyStreamsMayComeAndGoBeyondTheLimit() throws {
        let few = settings { $0.maximumStreamsUnidirectional = 4 }
        let pair = QmuxPair(client: few, server: few)
        var read = 0
        for number in 0..<500 {
            let stream = try #require(pair.client.openStream(.unidirectional), "stream \(number)")
            pair.client.write([1, 2], to: stream)
            pair.client.finish(stream)
            pair.settle()
            read += QmuxPair.readAll(pair.server, stream).bytes.count
            pair.settle()
        }
        #expect(read == 1000 && pair.server.openStreamCount == 0 && pair.client.openStreamCount == 0)
    }

    @Test func aStreamThatWasSkippedIsStillOpened() {
        let peer = QmuxRawPeer()
        peer.give([0x0B, 10, 1, 5])
        peer.give([0x0B, 2, 1, 6])
        peer.give([0x0B, 10, 1, 7])
        let opened = QmuxPair.events(peer.engine).filter { $0.hasPrefix("streamOpened") }
        #expect(opened == ["streamOpened(stream 10)", "streamOpened(stream 2)"])
    }

    @Test func framesOnStreamsThatAreOverAreIgnored() {
        let peer = QmuxRawPeer()
        peer.give([0x0B, 2, 1, 5])
        #expect(peer.engine.read(StreamID(rawValue: 2), limit: 9)?.isFinished == true)
        _ = QmuxPair.events(peer.engine)
        for record: [UInt8] in [[0x0B, 2, 0], [0x0F, 2, 1, 0], [4, 2, 0, 1], [0x15, 2, 9]] { peer.give(record) }
        #expect(QmuxPair.events(peer.engine).isEmpty && peer.engine.closed == nil)
        #expect(peer.engine.openStreamCount == 0)
    }

    @Test func anythingWrittenArrivesWhateverTheWindowsAndRecordSizes() throws {
        for seed in UInt64(1)...12 {
            var random = SeededRandom(seed: seed)
            let receiver = settings {
                $0.streamWindow = 1 + random.next() % 5000
                $0.connectionWindow = 1 + random.next() % 20_000
                $0.maximumStreamsUnidirectional = 1 + random.next() % 6
            }
            let pair = QmuxPair(QmuxVersion.allCases[Int(seed % 3)], client: settings { _ in }, server: receiver)
            pair.recordLimit = 1024 + Int(random.next() % 4000)
            var pending = (0..<30).map { _ in random.bytes(Int(random.next() % 9000)) }
            var sent: [StreamID: [UInt8]] = [:]
            var got: [StreamID: [UInt8]] = [:]
            var finished = 0
            for _ in 0..<4000 where finished < 30 {
                if let next = pending.last, let stream = pair.client.openStream(.unidirectional) {
                    pending.removeLast()
                    sent[stream] = next
                    pair.client.setPriority(SendPriority(urgency: UInt16(random.next() % 4)), of: stream)
                    pair.client.write(next, to: stream)
                    pair.client.finish(stream)
                }
                pair.settle()
                for stream in sent.keys.sorted() {
                    guard let read = pair.server.read(stream, limit: 1 + Int(random.next() % 3000)) else { continue }
                    got[stream, default: []] += read.bytes
                    if read.isFinished { finished += 1 }
                }
            }
            #expect(finished == 30 && got == sent, "seed \(seed)")
            #expect(pair.client.openStreamCount == 0 && pair.server.closed == nil && pair.client.closed == nil)
        }
    }
}
