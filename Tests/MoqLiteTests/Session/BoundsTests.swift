import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

/// Streams that run out, peers that flood, and owners that are slow.
@Suite struct BoundsTests {
    @Test(arguments: Version.allCases)
    func aRequestWaitsForAStream(_ version: Version) {
        var limits = InMemoryLimits()
        limits.bidirectionalStreams = version.usesSetupExchange ? 2 : 1
        let pair = SessionPair.established(version, serverLimits: limits)
        let first = pair.client.subscribe(broadcast: path("a"), track: "1")
        let second = pair.client.subscribe(broadcast: path("a"), track: "2")
        let third = pair.client.subscribe(broadcast: path("a"), track: "3")
        // What waits can still be changed and taken back.
        pair.client.update(third, SubscribeUpdate(options: SubscribeOptions(priority: 5)))
        pair.client.unsubscribe(second)
        #expect(pair.clientTold() == [.subscriptionEnded(second, .cancelled)])
        guard case .subscribeRequested(let incoming, let request)? = pair.serverTold().last else {
            Issue.record("no request")
            return
        }
        #expect(request.id == first.rawValue)
        pair.server.resetSubscription(incoming, code: .code(13))
        #expect(pair.clientTold() == [.subscriptionEnded(first, .reset(.code(13)))])
        guard case .subscribeRequested(_, let next)? = pair.serverTold().last else {
            Issue.record("no second request")
            return
        }
        #expect(next.id == third.rawValue)
        #expect(next.options.priority == 5)
    }

    @Test func tooManyWaitingRequestsEndAtOnce() {
        var limits = InMemoryLimits()
        limits.bidirectionalStreams = 0
        let pair = SessionPair.established(.lite06, serverLimits: limits) { configuration, _ in
            configuration.bounds.waitingRequests = 2
        }
        pair.client.subscribe(broadcast: path("a"), track: "1")
        let announce = pair.client.requestAnnouncements(prefix: .empty)
        let fetch = pair.client.fetch(Fetch(broadcast: path("a"), track: "b", group: 0))
        #expect(pair.clientTold() == [.fetchEnded(fetch, .cancelled)])
        pair.client.cancelAnnouncements(announce)
        #expect(pair.clientTold() == [.announcementsEnded(announce, .cancelled)])
        pair.client.close(code: 0, reason: "")
        #expect(pair.clientTold().count == 2)
    }

    @Test func aGroupWaitsForAStream() throws {
        var limits = InMemoryLimits()
        // One goes to SETUP, which is over by the time the groups come.
        limits.unidirectionalStreams = 1
        let it = SubscribedPair(.lite06, clientLimits: limits)
        let first = try #require(it.group(0))
        #expect(it.group(1) == nil)
        #expect(it.pair.server.isOpen(it.incoming))
        #expect(it.pair.serverTold().isEmpty)
        it.pair.server.finishGroup(first)
        #expect(it.pair.serverTold() == [.groupDelivered(first), .streamsAvailable])
        #expect(it.group(1) != nil)
    }

    @Test func aFullStreamTellsWhenItHasRoom() throws {
        var limits = InMemoryLimits()
        limits.streamWindow = 1000
        limits.writeBudget = 100
        let it = SubscribedPair(.lite06, clientLimits: limits, serverLimits: limits)
        let group = try #require(it.group(0))
        it.pair.client.pauseReading()
        #expect(it.pair.server.canWrite(group))
        it.pair.server.writeFrame(group, Frame(timestamp: 0, payload: Array(repeating: 7, count: 5000)))
        #expect(!it.pair.server.canWrite(group))
        #expect(it.pair.serverTold().isEmpty)
        it.pair.client.resumeReading()
        #expect(it.pair.clientTold().last?.group == IncomingGroupID(stream: group.stream))
        #expect(it.pair.serverTold() == [.writable(group)])
    }

    @Test func pausingOneSubscriptionLeavesTheOthersAlone() throws {
        let it = SubscribedPair(.lite06)
        let other = it.pair.client.subscribe(broadcast: path("room/alice"), track: "audio")
        guard case .subscribeRequested(let incoming, _)? = it.pair.serverTold().last else {
            Issue.record("no request")
            return
        }
        it.pair.client.pauseReading(it.subscription)
        let held = try #require(it.group(0))
        let free = try #require(
            it.pair.server.openGroup(for: incoming, sequence: 0, priority: SendPriority(urgency: 0)))
        for group in [held, free] {
            it.pair.server.writeFrame(group, it.frame("one", at: 1))
            it.pair.server.finishGroup(group)
        }
        let heldID = IncomingGroupID(stream: held.stream)
        let freeID = IncomingGroupID(stream: free.stream)
        #expect(
            it.pair.clientTold() == [
                .groupOpened(heldID, it.subscription, sequence: 0, frameStart: 0),
                .groupOpened(freeID, other, sequence: 0, frameStart: 0),
                .frame(freeID, index: 0, it.frame("one", at: 1)), .groupEnded(freeID, .finished),
            ])
        it.pair.client.resumeReading(it.subscription)
        #expect(
            it.pair.clientTold() == [.frame(heldID, index: 0, it.frame("one", at: 1)), .groupEnded(heldID, .finished)])
    }

    @Test func aResetReachesAnOwnerThatHasPaused() throws {
        let it = SubscribedPair(.lite06)
        it.pair.client.pauseReading()
        let group = try #require(it.group(0))
        it.pair.server.writeFrame(group, it.frame("one", at: 1))
        #expect(it.pair.clientTold().count == 1)
        it.pair.server.resetGroup(group, code: .code(9))
        #expect(it.pair.clientTold() == [.groupEnded(IncomingGroupID(stream: group.stream), .reset(.code(9)))])
    }

    @Test func anOwnerWhoTakesNothingHoldsThePeerBack() throws {
        var limits = InMemoryLimits()
        limits.streamWindow = 10_000
        let it = SubscribedPair(.lite06, clientLimits: limits) { configuration, _ in
            configuration.bounds.waitingEventBytes = 50_000
            configuration.bounds.readBytes = 4096
        }
        let group = try #require(it.group(0))
        let payload = [UInt8](repeating: 1, count: 1000)
        for number in 0..<500 {
            it.pair.server.writeFrame(group, Frame(timestamp: UInt64(number), payload: payload))
        }
        it.pair.server.finishGroup(group)
        for _ in 0..<500 {
            it.pair.client.process(at: .origin)
            it.pair.server.process(at: .origin)
        }
        // Neither 500 kB of frames were read, nor has the writer got rid of them.
        #expect(!it.pair.server.canWrite(group))
        #expect(it.pair.serverTransport.openStreamCount > 0)
        // Taking everything gets everything, in order and whole.
        var indices: [UInt64] = []
        for case .frame(_, let index, _) in it.pair.clientTold() { indices.append(index) }
        #expect(indices == Array(0..<500))
        #expect(it.pair.openPurposes.count == 2)
    }

    @Test func takingUntilNilLeavesNothingBehindWithoutAnotherProcess() throws {
        let it = SubscribedPair(.lite06) { configuration, _ in configuration.bounds.waitingEventBytes = 300 }
        let group = try #require(it.group(0))
        for number in 0..<50 { it.pair.server.writeFrame(group, it.frame("frame", at: UInt64(number))) }
        it.pair.client.process(at: .origin)
        var count = 0
        while let event = it.pair.client.poll() {
            if case .frame = event { count += 1 }
        }
        #expect(count == 50)
    }

    @Test func streamsThatNeverSayTheirTypeAreRefusedBeyondTheBound() {
        let peer = RawPeer(.lite06) { configuration in configuration.bounds.silentStreams = 3 }
        var streams: [StreamID] = []
        for _ in 0..<3 { streams.append(peer.open(.bidirectional, "40")) }
        #expect(peer.violations.isEmpty)
        let fourth = peer.open(.bidirectional, "02 0b 00")
        #expect(peer.resets[fourth] != nil && peer.stops[fourth] != nil)
        #expect(streams.allSatisfy { peer.resets[$0] == nil })
        // One that speaks after all makes room for another.
        peer.send("04", on: streams[0])
        peer.open(.bidirectional, "40")
        #expect(peer.violations.count == 1)
    }

    @Test func requestsBeyondTheBoundAreRefused() {
        let peer = RawPeer(.lite06) { configuration in configuration.bounds.incomingRequests = 2 }
        peer.open(.bidirectional, "01 01 00")
        peer.open(.bidirectional, "01 01 00")
        let third = peer.open(.bidirectional, "01 01 00")
        #expect(peer.resets[third] != nil)
        #expect(peer.session.openStreamCount == 2)
    }

    @Test func aMessageOverTheBoundIsRefusedByItsLength() {
        let peer = RawPeer(.lite06)
        let stream = peer.open(.bidirectional, "02 80010001")
        #expect(peer.resets[stream] == .code(1))
    }

    @Test func announcementsBeyondTheBoundCloseTheSession() {
        let peer = RawPeer(.lite06, sessionRole: .client) { configuration in
            configuration.bounds.liveAnnouncements = 2
        }
        peer.session.requestAnnouncements(prefix: .empty)
        peer.run()
        peer.send("02 16 00 00 05 01 61 00 00 00 00 05 01 62 00 00 00 01 01 00", on: peer.requests[0])
        peer.send("00 05 01 63 00 00 00", on: peer.requests[0])
        #expect(!peer.session.isClosed)
        peer.send("00 05 01 64 00 00 00", on: peer.requests[0])
        #expect(peer.closeCode == 7)
    }

    @Test func unfinishedFramesAreBoundedInAll() {
        let peer = RawPeer(.lite06, sessionRole: .client) { configuration in
            configuration.bounds.incompleteFrameBytes = 3000
            configuration.bounds.readBytes = 1000
        }
        peer.session.subscribe(broadcast: path("a"), track: "b")
        peer.run()
        let part = String(repeating: "aa", count: 1900)
        let first = peer.open(.unidirectional, "00 03 00 00 00 00 7fff" + part)
        #expect(peer.violations.isEmpty)
        let second = peer.open(.unidirectional, "00 03 00 01 00 00 7fff" + part)
        #expect(peer.stops[first] == nil && peer.stops[second] != nil)
        #expect(peer.events.last.flatMap(\.group) == IncomingGroupID(stream: second))
        // What the refused one held is free again.
        let third = peer.open(
            .unidirectional, "00 03 00 02 00 00 7fff" + String(repeating: "bb", count: 1040))
        #expect(peer.stops[third] == nil)
        peer.transport.reset(third, code: .code(0))
        peer.run()
        let fourth = peer.open(
            .unidirectional, "00 03 00 03 00 00 7fff" + String(repeating: "bb", count: 1040))
        #expect(peer.stops[fourth] == nil)
    }

    @Test func theSameInputGivesTheSameRun() {
        func run() -> [LiteEvent] {
            let it = SubscribedPair(.lite06)
            for number in 0..<40 {
                guard let group = it.group(UInt64(number)) else { continue }
                it.pair.server.writeFrame(group, it.frame("x", at: 1))
            }
            it.pair.run()
            it.pair.client.unsubscribe(it.subscription, .reset(.code(5)))
            it.pair.run()
            it.pair.server.close(code: 0, reason: "")
            return it.pair.clientTold() + it.pair.serverTold()
        }
        let first = run()
        #expect(first.count > 100)
        #expect(run() == first)
    }
}
