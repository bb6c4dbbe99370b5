import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

/// A store, a recording session and one feed between them.
private final class Bench {
    let store: TrackStore
    let outlet: RecordingOutlet
    var now = instant(0)
    private(set) var feed: SubscriptionFeed!

    init(_ version: Version = .lite05, maxAge: UInt64 = 5000, bounds: TrackBounds = TrackBounds()) {
        store = TrackStore(info: TrackInfo(maxAge: maxAge), bounds: bounds)
        outlet = RecordingOutlet(version)
    }

    @discardableResult
    func join(
        _ options: SubscribeOptions = SubscribeOptions(), generation: CodeGeneration = .first,
        backlog: SessionBacklog? = nil
    ) -> Bench {
        feed = SubscriptionFeed(
            outlet: outlet, subscription: IncomingSubscriptionID(stream: StreamID(rawValue: 0)), options: options,
            store: store, generation: generation, backlog: backlog, at: now)
        feed.accept()
        feed.pump(at: now)
        return self
    }

    @discardableResult
    func open(_ sequence: UInt64, _ frames: [String] = [], finished: Bool = true) throws -> CachedGroup {
        let group = try store.openGroup(sequence, at: now)
        for text in frames { store.append(frame(text), to: group, at: now) }
        if finished { store.finishGroup(group, at: now) }
        return group
    }

    func pump() {
        feed.pump(at: now)
    }

    func deliver(_ sequence: UInt64) {
        if let id = outlet.id(of: sequence) { feed.groupDelivered(id) }
    }
}

struct SubscriptionFeedTests {
    @Test(arguments: Version.allCases)
    func aLateSubscriberBeginsWithTheNewestGroupFromItsFirstFrame(_ version: Version) throws {
        let bench = Bench(version)
        try bench.open(4, ["old"])
        try bench.open(5, ["a", "b"], finished: false)
        bench.join()
        #expect(bench.outlet.sent.map(\.sequence) == [5])
        #expect(bench.outlet.sent.first?.payloads == [Array("a".utf8), Array("b".utf8)])
        #expect(bench.outlet.log == (version <= .lite04 ? ["accept"] : ["accept", "start 5"]))
    }

    @Test(arguments: Version.allCases)
    func aLateSubscriberGetsNothingElseThatIsKeptHoweverLateItArrived(_ version: Version) throws {
        let bench = Bench(version)
        try bench.open(5, ["newest"])
        try bench.open(4, ["late"])
        bench.join()
        #expect(bench.outlet.opened == [5])
    }

    @Test func anExplicitStartGetsWhatIsKeptFromThere() throws {
        let bench = Bench()
        for sequence in UInt64(0)..<5 { try bench.open(sequence, ["x"]) }
        bench.join(SubscribeOptions(groupStart: 2))
        #expect(bench.outlet.log.contains("start 2"))
        #expect(bench.outlet.opened.sorted() == [2, 3, 4])
        // The newest goes out first.
        #expect(bench.outlet.opened.first == 4)
    }

    @Test func on06TheAgeDecidesHowFarBackAFloorReaches() throws {
        for (maxAge, floor, expected) in [
            (UInt64(0), UInt64?.none, [UInt64(3)]), (1500, nil, [2, 3]), (10_000, nil, [0, 1, 2, 3]),
            (10_000, 2, [2, 3]), (0, 1, [3]),
        ] {
            let bench = Bench(.lite06)
            for sequence in UInt64(0)..<4 {
                try bench.open(sequence, ["x"])
                bench.now = bench.now.advanced(by: .seconds(1))
            }
            bench.join(SubscribeOptions(maxAge: maxAge, groupStart: floor))
            #expect(bench.outlet.opened.sorted() == expected, "age \(maxAge), floor \(String(describing: floor))")
            #expect(bench.outlet.log.contains("start \(expected[0])"))
        }
    }

    @Test func aSubscriberThatWasThereFirstGetsEverythingAlsoWhatArrivesTogether() throws {
        let bench = Bench().join()
        try bench.open(0, ["a"])
        try bench.open(1, ["b"])
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1])
        #expect(bench.outlet.log == ["accept", "start 0"])
    }

    @Test func theFirstGroupIsTheOneThatThePublisherNamed() throws {
        let bench = Bench().join()
        bench.store.holdsArrivals = true
        try bench.open(2, ["c"])
        bench.pump()
        #expect(bench.outlet.opened.isEmpty)
        bench.store.resolvedStart = 0
        bench.store.holdsArrivals = false
        bench.pump()
        try bench.open(1, ["b"])
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0"])
        #expect(bench.outlet.opened == [2, 1])
    }

    @Test func stragglersBelowTheStartAreLeftOutWhereTheStartWasTold() throws {
        for version in Version.allCases {
            let bench = Bench(version)
            try bench.open(5, ["a"])
            bench.join()
            try bench.open(4, ["late"])
            bench.pump()
            #expect(bench.outlet.opened == (version.subscribeAnswerIsOK ? [5, 4] : [5]), "\(version)")
        }
    }

    @Test func groupsPastTheEndWaitUntilItIsRaised() throws {
        let bench = Bench().join(SubscribeOptions(groupEnd: 1))
        for sequence in UInt64(0)..<4 { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1])
        #expect(!bench.feed.isDone)
        bench.feed.update(SubscribeOptions(groupEnd: 2))
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1, 2])
    }

    @Test func aRaisedStartSkipsWhatLiesBelow() throws {
        let bench = Bench().join()
        bench.feed.update(SubscribeOptions(groupStart: 3))
        for sequence in UInt64(0)..<5 { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [3, 4])
    }

    @Test func aNewPriorityReachesGroupsThatAreOpen() throws {
        let bench = Bench().join(SubscribeOptions(priority: 1))
        try bench.open(0, ["x"], finished: false)
        bench.pump()
        bench.feed.update(SubscribeOptions(priority: 9))
        let id = try #require(bench.outlet.id(of: 0))
        #expect(bench.outlet.priorities[id]?.urgency == 9)
    }

    @Test func orderedMeansOldestFirst() throws {
        for ordered in [false, true] {
            let bench = Bench()
            for sequence in UInt64(0)..<3 { try bench.open(sequence, ["x"]) }
            bench.join(SubscribeOptions(ordered: ordered, groupStart: 0))
            #expect(bench.outlet.opened == (ordered ? [0, 1, 2] : [2, 1, 0]))
        }
    }

    @Test func framesFollowAsTheyComeAndTheGroupEndsWithItsProducers() throws {
        let bench = Bench().join()
        let group = try bench.open(0, finished: false)
        bench.pump()
        // Nothing has happened in it yet, so there is no stream.
        #expect(bench.outlet.sent.isEmpty)
        bench.store.append(frame("a"), to: group, at: bench.now)
        bench.pump()
        bench.store.append(frame("b"), to: group, at: bench.now)
        bench.pump()
        #expect(bench.outlet.sent.first?.payloads.count == 2)
        #expect(bench.outlet.sent.first?.end == .open)
        bench.store.finishGroup(group, at: bench.now)
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .finished)
    }

    @Test func anEmptyGroupIsPassedOn() throws {
        let bench = Bench().join()
        try bench.open(0, [])
        bench.pump()
        #expect(bench.outlet.sent == [RecordingOutlet.Group(sequence: 0, frameStart: 0, end: .finished)])
    }

    @Test func aCutGroupIsCutAtOnceWithTheSameCodeAndTheSubscriptionGoesOn() throws {
        let bench = Bench().join()
        let group = try bench.open(0, ["a"], finished: false)
        bench.pump()
        bench.store.abortGroup(group, code: .code(71))
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .reset(.code(71)))
        try bench.open(1, ["b"])
        bench.pump()
        #expect(bench.outlet.sent.last?.end == .finished)
        #expect(!bench.feed.isDone)
    }

    @Test func groupsWaitForStreamsAndTheNewestGoesFirst() throws {
        let bench = Bench().join()
        bench.outlet.streams = 1
        for sequence in UInt64(0)..<4 {
            try bench.open(sequence, ["x"])
            bench.pump()
        }
        #expect(bench.outlet.opened == [0])
        #expect(bench.feed.awaitsStream)
        bench.outlet.streams = 2
        bench.pump()
        #expect(bench.outlet.opened == [0, 3, 2])
    }

    @Test func aReaderTooFarBehindLosesTheOldestGroupsAndIsTold() throws {
        let bench = Bench().join()
        bench.outlet.streams = 1
        let count = FeedLimits.waitingGroups + 5
        for sequence in UInt64(0)..<UInt64(count) { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.log.filter { $0.hasPrefix("drop") }.count == 4)
        #expect(bench.outlet.log.contains("drop 0-0 code 2"))
    }

    @Test func aFullStreamWaitsAndAnExpiredOneIsResetOld() throws {
        let bench = Bench().join()
        bench.outlet.room = 1
        try bench.open(0, ["a", "b"])
        bench.pump()
        #expect(bench.outlet.sent.first?.payloads.count == 1)
        bench.now = instant(1)
        try bench.open(1, ["c"])
        bench.now = instant(7)
        bench.store.expire(at: bench.now)
        bench.pump()
        #expect(bench.outlet.sent.map(\.end) == [.reset(.code(2)), .finished])
    }

    @Test func aFullStreamGoesOnWhereItStoppedOnceThereIsRoom() throws {
        let bench = Bench().join()
        bench.outlet.room = 2
        try bench.open(0, ["a", "b", "c", "d", "e"])
        bench.pump()
        let id = try #require(bench.outlet.id(of: 0))
        for _ in 0..<2 {
            bench.outlet.makeRoom()
            bench.feed.writable(id)
            bench.pump()
        }
        #expect(bench.outlet.sent.first?.payloads == ["a", "b", "c", "d", "e"].map { Array($0.utf8) })
        #expect(bench.outlet.sent.first?.end == .finished)
    }

    @Test func aReaderWhoseFrameLeftTheWindowIsToldThatItLags() throws {
        var bounds = TrackBounds()
        bounds.groupBytes = 1000
        let bench = Bench(bounds: bounds).join()
        bench.outlet.room = 1
        let group = try bench.open(0, finished: false)
        for _ in 0..<10 {
            bench.store.append(
                Frame(timestamp: 0, payload: [UInt8](repeating: 0, count: 300)), to: group, at: bench.now)
            bench.pump()
        }
        bench.outlet.makeRoom()
        bench.feed.writable(try #require(bench.outlet.id(of: 0)))
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .reset(.code(26)))
        #expect(!bench.feed.isDone)
    }

    @Test func theAgeThatAReaderAskedForCutsWhatItDoesNotTake() throws {
        let bench = Bench().join(SubscribeOptions(maxAge: 500))
        bench.outlet.room = 1
        try bench.open(0, ["a", "b"])
        bench.pump()
        bench.now = instant(1)
        try bench.open(1, ["c"])
        bench.pump()
        bench.now = instant(1.4)
        try bench.open(2, ["d"])
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .open)
        bench.now = instant(1.6)
        try bench.open(3, ["e"])
        bench.pump()
        #expect(bench.outlet.sent.first?.end == .reset(.code(2)))
    }

    @Test func theEndComesBehindTheGroupsAndTheFinishBehindTheirDelivery() throws {
        let bench = Bench().join()
        try bench.open(0, ["a"])
        bench.pump()
        bench.store.finish(end: 1)
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0", "end 1"])
        #expect(!bench.feed.isDone)
        bench.deliver(0)
        bench.pump()
        #expect(bench.outlet.log.last == "finish")
        #expect(bench.feed.isDone)
    }

    @Test func anOpenGroupHoldsTheFinishBack() throws {
        let bench = Bench().join()
        let group = try bench.open(0, ["a"], finished: false)
        bench.store.finish(end: 1)
        bench.pump()
        #expect(!bench.outlet.log.contains("finish"))
        bench.store.finishGroup(group, at: bench.now)
        bench.pump()
        bench.deliver(0)
        bench.pump()
        #expect(bench.outlet.log.last == "finish")
    }

    @Test func lostGroupsAreNamedBeforeTheEnd() throws {
        let bench = Bench(.lite06).join(SubscribeOptions(groupEnd: 4))
        try bench.open(0, ["a"])
        bench.pump()
        bench.store.finish(end: 8, lost: [1...6])
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0", "drop 1-4 code 24", "end 8"])
    }

    @Test func olderVersionsHaveNoEndMessage() throws {
        let bench = Bench(.lite04).join()
        bench.store.finish(end: 0)
        bench.pump()
        #expect(bench.outlet.log == ["accept", "finish"])
    }

    @Test func aFailedTrackSendsWhatIsWholeAndThenItsCode() throws {
        let bench = Bench().join()
        try bench.open(0, ["a"])
        try bench.open(1, ["b"], finished: false)
        bench.store.abort(.code(99))
        bench.pump()
        let whole = bench.outlet.sent.first { $0.sequence == 0 }
        #expect(whole?.end == .finished)
        #expect(bench.outlet.log.last == "reset 99")
        #expect(bench.feed.isDone)
    }

    @Test func aStoppedGroupIsForgottenAndTheSubscriptionGoesOn() throws {
        let bench = Bench().join()
        let group = try bench.open(0, ["a"], finished: false)
        bench.pump()
        bench.feed.groupStopped(try #require(bench.outlet.id(of: 0)))
        bench.store.append(frame("b"), to: group, at: bench.now)
        try bench.open(1, ["c"])
        bench.pump()
        #expect(bench.outlet.sent.map(\.payloads.count) == [1, 1])
        #expect(bench.outlet.sent.map(\.sequence) == [0, 1])
    }

    @Test func framesOutsideTheRangeOf06AreLeftOut() throws {
        let bench = Bench(.lite06)
        for sequence in UInt64(1)..<4 { try bench.open(sequence, ["a", "b", "c"]) }
        bench.join(
            SubscribeOptions(maxAge: 10_000, groupStart: 1, groupEnd: 3, frameStart: 1, frameEnd: 0))
        let byNumber = bench.outlet.sent.sorted { $0.sequence < $1.sequence }
        #expect(byNumber.map(\.frameStart) == [1, 0, 0])
        #expect(byNumber.map(\.payloads.count) == [2, 3, 1])
    }

    @Test func datagramsGoOnWhereTheVersionHasThem() {
        for version in Version.allCases {
            let bench = Bench(version).join()
            bench.store.datagram(sequence: 7, timestamp: 1, payload: [1])
            #expect(bench.outlet.datagrams == (version.hasDatagrams ? [7] : []), "\(version)")
        }
    }

    @Test func aSessionThatDoesNotAcknowledgeGetsNoNewGroupsBeyondItsBacklog() throws {
        let backlog = SessionBacklog(limit: 1000)
        let bench = Bench().join(backlog: backlog)
        for sequence in UInt64(0)..<3 {
            let group = try bench.open(sequence, finished: false)
            bench.store.append(
                Frame(timestamp: 0, payload: [UInt8](repeating: 0, count: 800)), to: group, at: bench.now)
            bench.store.finishGroup(group, at: bench.now)
            bench.pump()
        }
        #expect(bench.outlet.opened == [0, 1])
        bench.deliver(0)
        bench.pump()
        #expect(bench.outlet.opened == [0, 1, 2])
        bench.deliver(1)
        bench.deliver(2)
        #expect(backlog.used == 0)
    }

    @Test func aFetchGivesTheFramesAskedForAlsoWhileTheyCome() throws {
        let bench = Bench(.lite06)
        let group = try bench.open(0, ["a", "b"], finished: false)
        let feed = FetchFeed(
            outlet: bench.outlet, fetch: IncomingFetchID(stream: StreamID(rawValue: 4)), group: group, frameStart: 1,
            frameEnd: 2, generation: .second)
        feed.pump()
        #expect(bench.outlet.fetched.count == 1)
        bench.store.append(frame("c"), to: group, at: bench.now)
        bench.store.append(frame("d"), to: group, at: bench.now)
        feed.pump()
        #expect(bench.outlet.fetched == [Array("b".utf8), Array("c".utf8)])
        #expect(bench.outlet.log == ["fetch finish"])
        #expect(feed.isDone)
    }

    @Test func aFetchOfAGroupThatIsCutEndsWithItsCode() throws {
        let bench = Bench()
        let group = try bench.open(0, ["a"], finished: false)
        let feed = FetchFeed(
            outlet: bench.outlet, fetch: IncomingFetchID(stream: StreamID(rawValue: 4)), group: group,
            generation: .second)
        feed.pump()
        bench.store.abortGroup(group, code: .code(500))
        feed.pump()
        #expect(bench.outlet.log == ["fetch refuse 500"])
    }
}
