import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@Suite struct SessionTests {
    @Test(arguments: Version.allCases)
    func bothSidesAreEstablishedAndTellTheirSetup(_ version: Version) {
        let pair = SessionPair(version) { configuration, role in
            configuration.requestPath = "/anon?jwt=x"
            configuration.setupRole = .publisher
            configuration.linkCost = role == .client ? 4 : nil
        }
        let clientSetup = Setup(
            probe: .report, path: "/anon?jwt=x", role: .publisher, cost: 4, hop: SessionPair.clientHop)
        let serverSetup = Setup(probe: .report, hop: SessionPair.serverHop)
        #expect(
            pair.clientTold()
                == (version.hasSetup
                    ? [.established(version), .peerSetup(serverSetup)] : [.established(version)]))
        #expect(
            pair.serverTold()
                == (version.hasSetup
                    ? [.established(version), .peerSetup(clientSetup)] : [.established(version)]))
        #expect(pair.client.version == version)
        #expect(pair.server.peerSetup == (version.hasSetup ? clientSetup : nil))
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func thePathIsLeftOutWhereTheTransportCarriesIt() {
        let pair = SessionPair(.lite06, requestPath: "/anon") { configuration, _ in
            configuration.requestPath = "/anon"
        }
        pair.run()
        #expect(pair.server.peerSetup?.path == nil)
    }

    @Test func aSetupThatIsHeldBackIsNotSent() {
        let pair = SessionPair(.lite06) { configuration, role in configuration.sendsSetup = role == .client }
        pair.run()
        #expect(pair.client.peerSetup == nil)
        #expect(pair.server.peerSetup != nil)
        // And the session works all the same.
        pair.client.subscribe(broadcast: path("a"), track: "b")
        #expect(pair.serverTold().contains { if case .subscribeRequested = $0 { true } else { false } })
    }

    @Test func aSetupWaitsForAStream() {
        var limits = InMemoryLimits()
        limits.unidirectionalStreams = 1
        let peer = RawPeer(.lite06, sendsSetup: false, limits: limits)
        // Nothing is held back when there is a stream for it.
        #expect(peer.finished.count == 1)
    }

    @Test func aVersionThatIsNotSpokenClosesTheSession() {
        let (client, server) = InMemoryTransport.pair(negotiatedProtocol: "moq-lite-05")
        let session = LiteSession(
            transport: server, configuration: LiteConfiguration(versions: [.lite06], hopID: 1))
        session.requestAnnouncements(prefix: .empty)
        session.process(at: .origin)
        #expect(session.isClosed)
        #expect(session.version == nil)
        var closed: SessionClose?
        while let event = client.poll() {
            if case .closed(let how) = event { closed = how }
        }
        #expect(closed?.cause == .application(code: 0x15))
        var told: [LiteEvent] = []
        while let event = session.poll() { told.append(event) }
        #expect(told.count == 3)
        #expect(told.dropFirst().first == .announcementsEnded(AnnounceRequestID(rawValue: 0), .sessionClosed))
    }

    @Test(arguments: Version.allCases)
    func goawayReachesThePeerWhereTheVersionHasIt(_ version: Version) {
        let pair = SessionPair.established(version)
        pair.server.goaway(uri: "https://elsewhere/x")
        #expect(pair.clientTold() == (version.hasGoaway ? [.goaway(uri: "https://elsewhere/x")] : []))
        #expect(pair.openPurposes.isEmpty)
        #expect(!pair.client.isClosed)
    }

    @Test func aSecondGoawayClosesTheSession() {
        let pair = SessionPair.established(.lite06)
        pair.server.goaway(uri: "")
        pair.server.goaway(uri: "")
        _ = pair.clientTold()
        #expect(pair.client.closeReason?.cause == .application(code: 3))
    }

    @Test(arguments: Version.allCases)
    func aCloseEndsEverythingAndThenTheSession(_ version: Version) throws {
        let it = SubscribedPair(version)
        let group = try #require(it.group(0))
        it.pair.server.writeFrame(group, it.frame("one"))
        let announce = it.pair.client.requestAnnouncements(prefix: .empty)
        let track = it.pair.client.requestTrack(broadcast: path("a"), track: "b")
        let fetch = it.pair.client.fetch(Fetch(broadcast: path("a"), track: "b", group: 1))
        it.pair.client.openProbe()
        let incomings = it.pair.serverTold()
        _ = it.pair.clientTold()
        it.pair.client.close(code: 7, reason: "done")
        let how = SessionClose(initiator: .local, cause: .application(code: 7), reason: "done")
        var expected: [LiteEvent] = [.groupEnded(IncomingGroupID(stream: group.stream), .sessionClosed)]
        if version.hasFetch { expected.append(.fetchEnded(fetch, .sessionClosed)) }
        if version.hasTrackStream { expected.append(.trackEnded(track, .sessionClosed)) }
        expected += [
            .subscriptionEnded(it.subscription, .sessionClosed), .announcementsEnded(announce, .sessionClosed),
        ]
        if version.hasProbe { expected.append(.probeEnded(.sessionClosed)) }
        expected.append(.closed(how))
        #expect(it.pair.clientTold() == expected)
        let told = it.pair.serverTold()
        #expect(told.last == .closed(SessionClose(initiator: .peer, cause: .application(code: 7), reason: "done")))
        #expect(told.count == incomings.filter(\.isRequest).count + 2)
        #expect(told.contains(.subscribeCancelled(it.incoming, .sessionClosed)))
        // Nothing more is told, and nothing more is done.
        it.pair.client.subscribe(broadcast: path("a"), track: "b")
        it.pair.client.close(code: 1, reason: "")
        #expect(it.pair.clientTold().isEmpty && it.pair.openPurposes.isEmpty)
    }

    @Test func aLostConnectionIsReported() {
        let pair = SessionPair.established(.lite06)
        let id = pair.client.subscribe(broadcast: path("a"), track: "b")
        pair.clientTransport.lose()
        #expect(pair.clientTold().first == .subscriptionEnded(id, .sessionClosed))
        #expect(pair.client.closeReason?.cause == .lost)
        #expect(pair.client.deadline == nil)
    }

    @Test func whatArrivedBeforeTheCloseIsStillTold() throws {
        let it = SubscribedPair(.lite06)
        let group = try #require(it.group(0))
        it.pair.server.writeFrame(group, it.frame("last words", at: 1))
        it.pair.server.close(code: 0, reason: "")
        let told = it.pair.clientTold()
        #expect(told.contains(.frame(IncomingGroupID(stream: group.stream), index: 0, it.frame("last words", at: 1))))
        #expect(told.contains(.groupEnded(IncomingGroupID(stream: group.stream), .sessionClosed)))
    }

    @Test func openStreamsAreListedByNumberWithTheirPurpose() throws {
        let it = SubscribedPair(.lite06)
        it.pair.client.openProbe()
        let group = try #require(it.group(0))
        it.pair.run()
        #expect(it.pair.client.openStreamCount == 3)
        #expect(
            it.pair.client.openStreams.map(\.purpose) == [
                .subscription(it.subscription), .probe, .incomingGroup(IncomingGroupID(stream: group.stream)),
            ])
        #expect(
            it.pair.server.openStreams.map(\.purpose) == [
                .incomingSubscription(it.incoming), .incomingProbe, .outgoingGroup(group),
            ])
    }
}

extension LiteEvent {
    fileprivate var isRequest: Bool {
        switch self {
        case .announceRequested, .subscribeRequested, .trackRequested, .fetchRequested: true
        default: false
        }
    }
}
