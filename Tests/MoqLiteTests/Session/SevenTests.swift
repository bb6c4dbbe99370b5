import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

/// What 07 adds, as far as it is known.
@Suite struct SevenTests {
    private let epoch = Epoch([UInt8](repeating: 7, count: 16))

    /// A watching client, and its peer behind an ANNOUNCE_OK with hop 9.
    private func watching() throws -> (peer: RawPeer, stream: StreamID) {
        let peer = RawPeer(.lite07, sessionRole: .client)
        peer.session.requestAnnouncements(prefix: path("room"))
        peer.run()
        let stream = try #require(peer.requests.first)
        #expect(peer.bytes(on: stream) == "010604726f6f6d01")
        peer.send("02 09 00", on: stream)
        return (peer, stream)
    }

    private func send(_ announcement: Announcement, _ peer: RawPeer, _ stream: StreamID) throws {
        peer.send(Hexadecimal.encode(try announcement.encode(version: .lite07)), on: stream)
    }

    private func announced(_ peer: RawPeer) -> [Announced] {
        peer.events.compactMap { if case .announced(_, let announced, _) = $0 { announced } else { nil } }
    }

    @Test func aRouteBorrowsFromAnEarlierOne() throws {
        let (peer, stream) = try watching()
        try send(.start(path("a/b"), hops: hops(1, 2, 3), cost: RouteCost(warm: 4, cold: 4)), peer, stream)
        // START: base 1, keep 1 part, "c", no epoch; hops: base 1, own [5], keep 2; cost 6.
        peer.send("00 0a 01 01 0163 00 01 0105 02 06", on: stream)
        #expect(
            announced(peer).last
                == Announced(path: path("room/a/c"), hops: hops(5, 2, 3, 9), cost: RouteCost(warm: 6, cold: 6)))
        // The lender may itself have borrowed, and UPDATE borrows hops only.
        let update = BorrowedRoute(
            own: .update(id: 0), path: .none, hops: hops(), hopLoan: RouteLoan(base: 1, keep: 1),
            cost: RouteCost(warm: 1, cold: 1))
        try send(.borrowed(update), peer, stream)
        #expect(announced(peer).last?.hops == hops(3, 9))
        #expect(peer.violations.isEmpty)
    }

    @Test func aLenderThatIsNotLiveOrHasTooLittleClosesTheSession() throws {
        let loans = [
            (RouteLoan(base: 2, keep: 0), RouteLoan.none), (RouteLoan(base: 1, keep: 3), .none),
            (.none, RouteLoan(base: 1, keep: 4)), (.none, RouteLoan(base: 3, keep: 0)),
            (RouteLoan(base: 0, keep: 1), .none),
        ]
        for (borrows, lends) in loans {
            let (peer, stream) = try watching()
            try send(.start(path("a/b"), hops: hops(1, 2, 3), cost: RouteCost()), peer, stream)
            let route = BorrowedRoute(
                own: .start(path("c"), epoch: nil), path: borrows, hops: hops(), hopLoan: lends, cost: RouteCost())
            try send(.borrowed(route), peer, stream)
            #expect(peer.closeCode == 3, "\(borrows) \(lends)")
        }
    }

    @Test func anotherInstanceKeepsItsNumber() throws {
        let (peer, stream) = try watching()
        try send(.start(path("a"), hops: hops(1), cost: RouteCost(), epoch: epoch), peer, stream)
        #expect(announced(peer).last?.epoch == epoch)
        let next = Epoch([UInt8](repeating: 8, count: 16))
        try send(.instance(id: 0, hops: hops(2), cost: RouteCost(), epoch: next), peer, stream)
        #expect(announced(peer).last == Announced(path: path("room/a"), hops: hops(2, 9), epoch: next))
        try send(.end(id: 0), peer, stream)
        guard case .unannounced(_, path("room/a"))? = peer.events.last else {
            Issue.record("the end was not understood")
            return
        }
    }

    @Test func hiddenRoutesAreLeftOutUnlessTheyAreAskedFor() throws {
        for (flag, count) in [("00", 1), ("01", 3)] {
            let peer = RawPeer(.lite07)
            let stream = peer.open(.bidirectional, "01 03 01 61" + flag)
            guard case .announceRequested(let id, _, _)? = peer.events.last else {
                Issue.record("no request")
                return
            }
            let active = ["a/x", "a/.y", "a/z/.w"].map { Announced(path: path($0)) }
            peer.session.answerAnnounce(id, active: active)
            peer.run()
            #expect(peer.bytes(on: stream).hasPrefix("0216" + "0\(count)"))
        }
    }

    @Test func thePublisherEndsOnlyBehindTheSubscriber() throws {
        let peer = RawPeer(.lite07)
        // SUBSCRIBE: id 0, "a", no epoch, "t", priority, age, start, end, frame start, frame end.
        let stream = peer.open(.bidirectional, "02 0c 00 0161 00 0174 00 00 00 00 00 00")
        guard case .subscribeRequested(let id, _)? = peer.events.last else {
            Issue.record("no request")
            return
        }
        let session = peer.session
        session.startSubscription(id, group: 4, largest: TrackPosition(group: 4, frame: 2))
        let group = try #require(session.openGroup(for: id, sequence: 4, priority: .control))
        session.finishGroup(group)
        session.endSubscription(id, group: 5)
        session.finishSubscription(id)
        peer.run()
        #expect(peer.bytes(on: stream) == "0003040502" + "01020501")
        #expect(!peer.finished.contains(stream))
        peer.transport.finish(stream)
        peer.run()
        #expect(peer.finished.contains(stream))
        #expect(!peer.events.contains { if case .subscribeCancelled = $0 { true } else { false } })
    }

    @Test func theSubscriberEndsOnceAllGroupsHaveCome() throws {
        let it = SubscribedPair(.lite07)
        let server = it.pair.server
        let first = try #require(it.group(0))
        let second = try #require(it.group(1))
        for group in [first, second] {
            server.writeFrame(group, it.frame("x"))
            server.finishGroup(group)
        }
        server.endSubscription(it.incoming, group: 2)
        server.finishSubscription(it.incoming)
        #expect(it.pair.clientTold().contains(.subscriptionEnded(it.subscription, .finished)))
        #expect(it.pair.openPurposes.isEmpty)
    }

    @Test func aDropAndAnAuthStreamAreRefused() {
        let peer = RawPeer(.lite07)
        let auth = peer.open(.bidirectional, "070100")
        #expect(peer.resets[auth] == .code(1))
        #expect(!SubscribedPair(.lite07).pair.server.isClosed)
        let it = SubscribedPair(.lite07)
        #expect(!it.pair.server.dropGroups(it.incoming, start: 0, end: 1, code: 0))
    }
}
