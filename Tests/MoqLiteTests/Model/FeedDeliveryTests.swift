import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

/// What a feed does when its reader does not keep up, and how it ends.
struct FeedDeliveryTests {
    @Test func groupsWaitForStreamsAndTheNewestGoesFirst() throws {
        let bench = FeedBench().join()
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
        let bench = FeedBench().join()
        bench.outlet.streams = 1
        let count = FeedLimits.waitingGroups + 5
        for sequence in UInt64(0)..<UInt64(count) { try bench.open(sequence, ["x"]) }
        bench.pump()
        #expect(bench.outlet.log.filter { $0.hasPrefix("drop") }.count == 4)
        #expect(bench.outlet.log.contains("drop 0-0 code 2"))
    }

    @Test func aFullStreamWaitsAndAnExpiredOneIsResetOld() throws {
        let bench = FeedBench().join()
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
        let bench = FeedBench().join()
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
        let bench = FeedBench(bounds: bounds).join()
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
        let bench = FeedBench().join(SubscribeOptions(maxAge: 500))
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
        let bench = FeedBench().join()
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

    @Test func theEndCanWaitForTheDelivery() throws {
        let bench = FeedBench().join()
        bench.feed.tellsEndAfterDelivery = true
        try bench.open(0, ["a"])
        bench.pump()
        bench.store.finish(end: 1)
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0"])
        bench.deliver(0)
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0", "end 1", "finish"])
        #expect(bench.feed.isDone)
    }

    @Test func anOpenGroupHoldsTheFinishBack() throws {
        let bench = FeedBench().join()
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
        let bench = FeedBench(.lite06).join(SubscribeOptions(groupEnd: 4))
        try bench.open(0, ["a"])
        bench.pump()
        bench.store.finish(end: 8, lost: [1...6])
        bench.pump()
        #expect(bench.outlet.log == ["accept", "start 0", "drop 1-4 code 24", "end 8"])
    }

    @Test func olderVersionsHaveNoEndMessage() throws {
        let bench = FeedBench(.lite04).join()
        bench.store.finish(end: 0)
        bench.pump()
        #expect(bench.outlet.log == ["accept", "finish"])
    }

    @Test func aFailedTrackSendsWhatIsWholeAndThenItsCode() throws {
        let bench = FeedBench().join()
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
        let bench = FeedBench().join()
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
        let bench = FeedBench(.lite06)
        for sequence in UInt64(1)..<4 { try bench.open(sequence, ["a", "b", "c"]) }
        bench.join(
            SubscribeOptions(maxAge: 10_000, groupStart: 1, groupEnd: 3, frameStart: 1, frameEnd: 0))
        let byNumber = bench.outlet.sent.sorted { $0.sequence < $1.sequence }
        #expect(byNumber.map(\.frameStart) == [1, 0, 0])
        #expect(byNumber.map(\.payloads.count) == [2, 3, 1])
    }

    @Test func datagramsGoOnWhereTheVersionHasThem() {
        for version in Version.allCases {
            let bench = FeedBench(version).join()
            bench.store.datagram(sequence: 7, timestamp: 1, payload: [1])
            #expect(bench.outlet.datagrams == (version.hasDatagrams ? [7] : []), "\(version)")
        }
    }

    @Test func aSessionThatDoesNotAcknowledgeGetsNoNewGroupsBeyondItsBacklog() throws {
        let backlog = SessionBacklog(limit: 1000)
        let bench = FeedBench().join(backlog: backlog)
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
        let bench = FeedBench(.lite06)
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
        let bench = FeedBench()
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
