import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

struct SubscriptionFeedTests {
    @Test(arguments: Version.allCases)
    func aLateSubscriberBeginsWithTheNewestGroupFromItsFirstFrame(_ version: Version) throws {
        let bench = FeedBench(version)
        try bench.open(4, ["old"])
        try bench.open(5, ["a", "b"], finished: false)
        bench.join()
        #expect(bench.outlet.sent.map(\.sequence) == [5])
        #expect(bench.outlet.sent.first?.payloads == [Array("a".utf8), Array("b".utf8)])
        #expect(bench.outlet.log == (version <= .lite04 ? ["accept"] : ["accept", "start 5"]))
    }

    @Test(arguments: Version.allCases)
    func aLateSubscriberGetsNothingElseThatIsKeptHoweverLateItArrived(_ version: Version) throws {
        let bench = FeedBench(version)
        try bench.open(5, ["newest"])
        try bench.open(4, ["late"])
        bench.join()
        #expect(bench.outlet.opened == [5])
    }

    @Test func anExplicitStartGetsWhatIsKeptFromThere() throws {
        let bench = FeedBench()
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
            let bench = FeedBench(.lite06)
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
        let bench = FeedBench().join()
        try bench.open(0, ["a"])
        try bench.open(1, ["b"])
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1])
        #expect(bench.outlet.log == ["accept", "start 0"])
    }

    @Test func theFirstGroupIsTheOneThatThePublisherNamed() throws {
        let bench = FeedBench().join()
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
            let bench = FeedBench(version)
            try bench.open(5, ["a"])
            bench.join()
            try bench.open(4, ["late"])
            bench.pump()
            #expect(bench.outlet.opened == (version.subscribeAnswerIsOK ? [5, 4] : [5]), "\(version)")
        }
    }

    @Test func groupsPastTheEndWaitUntilItIsRaised() throws {
        let bench = FeedBench().join(SubscribeOptions(groupEnd: 1))
        for sequence in UInt64(0)..<4 { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1])
        #expect(!bench.feed.isDone)
        bench.feed.update(SubscribeOptions(groupEnd: 2))
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [0, 1, 2])
    }

    @Test func aRaisedStartSkipsWhatLiesBelow() throws {
        let bench = FeedBench().join()
        bench.feed.update(SubscribeOptions(groupStart: 3))
        for sequence in UInt64(0)..<5 { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.opened.sorted() == [3, 4])
    }

    @Test func aNewPriorityReachesGroupsThatAreOpen() throws {
        let bench = FeedBench().join(SubscribeOptions(priority: 1))
        try bench.open(0, ["x"], finished: false)
        bench.pump()
        bench.feed.update(SubscribeOptions(priority: 9))
        let id = try #require(bench.outlet.id(of: 0))
        #expect(bench.outlet.priorities[id]?.urgency == 9)
    }

    @Test func orderedMeansOldestFirst() throws {
        for ordered in [false, true] {
            let bench = FeedBench()
            for sequence in UInt64(0)..<3 { try bench.open(sequence, ["x"]) }
            bench.join(SubscribeOptions(ordered: ordered, groupStart: 0))
            #expect(bench.outlet.opened == (ordered ? [0, 1, 2] : [2, 1, 0]))
        }
    }

    @Test func framesFollowAsTheyComeAndTheGroupEndsWithItsProducers() throws {
        let bench = FeedBench().join()
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
        let bench = FeedBench().join()
        try bench.open(0, [])
        bench.pump()
        #expect(bench.outlet.sent == [RecordingOutlet.Group(sequence: 0, frameStart: 0, end: .finished)])
    }

    @Test func aCutGroupIsCutAtOnceWithTheSameCodeAndTheSubscriptionGoesOn() throws {
        let bench = FeedBench().join()
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
}
