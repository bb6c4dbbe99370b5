import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@Suite struct AnnounceTests {
    /// A client that watches `room`, and the server's id of that request.
    private func watching(
        _ version: Version, limits: InMemoryLimits = InMemoryLimits()
    ) -> (SessionPair, AnnounceRequestID, IncomingAnnounceID?) {
        let pair = SessionPair.established(version, clientLimits: limits, serverLimits: limits)
        let id = pair.client.requestAnnouncements(prefix: path("room"), excludeHop: 7)
        var incoming: IncomingAnnounceID?
        for case .announceRequested(let found, let prefix, let excludeHop) in pair.serverTold() {
            incoming = found
            #expect(prefix == path("room"))
            #expect(excludeHop == (version.hasExcludeHop ? 7 : 0))
        }
        return (pair, id, incoming)
    }

    /// What a watcher sees of a hop list that the server gave, with the server itself behind it.
    private func seen(_ ids: [UInt64], _ version: Version) -> HopList {
        let all = version.hasHops ? ids + [SessionPair.serverHop] : [0]
        return (try? HopList(version.hasHopIDs ? all : all.map { _ in 0 })) ?? .empty
    }

    private func seen(_ cost: RouteCost, _ version: Version) -> RouteCost {
        guard version.hasCosts else { return RouteCost() }
        return RouteCost(warm: cost.warm, cold: version.hasColdCost ? cost.cold : cost.warm)
    }

    @Test(arguments: Version.allCases, [false, true])
    func theCurrentSetIsReplayedAndChangesFollow(_ version: Version, byteByByte: Bool) throws {
        let (pair, id, found) = watching(version, limits: byteByByte ? SessionPair.byteByByte : InMemoryLimits())
        let incoming = try #require(found)
        let cost = RouteCost(warm: 1, cold: 2)
        let active = [
            Announced(path: path("room/alice"), hops: hops(1, 2), cost: cost),
            Announced(path: path("elsewhere")),
            Announced(path: path("room")),
        ]
        #expect(pair.server.answerAnnounce(incoming, active: active))
        #expect(!pair.server.answerAnnounce(incoming, active: []))
        var expected: [LiteEvent] = [
            .announced(
                id, Announced(path: path("room/alice"), hops: seen([1, 2], version), cost: seen(cost, version)),
                isUpdate: false),
            .announced(id, Announced(path: path("room"), hops: seen([], version)), isUpdate: false),
        ]
        if version.tellsActiveCount {
            let hop = version.hasAnnounceOK ? SessionPair.serverHop : 0
            expected.insert(.announceAnswered(id, hop: hop, activeCount: 2), at: 0)
        }
        #expect(pair.clientTold() == expected)

        #expect(pair.server.announce(incoming, Announced(path: path("room/bob"))))
        #expect(pair.server.unannounce(incoming, path("room/alice")))
        #expect(!pair.server.unannounce(incoming, path("room/alice")))
        #expect(pair.server.announce(incoming, Announced(path: path("room/alice"))))
        #expect(
            pair.clientTold() == [
                .announced(id, Announced(path: path("room/bob"), hops: seen([], version)), isUpdate: false),
                .unannounced(id, path("room/alice")),
                .announced(id, Announced(path: path("room/alice"), hops: seen([], version)), isUpdate: false),
            ])
    }

    @Test(arguments: Version.allCases)
    func anotherRouteIsAnUpdateWhereTheVersionHasOne(_ version: Version) throws {
        let (pair, id, found) = watching(version)
        let incoming = try #require(found)
        pair.server.answerAnnounce(incoming, active: [Announced(path: path("room/alice"))])
        _ = pair.clientTold()
        let other = Announced(path: path("room/alice"), hops: hops(9), cost: RouteCost(warm: 3, cold: 4))
        let canSay = version.hasAnnounceIDs || version.repeatedActiveReplaces
        #expect(pair.server.announce(incoming, other) == canSay)
        let event = LiteEvent.announced(
            id, Announced(path: other.path, hops: seen([9], version), cost: seen(other.cost, version)), isUpdate: true)
        #expect(pair.clientTold() == (canSay ? [event] : []))
        // The number of an updated route stays: its end is understood.
        pair.server.unannounce(incoming, path("room/alice"))
        #expect(pair.clientTold() == [.unannounced(id, path("room/alice"))])
    }

    @Test(arguments: Version.allCases)
    func aWatcherThatLeavesIsAnsweredInOrder(_ version: Version) throws {
        let (pair, id, found) = watching(version)
        let incoming = try #require(found)
        pair.server.answerAnnounce(incoming, active: [])
        _ = pair.clientTold()
        pair.client.cancelAnnouncements(id)
        #expect(pair.serverTold() == [.announceCancelled(incoming, .finished)])
        #expect(pair.clientTold() == [.announcementsEnded(id, .finished)])
        #expect(!pair.server.announce(incoming, Announced(path: path("room/alice"))))
        #expect(pair.openPurposes.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func aPublisherThatFinishesEndsTheRequest(_ version: Version) throws {
        let (pair, id, found) = watching(version)
        let incoming = try #require(found)
        pair.server.answerAnnounce(incoming, active: [Announced(path: path("room/alice"))])
        pair.server.finishAnnounce(incoming)
        #expect(pair.clientTold().last == .announcementsEnded(id, .finished))
        #expect(pair.serverTold().isEmpty)
        #expect(pair.openPurposes.isEmpty)
        #expect(!pair.client.isClosed)
    }

    @Test(arguments: Version.allCases)
    func aPublisherThatResetsEndsTheRequestWithItsCode(_ version: Version) throws {
        let (pair, id, found) = watching(version)
        let incoming = try #require(found)
        pair.server.answerAnnounce(incoming, active: [])
        _ = pair.clientTold()
        pair.server.resetAnnounce(incoming, code: .code(13))
        #expect(pair.clientTold() == [.announcementsEnded(id, .reset(.code(13)))])
        #expect(!pair.client.isClosed)
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func anAnnouncementBeforeTheAnswerIsNotSent() throws {
        let (pair, _, found) = watching(.lite06)
        let incoming = try #require(found)
        #expect(!pair.server.announce(incoming, Announced(path: path("room/alice"))))
        #expect(pair.clientTold().isEmpty)
    }

    @Test(arguments: [Version.lite03, .lite04])
    func aFullHopListLeavesNoRoomForTheSenderAndIsNotAnnounced(_ version: Version) throws {
        let (pair, _, found) = watching(version)
        let incoming = try #require(found)
        pair.server.answerAnnounce(incoming, active: [])
        let full = try HopList(Array(repeating: 0, count: 32))
        #expect(!pair.server.announce(incoming, Announced(path: path("room/alice"), hops: full)))
        #expect(pair.clientTold().isEmpty)
    }

    @Test(arguments: [Version.lite05, .lite06])
    func aFullHopListIsPassedOverByTheReceiver(_ version: Version) throws {
        let (pair, id, found) = watching(version)
        let incoming = try #require(found)
        let full = try HopList(Array(repeating: 0, count: 32))
        pair.server.answerAnnounce(incoming, active: [Announced(path: path("room/alice"), hops: full)])
        #expect(pair.clientTold() == [.announceAnswered(id, hop: SessionPair.serverHop, activeCount: 1)])
        // A route that does fit is then the first one that the owner hears of.
        pair.server.announce(incoming, Announced(path: path("room/alice"), hops: hops(5)))
        #expect(
            pair.clientTold() == [
                .announced(
                    id, Announced(path: path("room/alice"), hops: hops(5, SessionPair.serverHop)), isUpdate: false)
            ])
    }

    @Test func onSixTheStreamIsWrittenAsTheReferencePeerWritesIt() throws {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "01 0100")
        guard case .announceRequested(let id, _, _)? = peer.events.last else {
            Issue.record("no request: \(peer.events)")
            return
        }
        peer.session.answerAnnounce(
            id, active: [Announced(path: path("bbbb")), Announced(path: path("cccc"))])
        peer.session.unannounce(id, path("cccc"))
        peer.session.announce(
            id, Announced(path: path("cccc"), hops: .empty, cost: RouteCost(warm: 5, cold: 5)))
        peer.session.announce(
            id, Announced(path: path("cccc"), hops: .empty, cost: RouteCost(warm: 9, cold: 9)))
        peer.run()
        #expect(
            peer.bytes(on: stream)
                == "021602" + "0008" + "0462626262" + "000000" + "0008" + "0463636363" + "000000" + "010101"
                + "0008" + "0463636363" + "000505" + "0204" + "02000909")
    }
}
