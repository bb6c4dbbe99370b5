import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct LoadTests {
    @Test func aReaderThatStopsIsToldAndDoesNotSlowTheOthers() throws {
        let world = World(generation: .first) { $0.limits.track.groupBytes = 256 << 10 }
        let publisher = world.connect()
        let store = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        var small = InMemoryLimits()
        small.streamWindow = 16 << 10
        let slow = world.connect(.lite05, limits: small)
        let quick = world.connect()
        let slowID = slow.subscribe("x", "video")
        let quickID = quick.subscribe("x", "video")
        world.settle()
        slow.lite.pauseReading()
        let group = try store.openGroup(0, at: world.now)
        for _ in 0..<400 {
            store.append(Frame(timestamp: 0, payload: [UInt8](repeating: 7, count: 4096)), to: group, at: world.now)
            world.settle()
        }
        store.finishGroup(group, at: world.now)
        world.settle()
        #expect(quick[quickID].groups.first?.texts.count == 400)
        #expect(quick[quickID].whole == [0])
        #expect(world.core.budget.used <= 256 << 10)
        slow.lite.resumeReading()
        world.settle()
        #expect(slow[slowID].groups.first?.end == .reset(.code(26)))
        #expect(slow[slowID].ended == nil)
        try publisher.write(store, 1, ["next"], at: world.now)
        world.settle()
        #expect(slow[slowID].groups.last?.texts == ["next"])
    }

    @Test func groupsThatAStoppedReaderHasNotTakenAreResetOld() throws {
        let world = World(generation: .first)
        let publisher = world.connect()
        let store = publisher.publication.addTrack("video", of: world.path("x"), info: TrackInfo(maxAge: 1000))
        publisher.publication.announce(world.path("x"))
        var small = InMemoryLimits()
        small.streamWindow = 1024
        let slow = world.connect(.lite05, limits: small)
        let id = slow.subscribe("x", "video")
        world.settle()
        slow.lite.pauseReading()
        let big = String(repeating: "z", count: 200_000)
        try publisher.write(store, 0, [big, big], at: world.now)
        world.settle()
        try publisher.write(store, 1, ["new"], at: world.now)
        world.settle()
        world.advance(3)
        slow.lite.resumeReading()
        world.settle()
        #expect(slow[id].groups.map(\.end) == [.reset(.code(2)), .finished])
    }

    @Test func streamLimitsAreMetAndRecoveredFromWithTheNewestGroup() throws {
        let world = World()
        let publisher = world.connect()
        let store = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        var few = InMemoryLimits()
        few.unidirectionalStreams = 3
        let viewer = world.connect(.lite05, limits: few)
        let id = viewer.subscribe("x", "video")
        world.settle()
        var open: [CachedGroup] = []
        for sequence in UInt64(0)..<8 {
            open.append(try publisher.write(store, sequence, ["x"], finished: false, at: world.now))
            world.settle()
        }
        // One of the three is the relay's SETUP, which is over by now.
        let first = viewer[id].groups.map(\.sequence)
        #expect(first.count == 3)
        store.finishGroup(open[0], at: world.now)
        world.settle()
        #expect(viewer[id].groups.map(\.sequence) == first + [7])
        for group in open { store.finishGroup(group, at: world.now) }
        world.settle()
        #expect(viewer[id].whole.sorted() == Array(0..<8))
    }

    @Test func thousandsOfGroupsPassInOneSession() throws {
        let world = World()
        let publisher = world.connect()
        let store = publisher.publication.addTrack("video", of: world.path("x"), info: TrackInfo(maxAge: 100))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        world.settle()
        for sequence in UInt64(0)..<8_000 {
            try publisher.write(store, sequence, ["f"], at: world.now)
            world.advance(0.01)
        }
        #expect(viewer[id].whole.count == 8_000)
        #expect(world.core.budget.used < 4096)
        #expect(viewer.lite.openStreamCount < 10)
    }

    @Test func requestsBeyondTheBoundsAreRefused() {
        let world = World {
            $0.limits.subscriptionsPerSession = 2
            $0.limits.tracksPerBroadcast = 3
            $0.limits.watchersPerSession = 1
            $0.limits.sessions = 3
        }
        let publisher = world.connect()
        publisher.publication.answer = { _ in .hold }
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect()
        let ids = ["a", "b", "c"].map { viewer.subscribe("x", TrackName($0)) }
        viewer.lite.requestAnnouncements(prefix: .empty)
        viewer.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        #expect(ids.map { viewer[$0].ended != nil } == [false, false, true])
        #expect(viewer.announcements == ["+x"])
        let other = world.connect()
        let more = ["c", "d"].map { other.subscribe("x", TrackName($0)) }
        world.settle()
        #expect(more.map { other[$0].ended != nil } == [false, true])
        #expect(world.connect().closed != nil)
        #expect(viewer.closed == nil)
    }

    @Test func allTracksTogetherKeepWithinTheBudget() throws {
        let world = World {
            $0.limits.cacheBytes = 100_000
            $0.limits.track.groupBytes = 80_000
        }
        let publisher = world.connect()
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect()
        for name in ["a", "b", "c"] {
            let store = publisher.publication.addTrack(TrackName(name), of: world.path("x"))
            _ = viewer.subscribe("x", TrackName(name))
            world.settle()
            for sequence in UInt64(0)..<20 {
                try publisher.write(store, sequence, [String(repeating: "y", count: 5000)], at: world.now)
                world.settle()
            }
            #expect(world.core.budget.used <= 100_000)
        }
        #expect(world.core.snapshot().cachedBytes == world.core.budget.used)
    }

    @Test func aSeededStormOfViewersAndPublishersLeavesNothing() throws {
        let world = World()
        var random = SeededRandom(seed: 5)
        let steady = world.connect(.lite05)
        let store = steady.publication.addTrack("video", of: world.path("steady"))
        steady.publication.announce(world.path("steady"))
        let survivor = world.connect(.lite06)
        let kept = survivor.subscribe("steady", "video")
        world.settle()
        var others: [Peer] = []
        for step in 0..<300 {
            let version = Version.allCases[Int(random.next() % UInt64(Version.allCases.count))]
            switch random.next() % 5 {
            case 0:
                let peer = world.connect(version)
                let track = peer.publication.addTrack("video", of: world.path("p\(random.next() % 5)"))
                peer.publication.announce(world.path("p\(random.next() % 5)"))
                _ = try? track.openGroup(0, at: world.now)
                others.append(peer)
            case 1, 2:
                let peer = world.connect(version)
                peer.lite.requestAnnouncements(prefix: .empty)
                _ = peer.subscribe("p\(random.next() % 5)", "video")
                _ = peer.subscribe("steady", "video")
                others.append(peer)
            case 3 where !others.isEmpty:
                others.remove(at: Int(random.next() % UInt64(others.count))).lite.close(code: 0, reason: "")
            default:
                if let peer = others.last, let id = peer.subscriptions.keys.min() { peer.lite.unsubscribe(id) }
            }
            try steady.write(store, UInt64(step), ["s"], at: world.now)
            world.advance(0.05)
        }
        #expect(survivor[kept].whole == Array(0..<300))
        for peer in others + [steady, survivor] { peer.lite.close(code: 0, reason: "") }
        world.settle()
        #expect(world.core.snapshot().isEmpty, "\(world.core.snapshot())")
        #expect(world.core.budget.used == 0)
    }

    @Test(arguments: [Version.lite05, .lite06])
    func aWatcherThatDoesNotReadIsToldWhatIsThereInTheEnd(_ version: Version) {
        let world = World()
        let publisher = world.connect()
        var small = InMemoryLimits()
        small.streamWindow = 512
        let viewer = world.connect(version, limits: small)
        viewer.lite.requestAnnouncements(prefix: .empty)
        world.settle()
        viewer.isFrozen = true
        for round in 0..<40 {
            for number in 0..<100 { publisher.publication.announce(world.path("a broadcast with some name/\(number)")) }
            world.settle()
            for number in 0..<100 where round < 39 || number.isMultiple(of: 2) {
                publisher.publication.unannounce(world.path("a broadcast with some name/\(number)"))
            }
            world.settle()
        }
        viewer.isFrozen = false
        world.settle()
        #expect(viewer.routes.count == 50)
        // Some 64 KiB were waiting; the rest of 7,950 changes came to nothing.
        #expect(viewer.announcements.count < 4000)
        #expect(viewer.closed == nil)
    }

    @Test func shutdownClosesEverySessionWithItsCode() throws {
        let world = World()
        let publisher = world.connect()
        publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect()
        _ = viewer.subscribe("x", "video")
        world.settle()
        world.core.shutdown(code: 0, reason: "going away", at: world.now)
        world.settle()
        #expect(publisher.closed?.cause == .application(code: 0))
        #expect(viewer.closed?.reason == "going away")
        #expect(world.core.snapshot().isEmpty)
    }
}
