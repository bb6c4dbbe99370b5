import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct PolicyTests {
    private func wanted(_ options: SubscribeOptions, isFloor: Bool = false) -> DemandPolicy.Wanted {
        DemandPolicy.Wanted(options: options, isFloor: isFloor)
    }

    @Test func aStartOfAnOlderVersionReachesBackOn06() {
        let merged = DemandPolicy.merge(
            [wanted(SubscribeOptions(groupStart: 4))], for: .lite06, retention: 5000, isUpdate: false)
        #expect(merged == SubscribeOptions(maxAge: 5000, groupStart: 4))
        let floor = DemandPolicy.merge(
            [wanted(SubscribeOptions(groupStart: 4), isFloor: true)], for: .lite06, retention: 5000, isUpdate: false)
        #expect(floor == SubscribeOptions(groupStart: 4))
    }

    @Test func anUpdateNeverSkipsWhatSomebodyWants() {
        let both = [wanted(SubscribeOptions(groupStart: 10)), wanted(SubscribeOptions())]
        #expect(DemandPolicy.merge(both, for: .lite05, retention: 0, isUpdate: true).groupStart == nil)
        #expect(DemandPolicy.merge(both, for: .lite05, retention: 0, isUpdate: false).groupStart == 10)
        #expect(DemandPolicy.merge(both, for: .lite06, retention: 0, isUpdate: false).groupStart == nil)
    }

    /// Up to 04 a publisher cannot say how long it keeps groups.
    @Test func nothingOlderIsAskedForThanThePublisherKeeps() {
        let patient = [wanted(SubscribeOptions(maxAge: 60_000)), wanted(SubscribeOptions(maxAge: 100))]
        #expect(DemandPolicy.merge(patient, for: .lite05, retention: 400, isUpdate: true).maxAge == 400)
        #expect(DemandPolicy.merge(patient, for: .lite05, retention: 90_000, isUpdate: true).maxAge == 60_000)
        #expect(DemandPolicy.merge(patient, for: .lite04, retention: 400, isUpdate: true).maxAge == 60_000)
    }

    @Test func anAbsentStartIsNoReasonForAnUpdateUpTo05() {
        let sent = SubscribeOptions(groupStart: 3)
        #expect(!DemandPolicy.needsUpdate(from: sent, to: SubscribeOptions(), version: .lite05))
        #expect(DemandPolicy.needsUpdate(from: sent, to: SubscribeOptions(), version: .lite06))
        #expect(
            DemandPolicy.needsUpdate(from: sent, to: SubscribeOptions(priority: 1, groupStart: 3), version: .lite05))
    }

    @Test func routesAreComparedByCostHopsAndAge() throws {
        func route(_ cost: UInt64, _ hops: Int) throws -> Route {
            Route(hops: try HopList((0..<hops).map { UInt64($0) + 1 }), cost: RouteCost(warm: cost, cold: 0))
        }
        #expect(RoutePolicy.isBetter((try route(1, 5), 0), (try route(2, 1), 1)))
        #expect(RoutePolicy.isBetter((try route(1, 1), 0), (try route(1, 2), 1)))
        #expect(RoutePolicy.isBetter((try route(1, 1), 2), (try route(1, 1), 1)))
        #expect(!RoutePolicy.isBetter((try route(1, 1), 1), (try route(1, 1), 2)))
        #expect(RoutePolicy.sum(VarInt.maximum, 1) == VarInt.maximum)
        #expect(RoutePolicy.sum(.max, .max) == VarInt.maximum)
    }

    @Test func aListOf32HopsIsShownWhereTheRelayNeedNotBeInIt() throws {
        func route(_ hops: Int) throws -> Route {
            Route(hops: try HopList((0..<hops).map { UInt64($0) + 1 }), cost: RouteCost())
        }
        for version in [Version.lite03, .lite04, .lite05, .lite06] {
            let seesFull = RoutePolicy.isVisible(try route(32), to: version, excluding: 0, isOwnSession: false)
            #expect(seesFull == !version.hopsIncludeSender, "\(version)")
            #expect(RoutePolicy.isVisible(try route(31), to: version, excluding: 0, isOwnSession: false))
        }
    }

    @Test func codesAreOnlyTranslatedWhereTheBindingCouldNotReadThem() {
        #expect(RelayPolicy.passedOn(.code(12345), .first) == .code(12345))
        #expect(RelayPolicy.passedOn(.unmapped(raw: 24), .first) == .code(4))
        #expect(RelayPolicy.passedOn(.unmapped(raw: 24), .second) == .code(0))
        #expect(RelayPolicy.passedOn(.unmapped(raw: 0), .second) == .code(1))
    }

    @Test func aPathTreeFindsBelowAndAlongInTheOrderOfPaths() {
        let tree = PathTree<Int>()
        for (index, text) in ["b", "a/b/c", "a", "a/b", "ab", ""].enumerated() {
            tree[BroadcastPath(test: text)] = index
        }
        #expect(tree.values(under: BroadcastPath(test: "a")) == [2, 3, 1])
        #expect(tree.values(under: .empty) == [5, 2, 3, 1, 4, 0])
        #expect(tree.values(along: BroadcastPath(test: "a/b/x")) == [5, 2, 3])
        #expect(tree.count == 6)
        for text in ["b", "a", "a/b/c", "", "ab"] { tree[BroadcastPath(test: text)] = nil }
        #expect(tree.count == 1)
        #expect(tree.values(under: .empty) == [3])
        tree[BroadcastPath(test: "a/b")] = nil
        tree[BroadcastPath(test: "never/there")] = nil
        #expect(tree.values(along: BroadcastPath(test: "a/b")).isEmpty)
    }

    @Test func timersComeInOrderAndOnlyOnceForEachMember() {
        final class Member: Timed {
            var queuedFor: Instant?
            func due(at now: Instant) {}
        }
        var queue = TimerQueue()
        let first = Member()
        let second = Member()
        var third: Member? = Member()
        queue.schedule(first, at: Instant(nanoseconds: 30))
        queue.schedule(second, at: Instant(nanoseconds: 20))
        queue.schedule(first, at: Instant(nanoseconds: 10))
        queue.schedule(first, at: Instant(nanoseconds: 40))
        if let third { queue.schedule(third, at: Instant(nanoseconds: 5)) }
        third = nil
        #expect(queue.next == Instant(nanoseconds: 10))
        #expect(queue.popDue(at: Instant(nanoseconds: 9)) == nil)
        #expect(queue.popDue(at: Instant(nanoseconds: 50)) === first)
        #expect(queue.popDue(at: Instant(nanoseconds: 50)) === second)
        #expect(queue.popDue(at: Instant(nanoseconds: 50)) == nil)
        #expect(queue.next == nil)
    }
}
