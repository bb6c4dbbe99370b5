import MoqBase
import Testing

@testable import MoqDrivers

@Suite struct ImpairedLinkTests {
    static let remote = NetworkAddress.loopback(port: 1)

    /// Admits numbered datagrams one a millisecond and gives what came out, and when.
    static func pass(
        _ count: Int, size: Int = 1000, through conditions: LinkConditions, seed: UInt64 = 1,
        every interval: Duration = .milliseconds(1)
    ) -> (link: ImpairedLink, arrivals: [(at: Instant, number: Int)]) {
        var link = ImpairedLink(random: SeededRandom(seed: seed))
        link.change(to: conditions)
        var arrivals: [(at: Instant, number: Int)] = []
        func drain(until limit: Instant) {
            while let due = link.nextDue, due <= limit, let batch = link.release(at: due) {
                arrivals.append((due, Int(batch.bytes[0]) << 8 | Int(batch.bytes[1])))
            }
        }
        var now = Instant.origin
        for number in 0..<count {
            drain(until: now)
            link.admit(DatagramBatch(remote: remote, datagram: PingPong.numbered(number, size: size)), at: now)
            now = now.advanced(by: interval)
        }
        drain(until: .distantFuture)
        return (link, arrivals)
    }

    @Test func delayMovesEverythingByTheSame() {
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(25)
        let (link, arrivals) = Self.pass(50, through: conditions)
        #expect(arrivals.map(\.number) == Array(0..<50))
        let expected: [UInt64] = (0..<50).map { UInt64($0 + 25) * 1_000_000 }
        #expect(arrivals.map(\.at.nanoseconds) == expected)
        #expect(link.statistics.delayed == 50)
    }

    @Test func jitterVariesTheDelayWithinItsBoundAndKeepsTheOrder() {
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(5)
        conditions.jitter = .milliseconds(8)
        let (link, arrivals) = Self.pass(500, through: conditions)
        #expect(arrivals.map(\.number) == Array(0..<500))
        let delays = arrivals.map { $0.at.nanoseconds - UInt64($0.number) * 1_000_000 }
        #expect(delays.allSatisfy { (5_000_000...13_000_000).contains($0) })
        #expect(Set(delays).count > 100)
        #expect(link.statistics.reordered == 0)
    }

    @Test func lossHitsAboutAsOftenAsAskedAndIsCounted() {
        var conditions = LinkConditions()
        conditions.loss = 0.1
        let (link, arrivals) = Self.pass(5000, through: conditions)
        #expect((400...600).contains(link.statistics.lost))
        #expect(arrivals.count == 5000 - Int(link.statistics.lost))
        #expect(link.statistics.passed == UInt64(arrivals.count))
    }

    @Test func copiesAreMadeAboutAsOftenAsAskedAndAreCounted() {
        var conditions = LinkConditions()
        conditions.duplication = 0.1
        let (link, arrivals) = Self.pass(5000, through: conditions)
        #expect((400...600).contains(link.statistics.duplicated))
        #expect(arrivals.count == 5000 + Int(link.statistics.duplicated))
        #expect(link.statistics.reordered == 0)
    }

    @Test func reorderingCountsWhatWasReallyOvertaken() {
        var conditions = LinkConditions()
        conditions.reordering = 0.1
        conditions.delay = .milliseconds(10)
        let (link, arrivals) = Self.pass(5000, through: conditions)
        var highest = -1
        var overtaken = 0
        for arrival in arrivals {
            if arrival.number < highest { overtaken += 1 }
            highest = max(highest, arrival.number)
        }
        #expect((400...600).contains(overtaken))
        #expect(link.statistics.reordered == UInt64(overtaken))
        #expect(arrivals.map(\.number).sorted() == Array(0..<5000))
    }

    @Test func aHeldBackDatagramThatNothingFollowsIsNotReordered() {
        var conditions = LinkConditions()
        conditions.reordering = 1
        let (link, arrivals) = Self.pass(1, through: conditions)
        #expect(arrivals.count == 1)
        #expect(link.statistics.reordered == 0 && link.statistics.delayed == 1)
    }

    @Test func aRateSpacesDatagramsByTheirSize() {
        var conditions = LinkConditions()
        conditions.rate = 1_000_000
        conditions.delay = .milliseconds(2)
        let (_, arrivals) = Self.pass(40, through: conditions, every: .zero)
        let expected: [UInt64] = (0..<40).map { UInt64($0 + 3) * 1_000_000 }
        #expect(arrivals.map(\.at.nanoseconds) == expected)
    }

    @Test func moreThanTheRateTakesIsDroppedAtTheTail() {
        var conditions = LinkConditions()
        conditions.rate = 1_000_000
        let (link, arrivals) = Self.pass(2000, through: conditions, every: .zero)
        // Half a second of backlog at 1 ms each, and the one that crosses the mark.
        #expect(arrivals.map(\.number) == Array(0...500))
        #expect(link.statistics.overflowed == 2000 - 501)
    }

    @Test func aSlowRateStillHoldsASmallBuffer() {
        var conditions = LinkConditions()
        conditions.rate = 10_000
        let (_, arrivals) = Self.pass(200, through: conditions, every: .zero)
        #expect(arrivals.count == 65 + 1)
    }

    @Test func theQueueIsBounded() {
        var conditions = LinkConditions()
        conditions.delay = .seconds(60)
        let (link, arrivals) = Self.pass(ImpairedLink.queueLimit + 10, size: 2, through: conditions, every: .zero)
        #expect(arrivals.count == ImpairedLink.queueLimit)
        #expect(link.statistics.overflowed == 10)
    }

    @Test func aCutTakesWhatIsUnderWayAndWhatFollows() {
        var link = ImpairedLink(random: SeededRandom(seed: 1))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(10)
        link.change(to: conditions)
        let batch = DatagramBatch(remote: Self.remote, bytes: [UInt8](repeating: 0, count: 30), segmentSize: 10)
        link.admit(batch, at: .origin)
        conditions.isCut = true
        link.change(to: conditions)
        link.admit(batch, at: .origin)
        #expect(link.nextDue == nil)
        #expect(link.statistics.cut == 6)
        link.change(to: .perfect)
        #expect(link.isTransparent)
    }

    @Test func aBatchStaysWholeWhenAllItsDatagramsMeetTheSameFate() {
        var link = ImpairedLink(random: SeededRandom(seed: 1))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(10)
        link.change(to: conditions)
        let batch = DatagramBatch(remote: Self.remote, bytes: [UInt8](repeating: 0, count: 35), segmentSize: 10)
        link.admit(batch, at: .origin)
        #expect(link.release(at: .origin) == nil)
        let released = link.release(at: Instant(nanoseconds: 10_000_000))
        #expect(released?.bytes.count == 35)
        #expect(link.statistics.passed == 4)
    }

    @Test func whatFollowsAShorterDelayDoesNotOvertake() {
        var link = ImpairedLink(random: SeededRandom(seed: 1))
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(10)
        link.change(to: conditions)
        link.admit(DatagramBatch(remote: Self.remote, datagram: [1]), at: .origin)
        link.change(to: .perfect)
        #expect(!link.isTransparent)
        link.admit(DatagramBatch(remote: Self.remote, datagram: [2]), at: .origin)
        let due = Instant(nanoseconds: 10_000_000)
        #expect(link.release(at: due)?.bytes == [1])
        #expect(link.release(at: due)?.bytes == [2])
    }

    @Test func everyDatagramIsAccountedForUnderEverythingAtOnce() {
        var conditions = LinkConditions()
        conditions.delay = .milliseconds(3)
        conditions.jitter = .milliseconds(2)
        conditions.loss = 0.05
        conditions.duplication = 0.05
        conditions.reordering = 0.05
        conditions.rate = 800_000
        let (link, arrivals) = Self.pass(6000, through: conditions)
        let statistics = link.statistics
        #expect(statistics.passed == UInt64(arrivals.count))
        let gone = statistics.lost + statistics.cut + statistics.overflowed
        #expect(6000 + statistics.duplicated == statistics.passed + gone)
        #expect(statistics.overflowed > 0)
    }

    @Test func theSameSeedGivesTheSameFatesAndAnotherOthers() {
        var conditions = LinkConditions()
        conditions.loss = 0.1
        conditions.jitter = .milliseconds(5)
        conditions.reordering = 0.1
        let trace = { (seed: UInt64) in
            Self.pass(300, through: conditions, seed: seed).arrivals.map { "\($0.at) \($0.number)" }
        }
        #expect(trace(7) == trace(7))
        #expect(trace(7) != trace(8))
    }
}
