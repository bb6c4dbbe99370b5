import MoqBase
import MoqTransport
import Testing

@Suite struct QmuxEngineTests {
    private let group = Array(repeating: UInt8(7), count: 40_000)

    @Test(arguments: QmuxVersion.allCases)
    func streamsCarryBytesAndTheirEndInEveryVersion(_ version: QmuxVersion) throws {
        let pair = QmuxPair(version)
        let request = try #require(pair.client.openStream(.bidirectional))
        let uni = try #require(pair.client.openStream(.unidirectional))
        #expect(request.rawValue == 0 && uni.rawValue == 2)
        pair.client.write([1, 2, 3], to: request)
        pair.client.write(group, to: uni)
        pair.client.finish(uni)
        pair.settle()
        #expect(
            pair.serverEvents == [
                "streamOpened(stream 0)", "readable(stream 0)", "streamOpened(stream 2)", "readable(stream 2)",
            ])
        #expect(pair.clientEvents == ["delivered(stream 2)"])
        #expect(QmuxPair.readAll(pair.server, uni) == (group, true))
        #expect(QmuxPair.readAll(pair.server, request) == ([1, 2, 3], false))
        pair.server.write([9], to: request)
        pair.server.finish(request)
        pair.settle()
        #expect(QmuxPair.readAll(pair.client, request) == ([9], true))
        pair.client.finish(request)
        pair.settle()
        #expect(QmuxPair.readAll(pair.server, request) == ([], true))
        #expect(pair.client.openStreamCount == 0 && pair.server.openStreamCount == 0)
    }

    @Test func bothEndsAreEstablishedOnceParametersHaveCrossed() {
        let engine = QmuxEngine(role: .client, settings: QmuxSettings())
        let now = Instant(nanoseconds: 5)
        #expect(engine.transmit(limit: 4096, at: now) == nil)
        engine.begin(QmuxSubprotocol(version: .draft02, applicationProtocol: "moq-lite-06"), at: now)
        let first = engine.transmit(limit: 4096, at: now)
        #expect(first?.prefix(8) == [0xFF, 0x51, 0x53, 0x30, 0x0D, 0x0A, 0x0D, 0x0A])
        #expect(engine.transmit(limit: 4096, at: now) == nil)
        #expect(engine.openStream(.bidirectional) == nil)
        #expect(QmuxPair.events(engine).isEmpty && engine.negotiatedProtocol == nil)
        engine.receive(record: QmuxRawPeer.parameters(), at: now)
        #expect(
            QmuxPair.events(engine) == ["established", "streamsAvailable(MoqTransport.StreamDirection.bidirectional)"])
        #expect(engine.negotiatedProtocol == "moq-lite-06")
        #expect(engine.peerParameters?.streamsBidirectional == 100)
        #expect(engine.openStream(.bidirectional) != nil)
    }

    @Test func frameBytesAreThoseOfTheReference() throws {
        let peer = QmuxRawPeer(role: .client)
        _ = QmuxPair.events(peer.engine)
        let uni = try #require(peer.engine.openStream(.unidirectional))
        peer.engine.write([1, 1, 0], to: uni)
        peer.engine.finish(uni)
        #expect(peer.drain() == [[0x0F, 2, 0, 3, 1, 1, 0]])
        peer.give([0x0E, 3, 0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(peer.engine.read(StreamID(rawValue: 3), limit: 99)?.bytes.count == 9)
        peer.engine.stop(StreamID(rawValue: 3), code: .code(0))
        #expect(peer.drain() == [[5, 3, 0]])
        peer.engine.close(code: 6, reason: "unauthorized")
        #expect(peer.drain().map(Hexadecimal.encode) == ["1d060c756e617574686f72697a6564"])
    }

    @Test func aResetSaysHowMuchWasSentAndDropsTheRest() throws {
        var small = QmuxSettings()
        small.streamWindow = 10
        let pair = QmuxPair(server: small)
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 1, count: 25), to: stream)
        pair.settle()
        pair.client.reset(stream, code: .code(24))
        let record = pair.client.transmit(limit: 4096, at: pair.now)
        // Codes travel unmapped (reference, section 2.3).
        #expect(record == [4, 2, 24, 10])
        pair.server.receive(record: record ?? [], at: pair.now)
        pair.pollAll()
        #expect(pair.serverEvents.last == "reset(stream 2, 24)")
        #expect(pair.server.read(stream, limit: 99) == nil)
        #expect(pair.client.openStreamCount == 0 && pair.server.openStreamCount == 0)
    }

    @Test func aStopIsAnsweredWithAResetOfTheSameCode() throws {
        let pair = QmuxPair()
        let stream = try #require(pair.client.openStream(.bidirectional))
        pair.client.write([1], to: stream)
        pair.settle()
        pair.server.stop(stream, code: .code(51))
        pair.client.write(group, to: stream)
        pair.settle()
        #expect(pair.clientEvents == ["stopped(stream 0, 51)"])
        // Who stopped hears nothing of what still came, but of the reset, as over QUIC.
        #expect(pair.serverEvents == ["streamOpened(stream 0)", "readable(stream 0)", "reset(stream 0, 51)"])
        #expect(pair.server.read(stream, limit: 9) == nil)
        #expect(!pair.client.canWrite(stream))
        // The other half lives on.
        pair.server.write([5], to: stream)
        pair.server.finish(stream)
        pair.settle()
        #expect(QmuxPair.readAll(pair.client, stream) == ([5], true))
        #expect(pair.client.openStreamCount == 0 && pair.server.openStreamCount == 0)
    }

    @Test func aStreamMayBeStoppedBeforeThePeerHasHeardOfIt() throws {
        let pair = QmuxPair()
        let stream = try #require(pair.client.openStream(.bidirectional))
        pair.client.stop(stream, code: .code(3))
        pair.settle()
        #expect(pair.serverEvents == ["streamOpened(stream 0)", "stopped(stream 0, 3)"])
    }

    @Test func greaterPrioritiesAreSentFirstHoweverLateTheyCome() throws {
        let pair = QmuxPair()
        let engine = pair.client
        let old = try #require(engine.openStream(.unidirectional))
        let new = try #require(engine.openStream(.unidirectional))
        engine.setPriority(SendPriority(urgency: 5, sequence: 1), of: old)
        engine.setPriority(SendPriority(urgency: 5, sequence: 2), of: new)
        engine.write(Array(repeating: 1, count: 3000), to: old)
        let first = engine.transmit(limit: 1100, at: pair.now)
        #expect(first?[1] == 2)
        engine.write(Array(repeating: 2, count: 1500), to: new)
        let second = engine.transmit(limit: 1100, at: pair.now)
        #expect(second?[1] == 6)
        let request = try #require(engine.openStream(.bidirectional))
        engine.write([1, 2], to: request)
        // Requests go before groups; the record is filled up in the order of priority.
        let third = try #require(engine.transmit(limit: 1100, at: pair.now))
        #expect(Array(third.prefix(6)) == [0x0E, 0, 0, 2, 1, 2])
        #expect(third[7] == 6)
        // A change of mind counts at once.
        engine.write(Array(repeating: 2, count: 1500), to: new)
        engine.setPriority(SendPriority(urgency: 1), of: new)
        #expect(engine.transmit(limit: 1100, at: pair.now)?[1] == 2)
    }

    @Test func equalPrioritiesTakeTurns() throws {
        let pair = QmuxPair()
        var streams: [UInt8] = []
        for _ in 0..<3 {
            let stream = try #require(pair.client.openStream(.unidirectional))
            pair.client.write(Array(repeating: 1, count: 2500), to: stream)
        }
        for _ in 0..<6 {
            if let record = pair.client.transmit(limit: 1024, at: pair.now) { streams.append(record[1]) }
        }
        #expect(streams == [2, 6, 10, 2, 6, 10])
    }

    @Test func aWriterHearsOfRoomOnceHalfOfItsBudgetIsFree() throws {
        var settings = QmuxSettings()
        settings.writeBudget = 4000
        let pair = QmuxPair(client: settings)
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write(Array(repeating: 1, count: 3999), to: stream)
        #expect(pair.client.canWrite(stream))
        pair.client.write([1], to: stream)
        #expect(!pair.client.canWrite(stream))
        _ = pair.client.transmit(limit: 1024, at: pair.now)
        #expect(QmuxPair.events(pair.client).isEmpty)
        _ = pair.client.transmit(limit: 1024, at: pair.now)
        // Nothing arrives that would make the owner look, so the engine asks for a turn.
        #expect(pair.client.deadline == .origin)
        pair.client.advance(to: pair.now)
        #expect(pair.client.deadline != .origin)
        #expect(QmuxPair.events(pair.client) == ["writable(stream 2)"])
    }

    @Test func readableIsSaidAgainOnlyAfterTheStreamWasEmptied() throws {
        let pair = QmuxPair()
        let stream = try #require(pair.client.openStream(.unidirectional))
        for byte in UInt8(0)..<3 {
            pair.client.write([byte, byte], to: stream)
            pair.settle()
        }
        #expect(pair.serverEvents == ["streamOpened(stream 2)", "readable(stream 2)"])
        #expect(pair.server.read(stream, limit: 5)?.bytes == [0, 0, 1, 1, 2])
        #expect(pair.server.read(stream, limit: 5)?.bytes == [2])
        #expect(pair.server.read(stream, limit: 5) == nil)
        pair.client.finish(stream)
        pair.settle()
        #expect(pair.serverEvents.count == 3)
        let end = try #require(pair.server.read(stream, limit: 5))
        #expect(end.bytes.isEmpty && end.isFinished)
    }

    @Test(arguments: QmuxVersion.allCases)
    func aCloseReachesThePeerWithItsCodeAndReason(_ version: QmuxVersion) throws {
        let pair = QmuxPair(version)
        let stream = try #require(pair.client.openStream(.unidirectional))
        pair.client.write([1], to: stream)
        let data = pair.client.transmit(limit: 4096, at: pair.now)
        pair.client.close(code: 1 << 40, reason: "done")
        #expect(!pair.client.isFinished)
        let close = pair.client.transmit(limit: 4096, at: pair.now)
        #expect(pair.client.isFinished && pair.client.transmit(limit: 4096, at: pair.now) == nil)
        pair.server.receive(record: data ?? [], at: pair.now)
        pair.server.receive(record: close ?? [], at: pair.now)
        // What was said before the close can still be read until the close is polled.
        #expect(pair.server.isFinished)
        #expect(pair.server.read(stream, limit: 9)?.bytes == [1])
        pair.pollAll()
        #expect(pair.clientEvents == ["closed(closed here with code 1099511627776 (done))"])
        #expect(pair.serverEvents.last == "closed(closed by the peer with code 1099511627776 (done))")
        #expect(pair.server.transmit(limit: 4096, at: pair.now) == nil)
        #expect(pair.server.openStream(.bidirectional) == nil && pair.server.openStreamCount == 0)
    }

    @Test func theEndOfTheCarrierWithoutACloseIsALoss() {
        let pair = QmuxPair()
        pair.client.receiveEnd(failure: nil, at: pair.now)
        pair.server.receiveEnd(failure: "connection reset", at: pair.now)
        #expect(pair.client.closed?.cause == .lost && pair.client.closed?.initiator == .peer)
        #expect(pair.server.closed?.cause == .lost && pair.server.closed?.reason == "connection reset")
        #expect(pair.client.isFinished && pair.server.isFinished)
    }

    @Test func earlyReleasesAreToldCloseCodesInTheirForm() {
        // They send no offsets, and a frame type in closes of the application.
        let peer = QmuxRawPeer(.draft01)
        peer.give([0x0A, 2, 1, 0])
        peer.give([0x0A, 2, 1, 1])
        #expect(QmuxPair.readAll(peer.engine, StreamID(rawValue: 2)).bytes == [0, 1])
        peer.engine.close(code: 6, reason: "no")
        #expect(peer.drain().last == [0x1D, 6, 0, 2, 0x6E, 0x6F])
        let other = QmuxRawPeer(.draft01)
        other.give([0x1D, 6, 0, 2, 0x6E, 0x6F])
        #expect(other.engine.closed == SessionClose(initiator: .peer, cause: .application(code: 6), reason: "no"))
    }

    @Test func aResetWithoutItsSizeIsTakenForWhatHasCome() {
        // Releases before 0.4 say 0 whatever they sent.
        let peer = QmuxRawPeer(.draft01)
        peer.give([0x0A, 2, 3, 1, 2, 3])
        peer.give([4, 2, 7, 0])
        #expect(QmuxPair.events(peer.engine).last == "reset(stream 2, 7)")
        #expect(peer.engine.closed == nil)
    }
}
