import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// Two sessions of one publisher, and two publishers of one path.
struct SourceTests {
    private func publisher(_ world: World, hop: UInt64, _ version: Version = .lite05) -> (peer: Peer, store: TrackStore)
    {
        let peer = world.connect(version, hop: hop)
        let store = peer.publication.addTrack("video", of: world.path("x"), info: TrackInfo(maxAge: 60_000))
        peer.publication.announce(world.path("x"))
        world.settle()
        return (peer, store)
    }

    @Test(arguments: [Version.lite04, .lite05, .lite06])
    func aSecondSessionOfTheSamePublisherTakesOverWhenTheFirstLeaves(_ version: Version) throws {
        let world = World()
        let first = publisher(world, hop: 50, version)
        let viewer = world.connect(version)
        let id = viewer.subscribe("x", "video")
        world.settle()
        try first.peer.write(first.store, 0, ["first"], at: world.now)
        world.settle()
        let second = publisher(world, hop: 50, version)
        try second.peer.write(second.store, 0, ["first"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0])
        first.peer.lite.close(code: 0, reason: "")
        world.settle()
        try second.peer.write(second.store, 1, ["second"], at: world.now)
        world.settle()
        #expect(viewer[id].groups.map(\.texts) == [["first"], ["second"]])
        #expect(viewer[id].ended == nil)
        #expect(second.peer.askedOpen.count == 1)
    }

    @Test(arguments: [Version.lite03, .lite05, .lite06])
    func aPublisherThatFailsAfterAGroupIsAskedOnceMore(_ version: Version) throws {
        let world = World()
        let only = publisher(world, hop: 50, version)
        let viewer = world.connect(version)
        let id = viewer.subscribe("x", "video")
        world.settle()
        try only.peer.write(only.store, 0, ["a"], at: world.now)
        world.settle()
        for open in only.peer.askedOpen { only.peer.lite.resetSubscription(open, code: .code(71)) }
        world.settle()
        #expect(viewer[id].ended == nil)
        #expect(only.peer.asked.count == 2)
        try only.peer.write(only.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0, 1])
        // Twice without a group between is a refusal.
        for _ in 0..<2 {
            for open in only.peer.askedOpen.sorted().suffix(1) {
                only.peer.lite.resetSubscription(open, code: .code(72))
            }
            world.settle()
        }
        #expect(viewer[id].ended == .reset(.code(72)))
        #expect(only.peer.asked.count == 3)
    }

    @Test(arguments: [Version.lite03, .lite05, .lite06])
    func whoWaitsForALaterGroupTakesNoEarlierOneFromOthers(_ version: Version) throws {
        let world = World()
        let only = publisher(world, hop: 50, version)
        let viewer = world.connect(version)
        let late = viewer.subscribe("x", "video", SubscribeOptions(maxAge: 10_000, groupStart: 2))
        world.settle()
        let all = viewer.subscribe("x", "video", SubscribeOptions(maxAge: 10_000))
        world.settle()
        for sequence in 0..<3 {
            try only.peer.write(only.store, UInt64(sequence), ["a"], at: world.now)
            world.settle()
        }
        #expect(viewer[all].whole == [0, 1, 2])
        #expect(viewer[late].whole == [2])
        #expect(only.peer.asked.count == 1)
    }

    @Test func aPublisherThatEndsShortOfItsEndIsAskedForTheRest() throws {
        let world = World()
        let only = publisher(world, hop: 50)
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        try only.peer.write(only.store, 0, ["a"], at: world.now)
        world.settle()
        for open in only.peer.askedOpen {
            only.peer.lite.endSubscription(open, group: 2)
            only.peer.lite.finishSubscription(open, awaitingDelivery: false)
        }
        world.advance(2)
        #expect(viewer[id].ended == nil)
        #expect(only.peer.asked.count == 2)
        try only.peer.write(only.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0, 1])
    }

    @Test func aFrozenSessionIsPassedByANewOneOfTheSamePublisher() throws {
        let world = World()
        let first = publisher(world, hop: 50)
        let viewer = world.connect()
        viewer.lite.requestAnnouncements(prefix: .empty)
        let id = viewer.subscribe("x", "video")
        world.settle()
        try first.peer.write(first.store, 0, ["a"], at: world.now)
        world.settle()
        first.peer.isFrozen = true
        let second = publisher(world, hop: 50)
        try second.peer.write(second.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].groups.map(\.texts) == [["a"], ["b"]])
        #expect(viewer.announcements == ["+x"])
        #expect(world.core.snapshot().upstreamSubscriptions == 1)
    }

    @Test func aStandbyThatRefusesTheTrackDisturbsNobody() throws {
        let world = World()
        let first = publisher(world, hop: 50)
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        try first.peer.write(first.store, 0, ["a"], at: world.now)
        let second = world.connect(.lite05, hop: 50)
        second.publication.answer = { _ in .refuse(.code(51)) }
        second.publication.announce(world.path("x"))
        world.settle()
        try first.peer.write(first.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0, 1])
        #expect(viewer[id].ended == nil)
        // It is asked what the track is before it is asked for groups, and refuses that.
        #expect(second.asked.isEmpty)
        first.peer.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer[id].ended != nil)
    }

    @Test func aSilentStandbyIsGivenUpWhileTheFirstServes() throws {
        let world = World()
        let first = publisher(world, hop: 50)
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        try first.peer.write(first.store, 0, ["a"], at: world.now)
        let second = publisher(world, hop: 50)
        world.settle()
        #expect(world.core.snapshot().upstreamSubscriptions == 2)
        world.advance(11)
        #expect(world.core.snapshot().upstreamSubscriptions == 1)
        #expect(second.peer.askedOpen.isEmpty)
        try first.peer.write(first.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0, 1])
    }

    @Test func aGroupThatWasCutByTheTakeoverComesAgainWhole() throws {
        let world = World()
        let first = publisher(world, hop: 50)
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        let second = publisher(world, hop: 50)
        try first.peer.write(first.store, 0, ["a"], finished: false, at: world.now)
        world.settle()
        try second.peer.write(second.store, 0, ["a", "b"], at: world.now)
        first.peer.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer[id].whole == [0])
        #expect(viewer[id].groups.last?.texts == ["a", "b"])
        #expect(viewer[id].ended == nil)
    }

    @Test(arguments: Version.allCases)
    func newSubscriptionsGoToTheNewPublisherAndBackToTheOldOne(_ version: Version) throws {
        let world = World()
        let first = publisher(world, hop: 50, version)
        let second = publisher(world, hop: 51, version)
        try first.peer.write(first.store, 0, ["first"], at: world.now)
        try second.peer.write(second.store, 0, ["second"], at: world.now)
        let viewer = world.connect(version)
        let one = viewer.subscribe("x", "video")
        world.settle()
        #expect(viewer[one].groups.map(\.texts) == [["second"]])
        second.peer.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer[one].ended != nil)
        let two = viewer.subscribe("x", "video")
        world.settle()
        #expect(viewer[two].groups.map(\.texts) == [["first"]])
    }

    @Test func aViewerStaysThroughTheLingerOfItsPublisher() throws {
        let world = World { $0.linger = .seconds(5) }
        let first = publisher(world, hop: 50)
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        try first.peer.write(first.store, 0, ["a"], at: world.now)
        world.settle()
        first.peer.lite.close(code: 0, reason: "")
        world.advance(2)
        #expect(viewer[id].ended == nil)
        let back = publisher(world, hop: 50)
        try back.peer.write(back.store, 1, ["b"], at: world.now)
        world.settle()
        #expect(viewer[id].whole == [0, 1])
        back.peer.lite.close(code: 0, reason: "")
        world.advance(6)
        #expect(viewer[id].ended == .reset(.code(0)))
        viewer.lite.close(code: 0, reason: "")
        world.settle()
        #expect(world.core.snapshot().isEmpty)
    }

    @Test func whoIsInAllRoutesCannotSubscribe() {
        let world = World(generation: .first)
        let neighbour = world.connect(.lite06, hop: 77)
        neighbour.publication.announce(world.path("x"))
        world.settle()
        let id = neighbour.subscribe("x", "video")
        world.settle()
        #expect(neighbour[id].ended == .reset(.code(30)))
    }
}
