import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

/// Groups, fetch answers and the rest from a peer that breaks the rules.
@Suite struct MalformedGroupTests {
    /// A client with subscription 0 on 06, and opposite a raw publisher.
    private func subscribed(_ configure: (inout LiteConfiguration) -> Void = { _ in }) -> RawPeer {
        let peer = RawPeer(.lite06, sessionRole: .client, configure: configure)
        peer.session.subscribe(broadcast: path("a"), track: "b")
        peer.run()
        return peer
    }

    @Test func aGroupForASubscriptionNeverMadeIsStopped() {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 03 07 00 00")
        #expect(peer.stops[stream] == .code(1))
        #expect(peer.violations.count == 1)
    }

    @Test func aGroupOnItsWayWhenItsSubscriptionWasFinishedIsTaken() {
        let peer = subscribed()
        peer.send("", on: peer.requests[0], finish: true)
        let stream = peer.open(.unidirectional, "00 03 00 00 00 00 02 aa bb", finish: true)
        #expect(peer.stops[stream] == nil)
        #expect(peer.violations.isEmpty)
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func aGroupThatComesAfterItsSubscriptionIsStoppedInSilence() {
        let peer = subscribed()
        peer.send("", on: peer.requests[0], finish: true)
        peer.session.unsubscribe(SubscriptionID(rawValue: 0))
        let stream = peer.open(.unidirectional, "00 03 00 00 00")
        #expect(peer.stops[stream] == .code(1))
        #expect(peer.violations.isEmpty)
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func groupsThatOutliveASubscriptionWeLeftAreStopped() {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 03 00 00 00 00 02 aa")
        peer.session.unsubscribe(SubscriptionID(rawValue: 0))
        peer.send("", on: peer.requests[0], finish: true)
        #expect(peer.stops[stream] == .code(1))
        #expect(peer.events.last == .groupEnded(IncomingGroupID(stream: stream), .cancelled))
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func spareBytesInGroupAreStoppedWithTheirCode() {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 04 00 00 00 00")
        #expect(peer.stops[stream] == .code(0x12))
        #expect(peer.events.count == 1)
        let first = RawPeer(.lite05, sessionRole: .client, generation: .first)
        first.session.subscribe(broadcast: path("a"), track: "b")
        let old = first.open(.unidirectional, "00 03 00 00 00")
        #expect(first.stops[old] == .code(5))
    }

    @Test(arguments: [
        ("inside the payload", "00 04 aabb"), ("before the payload", "00 04"), ("inside the head", "00"),
    ])
    func anEndInsideAFrameIsNotAnEnd(_ what: String, _ hex: String) {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 03 00 00 00 00 01 cc" + hex, finish: true)
        let id = IncomingGroupID(stream: stream)
        #expect(peer.events.contains(.frame(id, index: 0, Frame(timestamp: 0, payload: [0xCC]))))
        guard case .groupEnded(id, .malformed)? = peer.events.last else {
            Issue.record("\(what): \(peer.events)")
            return
        }
        #expect(peer.session.openStreamCount == 1)
    }

    @Test(arguments: [
        ("a frame over 32 MiB", "00 82000001"), ("a timestamp below 0", "01 00"),
    ])
    func aBadFrameStopsItsGroupAlone(_ what: String, _ hex: String) {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 03 00 00 00" + hex)
        #expect(peer.stops[stream] != nil, "\(what)")
        guard case .groupEnded(IncomingGroupID(stream: stream), .malformed)? = peer.events.last else {
            Issue.record("\(what): \(peer.events)")
            return
        }
        #expect(!peer.session.isClosed && peer.session.openStreamCount == 1)
    }

    @Test func anUnmappedResetIsReportedAsSuch() {
        let peer = subscribed()
        let stream = peer.open(.unidirectional, "00 03 00 00 00")
        peer.transport.reset(stream, code: .unmapped(raw: 0))
        peer.run()
        #expect(
            peer.events.last == .groupEnded(IncomingGroupID(stream: stream), .reset(.unmapped(raw: 0))))
    }

    @Test func anUnmappedStopOfASubscriptionEndsNothingForTheSubscriber() {
        let peer = subscribed()
        peer.transport.stop(peer.requests[0], code: .unmapped(raw: 0))
        peer.send("00 01 03", on: peer.requests[0])
        #expect(peer.events.last == .subscribeStart(SubscriptionID(rawValue: 0), group: 3))
    }

    @Test func aSubscriberThatOnlyStopsTheAnswersIsGone() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "02 0b 00 0161 0162 00 00 00 00 00 00")
        peer.transport.stop(stream, code: .unmapped(raw: 0))
        peer.run()
        #expect(
            peer.events.last
                == .subscribeCancelled(IncomingSubscriptionID(stream: stream), .stopped(.unmapped(raw: 0))))
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func unreadableDatagramsAreDropped() {
        let peer = subscribed()
        for hex in ["", "00", "0001", "090101aa"] {
            _ = peer.transport.sendDatagram(Hexadecimal.decode(hex) ?? [])
        }
        peer.run()
        #expect(peer.events.isEmpty)
        _ = peer.transport.sendDatagram([0, 1, 2, 0xAA])
        peer.run()
        #expect(
            peer.events == [.datagram(SubscriptionID(rawValue: 0), sequence: 1, timestamp: 2, payload: [0xAA])])
    }

    // MARK: Other streams

    @Test(arguments: [
        ("a timescale of 0", "04 00 00 00 00", false), ("no answer", "", true),
        ("spare bytes", "04 00 00 01 00", false),
        ("bytes behind it", "03 00 00 01 ff", false), ("an end inside", "03 00", true),
    ])
    func aBadTrackInfoFailsTheRequest(_ what: String, _ hex: String, _ finish: Bool) {
        let peer = RawPeer(.lite06, sessionRole: .client)
        let id = peer.session.requestTrack(broadcast: path("a"), track: "b")
        peer.run()
        peer.send(hex, on: peer.requests[0], finish: finish)
        guard case .trackEnded(id, .malformed)? = peer.events.last else {
            Issue.record("\(what): \(peer.events)")
            return
        }
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func aFetchThatIsCutInsideAFrameIsNotComplete() {
        let peer = RawPeer(.lite06, sessionRole: .client)
        let id = peer.session.fetch(Fetch(broadcast: path("a"), track: "b", group: 0))
        peer.run()
        peer.send("00 01 aa 00 02 bb", on: peer.requests[0], finish: true)
        #expect(peer.events.first == .fetchFrame(id, index: 0, Frame(timestamp: 0, payload: [0xAA])))
        guard case .fetchEnded(id, .malformed)? = peer.events.last else {
            Issue.record("not told: \(peer.events)")
            return
        }
    }

    @Test(arguments: CodeGeneration.allCases)
    func aProbeFromTheSubscriberIsRefused(_ generation: CodeGeneration) {
        let peer = RawPeer(.lite06, generation: generation)
        let stream = peer.open(.bidirectional, "04 02 01 01")
        #expect(peer.resets[stream] == .code(generation == .first ? 5 : 0x12))
        #expect(peer.session.deadline == nil)
        #expect(peer.session.openStreamCount == 0)
    }

    @Test func aBadFetchIsRefused() {
        let peer = RawPeer(.lite06)
        // The end below the start.
        let stream = peer.open(.bidirectional, "03 08 0161 0162 00 05 03 02")
        #expect(peer.resets[stream] == .code(1))
        let behind = peer.open(.bidirectional, "03 08 0161 0162 00 05 00 00 ff")
        #expect(peer.resets[behind] == .code(0x12))
        guard case .fetchCancelled(_, .malformed)? = peer.events.last else {
            Issue.record("not told: \(peer.events)")
            return
        }
    }

    @Test func aBadGoawayIsRefusedAlone() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "05 02 01 ff")
        #expect(peer.resets[stream] != nil)
        #expect(!peer.session.isClosed)
    }
}
