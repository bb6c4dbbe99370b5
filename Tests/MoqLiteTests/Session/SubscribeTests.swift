import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@Suite struct SubscribeTests {
    /// Relays of the original stack end their half as soon as they hear END (0.3.19 and 0.4.18, observed).
    @Test(arguments: [Version.lite05, .lite06])
    func aReaderThatLetsGoAfterTheEndStillGetsTheOpenGroup(_ version: Version) throws {
        let it = SubscribedPair(version)
        let server = it.pair.server
        server.startSubscription(it.incoming, group: 0)
        let group = try #require(it.group(0))
        #expect(server.writeFrame(group, it.frame("first")))
        server.endSubscription(it.incoming, group: 1)
        _ = it.pair.clientTold()
        // Past the engine, which would stop the group as well.
        let stream = try #require(
            it.pair.client.openStreams.first { $0.purpose == .subscription(it.subscription) }?.stream)
        it.pair.clientTransport.reset(stream, code: .code(1))
        let told = it.pair.serverTold()
        #expect(!told.contains { if case .subscribeCancelled = $0 { true } else { false } })
        #expect(server.writeFrame(group, it.frame("last")))
        server.finishGroup(group)
        let id = IncomingGroupID(stream: group.stream)
        #expect(it.pair.clientTold().filter { $0.group == id }.last == .groupEnded(id, .finished))
        server.finishSubscription(it.incoming)
        #expect(it.pair.clientTold().contains(.subscriptionEnded(it.subscription, .finished)))
        #expect(!server.openStreams.contains { $0.purpose == .incomingSubscription(it.incoming) })
    }

    @Test(arguments: Version.allCases, [false, true])
    func aTrackIsDeliveredFromRequestToEnd(_ version: Version, byteByByte: Bool) throws {
        let limits = byteByByte ? SessionPair.byteByByte : InMemoryLimits()
        let it = SubscribedPair(version, clientLimits: limits, serverLimits: limits)
        let server = it.pair.server
        #expect(server.acceptSubscription(it.incoming) == version.subscribeAnswerIsOK)
        #expect(!server.acceptSubscription(it.incoming))
        #expect(server.startSubscription(it.incoming, group: 4) == !version.subscribeAnswerIsOK)
        let first = try #require(it.group(4))
        #expect(server.writeFrame(first, it.frame("one", at: 1000)))
        #expect(server.writeFrame(first, it.frame("", at: 900)))
        let second = try #require(it.group(9))
        #expect(server.writeFrame(second, it.frame(String(repeating: "x", count: 5000), at: 70)))
        server.finishGroup(second)
        server.finishGroup(first)
        #expect(!server.writeFrame(first, it.frame("late")))
        server.endSubscription(it.incoming, group: 10)
        server.finishSubscription(it.incoming)
        let one = IncomingGroupID(stream: first.stream)
        let two = IncomingGroupID(stream: second.stream)
        let answer: [LiteEvent] =
            version.subscribeAnswerIsOK
            ? [.subscribeAccepted(it.subscription, SubscribeOptions())]
            : [.subscribeStart(it.subscription, group: 4), .subscribeEnd(it.subscription, group: 10)]
        let told = it.pair.clientTold()
        #expect(told.filter { $0.isOnSubscribeStream } == answer + [.subscriptionEnded(it.subscription, .finished)])
        #expect(
            told.filter { $0.group == one } == [
                .groupOpened(one, it.subscription, sequence: 4, frameStart: 0),
                .frame(one, index: 0, it.frame("one", at: 1000)), .frame(one, index: 1, it.frame("", at: 900)),
                .groupEnded(one, .finished),
            ])
        #expect(
            told.filter { $0.group == two } == [
                .groupOpened(two, it.subscription, sequence: 9, frameStart: 0),
                .frame(two, index: 0, it.frame(String(repeating: "x", count: 5000), at: 70)),
                .groupEnded(two, .finished),
            ])
        #expect(told.count == answer.count + 1 + 4 + 3)
        let delivered = it.pair.serverTold()
        #expect(delivered.contains(.groupDelivered(first)) && delivered.contains(.groupDelivered(second)))
        #expect(delivered.last == .subscriptionDelivered(it.incoming))
        #expect(it.pair.openPurposes.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func anEmptyGroupIsOneWithoutFrames(_ version: Version) throws {
        let it = SubscribedPair(version)
        let group = try #require(it.group(0))
        it.pair.server.finishGroup(group)
        let id = IncomingGroupID(stream: group.stream)
        #expect(
            it.pair.clientTold() == [
                .groupOpened(id, it.subscription, sequence: 0, frameStart: 0), .groupEnded(id, .finished),
            ])
    }

    @Test(arguments: Version.allCases)
    func anUpdateReplacesTheOptions(_ version: Version) {
        let it = SubscribedPair(version)
        let options = SubscribeOptions(priority: 9, maxAge: 500, groupStart: 3, groupEnd: 8)
        let update = SubscribeUpdate(options: options)
        #expect(it.pair.client.update(it.subscription, update) == version.hasSubscribeUpdate)
        #expect(it.pair.serverTold() == (version.hasSubscribeUpdate ? [.subscribeUpdated(it.incoming, update)] : []))
    }

    @Test func anUpdateThatTheVersionCannotSayIsNotSent() {
        let it = SubscribedPair(.lite05)
        let options = SubscribeOptions(frameStart: 1)
        #expect(!it.pair.client.update(it.subscription, SubscribeUpdate(options: options)))
        #expect(it.pair.serverTold().isEmpty)
    }

    @Test func aGroupOnSixCanBeginInTheMiddle() throws {
        let it = SubscribedPair(.lite06, options: SubscribeOptions(groupStart: 1, frameStart: 5))
        let group = try #require(it.group(1, frameStart: 5))
        it.pair.server.writeFrame(group, it.frame("six", at: 60))
        let id = IncomingGroupID(stream: group.stream)
        #expect(
            it.pair.clientTold() == [
                .groupOpened(id, it.subscription, sequence: 1, frameStart: 5),
                .frame(id, index: 5, it.frame("six", at: 60)),
            ])
    }

    @Test func beforeSixAGroupCannotBeginInTheMiddle() {
        let it = SubscribedPair(.lite05)
        #expect(it.group(1, frameStart: 5) == nil)
        #expect(it.pair.openPurposes.count == 2)
    }

    @Test func fromFiveOnAFrameWithoutATimestampIsNotWritten() throws {
        let it = SubscribedPair(.lite05)
        let group = try #require(it.group(0))
        #expect(!it.pair.server.writeFrame(group, Frame(timestamp: nil, payload: [1])))
        #expect(it.pair.server.writeFrame(group, Frame(timestamp: 3, payload: [2])))
        #expect(
            it.pair.clientTold().last
                == .frame(IncomingGroupID(stream: group.stream), index: 0, it.frame("\u{2}", at: 3)))
    }

    // MARK: Leaving

    @Test(arguments: Version.allCases)
    func aSubscriberThatFinishesIsAnsweredAndItsGroupsAreReset(_ version: Version) throws {
        let it = SubscribedPair(version)
        let group = try #require(it.group(0))
        it.pair.server.acceptSubscription(it.incoming)
        it.pair.server.writeFrame(group, it.frame("one"))
        _ = it.pair.clientTold()
        it.pair.client.unsubscribe(it.subscription)
        #expect(it.pair.serverTold() == [.subscribeCancelled(it.incoming, .finished)])
        #expect(
            it.pair.clientTold() == [
                .groupEnded(IncomingGroupID(stream: group.stream), .reset(.code(1))),
                .subscriptionEnded(it.subscription, .finished),
            ])
        #expect(!it.pair.server.isOpen(it.incoming))
        #expect(it.group(1) == nil)
        #expect(it.pair.openPurposes.isEmpty)
    }

    @Test(arguments: Version.allCases)
    func aSubscriberThatResetsIsAnsweredWithAReset(_ version: Version) throws {
        let it = SubscribedPair(version)
        it.pair.client.unsubscribe(it.subscription, .reset(.code(77)))
        #expect(it.pair.serverTold() == [.subscribeCancelled(it.incoming, .reset(.code(77)))])
        #expect(it.pair.clientTold() == [.subscriptionEnded(it.subscription, .reset(.code(1)))])
        #expect(it.pair.openPurposes.isEmpty)
    }

    @Test(arguments: Version.allCases, [UInt64(0), 13, 51, 71, 70_000])
    func aRefusalCarriesItsCode(_ version: Version, _ code: UInt64) {
        let it = SubscribedPair(version)
        it.pair.server.resetSubscription(it.incoming, code: .code(code))
        #expect(it.pair.clientTold() == [.subscriptionEnded(it.subscription, .reset(.code(code)))])
        #expect(it.pair.serverTold().isEmpty)
        #expect(it.pair.openPurposes.isEmpty)
    }

    @Test func aSubscriptionThatIsFinishedWaitsForItsGroups() throws {
        let it = SubscribedPair(.lite06)
        let group = try #require(it.group(0))
        it.pair.server.finishSubscription(it.incoming)
        #expect(it.group(1) == nil)
        #expect(it.pair.clientTold().contains(.subscriptionEnded(it.subscription, .finished)) == false)
        it.pair.server.finishGroup(group)
        #expect(it.pair.clientTold().last == .subscriptionEnded(it.subscription, .finished))
    }

    @Test func aSubscriptionCanBeFinishedWithGroupsOnTheirWay() throws {
        let it = SubscribedPair(.lite06)
        let group = try #require(it.group(0))
        it.pair.server.finishSubscription(it.incoming, awaitingDelivery: false)
        #expect(it.pair.clientTold().last == .subscriptionEnded(it.subscription, .finished))
        it.pair.server.writeFrame(group, it.frame("rest", at: 1))
        it.pair.server.finishGroup(group)
        let id = IncomingGroupID(stream: group.stream)
        #expect(it.pair.clientTold() == [.frame(id, index: 0, it.frame("rest", at: 1)), .groupEnded(id, .finished)])
        #expect(it.pair.openPurposes.isEmpty)
    }

    // MARK: Single groups

    @Test(arguments: Version.allCases)
    func aGroupThatIsCutCarriesItsCodeAndTheSubscriptionGoesOn(_ version: Version) throws {
        let it = SubscribedPair(version)
        let group = try #require(it.group(0))
        it.pair.server.writeFrame(group, it.frame("one"))
        _ = it.pair.clientTold()
        it.pair.server.resetGroup(group, code: .code(26))
        #expect(it.pair.clientTold() == [.groupEnded(IncomingGroupID(stream: group.stream), .reset(.code(26)))])
        #expect(it.group(1) != nil)
    }

    @Test(arguments: Version.allCases)
    func aGroupThatIsStoppedIsGoneAtThePublisher(_ version: Version) throws {
        let it = SubscribedPair(version)
        let group = try #require(it.group(0))
        it.pair.server.writeFrame(group, it.frame("one"))
        _ = it.pair.clientTold()
        let id = IncomingGroupID(stream: group.stream)
        it.pair.client.stopGroup(id, code: .code(25))
        #expect(it.pair.serverTold() == [.groupStopped(group, .code(25))])
        #expect(it.pair.clientTold() == [.groupEnded(id, .cancelled)])
        #expect(!it.pair.server.writeFrame(group, it.frame("two")))
        #expect(!it.pair.server.canWrite(group))
        #expect(it.pair.openPurposes.count == 2)
    }

    @Test func aDropIsReported() {
        let it = SubscribedPair(.lite06)
        it.pair.server.dropGroups(it.incoming, start: 2, end: 5, code: 52)
        #expect(it.pair.clientTold() == [.subscribeDrop(it.subscription, start: 2, end: 5, code: 52)])
    }

    @Test(arguments: Version.allCases)
    func datagramsGoWhereTheVersionHasThem(_ version: Version) {
        let it = SubscribedPair(version)
        let isSent = it.pair.server.sendDatagram(for: it.incoming, sequence: 5, timestamp: 1234, payload: [1, 2])
        #expect(isSent == version.hasDatagrams)
        let event = LiteEvent.datagram(it.subscription, sequence: 5, timestamp: 1234, payload: [1, 2])
        #expect(it.pair.clientTold() == (version.hasDatagrams ? [event] : []))
        #expect(
            !it.pair.server.sendDatagram(
                for: it.incoming, sequence: 6, timestamp: 0, payload: Array(repeating: 0, count: 1200)))
    }

    @Test func prioritiesReachTheTransport() throws {
        let it = SubscribedPair(.lite06)
        let group = try #require(it.group(3))
        #expect(it.pair.serverTransport.priority(of: group.stream) == SendPriority(urgency: 1, sequence: 3))
        it.pair.server.setPriority(SendPriority(urgency: 8), of: group)
        #expect(it.pair.serverTransport.priority(of: group.stream) == SendPriority(urgency: 8))
    }
}

extension LiteEvent {
    /// The arriving group that it is about.
    var group: IncomingGroupID? {
        switch self {
        case .groupOpened(let id, _, _, _), .frame(let id, _, _), .groupEnded(let id, _): id
        default: nil
        }
    }

    var isOnSubscribeStream: Bool {
        switch self {
        case .subscribeAccepted, .subscribeStart, .subscribeEnd, .subscribeDrop, .subscriptionEnded: true
        default: false
        }
    }
}
