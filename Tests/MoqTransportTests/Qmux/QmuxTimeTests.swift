import MoqBase
import MoqTransport
import Testing

@Suite struct QmuxTimeTests {
    @Test func timeBeginsWithTheFirstTurn() {
        let engine = QmuxEngine(role: .client, settings: QmuxSettings())
        #expect(engine.deadline == .origin)
        engine.advance(to: Instant(nanoseconds: 7))
        #expect(engine.deadline == Instant(nanoseconds: 7).advanced(by: .seconds(10)))
    }

    @Test(arguments: [true, false])
    func aHandshakeThatNobodyAnswersEnds(_ hasBegun: Bool) {
        let engine = QmuxEngine(role: .client, settings: QmuxSettings())
        let start = Instant(nanoseconds: 7)
        engine.advance(to: start)
        if hasBegun {
            engine.begin(.draft02, negotiation: .agreed(nil), at: start)
            #expect(engine.transmit(limit: 4096, at: start) != nil)
        }
        engine.advance(to: start.advanced(by: .milliseconds(9_999)))
        #expect(engine.closed == nil)
        engine.advance(to: start.advanced(by: .seconds(10)))
        #expect(engine.closed?.cause == .handshakeTimeout)
        #expect(engine.isFinished && engine.deadline == nil && engine.transmit(limit: 4096, at: start) == nil)
    }

    @Test func pingsKeepAnIdleConnectionAliveAndMeasureTheRoundTrip() {
        let pair = QmuxPair()
        for _ in 0..<100 { pair.pass(.seconds(1)) }
        #expect(pair.client.closed == nil && pair.server.closed == nil)
        #expect(pair.client.pathEstimate == PathEstimate(roundTrip: .zero, sendRate: nil))

        let peer = QmuxRawPeer()
        #expect(peer.drain().isEmpty)
        peer.now = peer.now.advanced(by: .milliseconds(80))
        peer.give(QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BE, 0))
        #expect(peer.engine.pathEstimate?.roundTrip == .milliseconds(80))
        // The next ping comes after 5 s of silence, and moves the estimate by an eighth.
        peer.now = peer.now.advanced(by: .seconds(5))
        #expect(peer.engine.deadline == peer.now)
        peer.engine.advance(to: peer.now)
        #expect(peer.drain() == [QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BD, 1)])
        peer.now = peer.now.advanced(by: .milliseconds(160))
        peer.give(QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BE, 1))
        #expect(peer.engine.pathEstimate?.roundTrip == .milliseconds(90))
    }

    @Test func theFirstPingGoesOutWithTheEstablishment() {
        let engine = QmuxEngine(role: .server, settings: QmuxSettings())
        engine.begin(.draft01, negotiation: .agreed(nil), at: .origin)
        _ = engine.transmit(limit: 4096, at: .origin)
        engine.receive(record: QmuxRawPeer.parameters(), at: .origin)
        #expect(engine.transmit(limit: 4096, at: .origin) == QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BD, 0))
    }

    @Test func pingsComeOftenEnoughForThePeersIdleTimeout() {
        var hasty = QmuxSettings()
        hasty.idleTimeout = .seconds(3)
        let pair = QmuxPair(client: QmuxSettings(), server: hasty)
        let quiet = pair.client.deadline
        #expect(quiet == pair.now.advanced(by: .seconds(1)))
        for _ in 0..<50 { pair.pass(.milliseconds(500)) }
        #expect(pair.client.closed == nil && pair.server.closed == nil)
    }

    @Test func silenceEndsTheConnectionWithoutAFrame() {
        var settings = QmuxSettings()
        settings.keepAlive = nil
        settings.idleTimeout = .seconds(8)
        let pair = QmuxPair(client: settings)
        let heard = pair.now
        #expect(pair.client.deadline == heard.advanced(by: .seconds(8)))
        pair.client.advance(to: heard.advanced(by: .seconds(8)))
        #expect(pair.client.closed == SessionClose(initiator: .local, cause: .idleTimeout, reason: ""))
        #expect(pair.client.isFinished && pair.client.transmit(limit: 4096, at: pair.now) == nil)
    }

    @Test func ownPingsDoNotKeepADeadPeerAlive() {
        var settings = QmuxSettings()
        settings.idleTimeout = .seconds(9)
        let pair = QmuxPair(client: settings)
        let heard = pair.now
        pair.client.receive(record: [0], at: heard)
        for second in 1...30 where pair.client.closed == nil {
            let now = heard.advanced(by: .seconds(second))
            pair.client.advance(to: now)
            _ = pair.client.transmit(limit: 4096, at: now)
            pair.now = now
        }
        #expect(pair.client.closed?.cause == .idleTimeout)
        // One ping of ours restarted the clock, after 3 s, and no other.
        #expect(pair.now == heard.advanced(by: .seconds(12)))
    }

    @Test(arguments: [QmuxVersion.draft00, .webTransport])
    func versionsWithoutPingsHaveNoIdleTimeoutOfTheirOwn(_ version: QmuxVersion) {
        let pair = QmuxPair(version)
        #expect(pair.client.deadline == nil)
        pair.pass(.seconds(3600))
        #expect(pair.client.closed == nil)
    }

    @Test func aFloodOfPingsIsAnsweredOnce() {
        let peer = QmuxRawPeer()
        for sequence in 0..<UInt64(1000) { peer.give(QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BD, sequence)) }
        #expect(peer.drain() == [QmuxRawPeer.numbers(0x348C_6752_9EF8_C7BE, 999)])
    }

    @Test func aPeerThatReadsNothingCannotKeepACloseWaiting() {
        let pair = QmuxPair()
        pair.client.close(code: 0, reason: "")
        pair.client.advance(to: pair.now)
        let deadline = pair.client.deadline
        #expect(deadline == pair.now.advanced(by: .seconds(3)))
        #expect(!pair.client.isFinished)
        pair.client.advance(to: pair.now.advanced(by: .seconds(3)))
        #expect(pair.client.isFinished && pair.client.transmit(limit: 4096, at: pair.now) == nil)
    }
}
