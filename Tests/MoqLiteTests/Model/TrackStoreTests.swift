import MoqBase
import MoqTransport
import MoqWire
import Testing

@testable import MoqLite

func instant(_ seconds: Double) -> Instant {
    Instant.origin.advanced(by: .seconds(seconds))
}

func frame(_ text: String, at timestamp: UInt64 = 0) -> Frame {
    Frame(timestamp: timestamp, payload: Array(text.utf8))
}

struct TrackStoreTests {
    private let store = TrackStore(info: TrackInfo(maxAge: 5000))

    @Test func aGroupGivesItsFramesAndThenItsEnd() throws {
        let group = try store.openGroup(0, at: instant(0))
        store.append(frame("a"), to: group, at: instant(0))
        guard case .frame(let first) = group.read(0), case .wait = group.read(1) else {
            Issue.record("an open group gives what it has and then nothing")
            return
        }
        #expect(first.payload == Array("a".utf8))
        store.finishGroup(group, at: instant(0))
        guard case .end = group.read(1) else {
            Issue.record("a finished group ends")
            return
        }
    }

    @Test func aSequenceThatIsThereIsRefused() throws {
        try store.openGroup(3, at: instant(0))
        #expect(throws: TrackStoreError.duplicateGroup(3)) { try store.openGroup(3, at: instant(0)) }
    }

    @Test func aSequenceWhoseFirstCopyWasCutMayComeAgain() throws {
        let first = try store.openGroup(3, at: instant(0))
        store.abortGroup(first, code: .code(7))
        let second = try store.openGroup(3, at: instant(0))
        #expect(store.group(3) === second)
        #expect(store.groups.count == 1)
    }

    @Test func aGroupAtTheDeclaredEndIsRefused() throws {
        store.declareEnd(2)
        try store.openGroup(1, at: instant(0))
        #expect(throws: TrackStoreError.pastEnd(sequence: 2, end: 2)) { try store.openGroup(2, at: instant(0)) }
    }

    @Test func theLatestGroupStaysAndOthersGoWhenTheirTimeIsOver() throws {
        let first = try store.openGroup(0, at: instant(0))
        store.finishGroup(first, at: instant(0))
        store.expire(at: instant(60))
        #expect(store.group(0) != nil)
        // It is old from the moment a newer one came, not before.
        try store.openGroup(1, at: instant(100))
        store.expire(at: instant(104))
        #expect(store.group(0) != nil)
        store.expire(at: instant(105.5))
        #expect(store.group(0) == nil)
        #expect(first.state == .removed(.old))
        store.expire(at: instant(1000))
        #expect(store.group(1) != nil)
    }

    @Test func anOpenGroupThatWasSupersededAlsoGoes() throws {
        let first = try store.openGroup(0, at: instant(0))
        store.append(frame("a"), to: first, at: instant(0))
        try store.openGroup(1, at: instant(1))
        store.expire(at: instant(7))
        #expect(first.state == .removed(.old))
    }

    @Test func aStragglerGoesToo() throws {
        try store.openGroup(5, at: instant(0))
        let late = try store.openGroup(3, at: instant(1))
        #expect(store.latest == 5)
        store.expire(at: instant(6.5))
        #expect(late.state == .removed(.old))
    }

    @Test func aGroupLosesItsBeginningAtItsBound() throws {
        var bounds = TrackBounds()
        bounds.groupBytes = 2000
        let store = TrackStore(info: TrackInfo(), bounds: bounds)
        let group = try store.openGroup(0, at: instant(0))
        for _ in 0..<10 {
            store.append(Frame(timestamp: 0, payload: [UInt8](repeating: 1, count: 500)), to: group, at: instant(0))
        }
        #expect(group.frameCount == 10)
        #expect(group.firstIndex == 7)
        #expect(store.storedBytes == group.storedBytes)
        #expect(store.storedBytes <= 2000)
        guard case .lagged = group.read(6) else {
            Issue.record("what left the window lags")
            return
        }
    }

    @Test func aFrameOverTheBoundIsKeptAlone() throws {
        var bounds = TrackBounds()
        bounds.groupBytes = 100
        let store = TrackStore(info: TrackInfo(), bounds: bounds)
        let group = try store.openGroup(0, at: instant(0))
        store.append(frame("small"), to: group, at: instant(0))
        store.append(Frame(timestamp: 0, payload: [UInt8](repeating: 1, count: 500)), to: group, at: instant(0))
        #expect(group.firstIndex == 1)
        #expect(group.frameCount == 2)
    }

    @Test func theTrackAndTheSharedBudgetAreBounded() throws {
        var bounds = TrackBounds()
        bounds.trackBytes = 3000
        let budget = CacheBudget(limit: 10_000)
        var store: TrackStore? = TrackStore(info: TrackInfo(), bounds: bounds, budget: budget)
        for sequence in UInt64(0)..<6 {
            let group = try #require(try store?.openGroup(sequence, at: instant(0)))
            store?.append(Frame(timestamp: 0, payload: [UInt8](repeating: 1, count: 950)), to: group, at: instant(0))
        }
        #expect(store?.group(0) == nil)
        #expect(store?.group(5) != nil)
        #expect((store?.storedBytes ?? .max) <= 3000)
        #expect(budget.used == store?.storedBytes)
        store = nil
        #expect(budget.used == 0)
    }

    @Test func theNumberOfGroupsIsBounded() throws {
        var bounds = TrackBounds()
        bounds.groups = 4
        let store = TrackStore(info: TrackInfo(), bounds: bounds)
        for sequence in UInt64(0)..<100 { try store.openGroup(sequence, at: instant(0)) }
        #expect(store.groups.map(\.sequence) == [96, 97, 98, 99])
        #expect(store.arrivalRange == 96..<100)
    }

    @Test func whatNeverArrivedIsNamedAndWhatLeftTheCacheIsNot() throws {
        for sequence: UInt64 in [2, 3, 6] { try store.openGroup(sequence, at: instant(0)) }
        store.datagram(sequence: 8, timestamp: 0, payload: [])
        #expect(store.missing(from: 0, to: 10) == [0...1, 4...5, 7...7, 9...9])
        #expect(store.nextSequence == 9)
        store.expire(at: instant(60))
        #expect(store.missing(from: 0, to: 10) == [4...5, 7...7, 9...9])
    }

    @Test func aDatagramAndAGroupMayHaveTheSameNumber() throws {
        store.datagram(sequence: 4, timestamp: 0, payload: [])
        try store.openGroup(4, at: instant(0))
        #expect(store.groups.map(\.sequence) == [4])
        #expect(store.missing(from: 4, to: 6) == [5...5])
        #expect(throws: TrackStoreError.duplicateGroup(4)) { try store.openGroup(4, at: instant(0)) }
    }
}
