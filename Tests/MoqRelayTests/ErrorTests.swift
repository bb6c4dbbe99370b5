import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct ErrorTests {
    /// Numbers of both tables, reserved ones, ones that nobody has registered, and the application's.
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 4, 5, 13, 18, 24, 25, 26, 30, 31, 32, 47, 51, 54, 63, 64, 71, 500, 70_000,
    ]

    private func code(_ condition: ErrorCondition, _ generation: CodeGeneration) -> StreamEnd {
        .reset(.code(CodeTable.numberToSend(for: condition, in: generation, on: .reset)))
    }

    @Test(arguments: Pair.all)
    func refusalsAndResetsAndCutsPassUnchanged(_ pair: Pair) throws {
        let world = World()
        let publisher = world.connect(pair.publisher)
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect(pair.subscriber)
        for number in Self.numbers {
            publisher.publication.answer = { _ in .refuse(.code(number)) }
            let refused = viewer.subscribe("x", "refused")
            world.settle()
            #expect(viewer[refused].ended == .reset(.code(number)), "refused with \(number)")

            publisher.publication.answer = nil
            let track = TrackName("video\(number)")
            let store = publisher.publication.addTrack(track, of: world.path("x"))
            let id = viewer.subscribe("x", track)
            world.settle()
            let group = try publisher.write(store, 0, ["a"], finished: false, at: world.now)
            world.settle()
            store.abortGroup(group, code: .code(number))
            world.settle()
            #expect(viewer[id].groups.map(\.end) == [.reset(.code(number))], "cut with \(number)")
            #expect(viewer[id].ended == nil)
            try publisher.write(store, 1, ["b"], at: world.now)
            world.settle()
            #expect(viewer[id].whole == [1])
            store.abort(.code(number))
            world.settle()
            #expect(viewer[id].ended == .reset(.code(number)), "failed with \(number)")
        }
    }

    @Test(arguments: CodeGeneration.allCases)
    func nobodysPathIsUnroutable(_ generation: CodeGeneration) {
        let world = World(generation: generation)
        for version in Version.allCases {
            let viewer = world.connect(version)
            let id = viewer.subscribe("nowhere", "video")
            world.settle()
            #expect(viewer[id].ended == code(.unroutable, generation), "\(version)")
            if version.hasTrackStream {
                let question = viewer.lite.requestTrack(broadcast: world.path("nowhere"), track: "video")
                let fetch = viewer.lite.fetch(Fetch(broadcast: world.path("nowhere"), track: "video", group: 0))
                world.settle()
                #expect(viewer.trackEnds[question] == code(.unroutable, generation))
                #expect(viewer.fetches[fetch]?.end == code(.unroutable, generation))
            }
        }
        #expect(CodeTable.numberToSend(for: .unroutable, in: .first, on: .reset) == 30)
        #expect(CodeTable.numberToSend(for: .unroutable, in: .second, on: .reset) == 54)
    }

    @Test(arguments: CodeGeneration.allCases)
    func anUnknownTrackIsWhatThePublisherSays(_ generation: CodeGeneration) {
        for pair in Pair.all {
            let world = World(generation: generation)
            let publisher = world.connect(pair.publisher)
            publisher.publication.announce(world.path("x"))
            let viewer = world.connect(pair.subscriber)
            let id = viewer.subscribe("x", "nope")
            world.settle()
            #expect(viewer[id].ended == code(.notFound, generation), "\(pair)")
            #expect(world.core.snapshot().tracks == 0)
        }
    }

    @Test(arguments: CodeGeneration.allCases)
    func aLostPublisherDropsItsTracksAndOpenGroups(_ generation: CodeGeneration) throws {
        for pair in Pair.all {
            let world = World(generation: generation)
            let publisher = world.connect(pair.publisher)
            let store = publisher.publication.addTrack("video", of: world.path("x"))
            publisher.publication.announce(world.path("x"))
            let viewer = world.connect(pair.subscriber)
            viewer.lite.requestAnnouncements(prefix: .empty)
            let id = viewer.subscribe("x", "video")
            world.settle()
            try publisher.write(store, 0, ["a"], at: world.now)
            world.settle()
            try publisher.write(store, 1, ["b"], finished: false, at: world.now)
            world.settle()
            publisher.lite.close(code: 7, reason: "")
            world.settle()
            #expect(viewer[id].ended == code(.dropped, generation), "\(pair)")
            #expect(viewer[id].groups.map(\.end) == [.finished, code(.dropped, generation)], "\(pair)")
            #expect(viewer.announcements == ["+x", "-x"])
            #expect(viewer.closed == nil)
        }
    }

    @Test func aWithdrawnBroadcastEndsItsSubscriptionsInTheFirstGenerationOnly() throws {
        for generation in CodeGeneration.allCases {
            let world = World(generation: generation)
            let publisher = world.connect()
            let store = publisher.publication.addTrack("video", of: world.path("x"))
            publisher.publication.announce(world.path("x"))
            let viewer = world.connect()
            let id = viewer.subscribe("x", "video")
            world.settle()
            publisher.publication.unannounce(world.path("x"))
            world.settle()
            let late = viewer.subscribe("x", "video")
            world.settle()
            #expect(viewer[late].ended == code(.unroutable, generation))
            if generation == .first {
                #expect(viewer[id].ended == code(.dropped, generation))
            } else {
                try publisher.write(store, 0, ["a"], at: world.now)
                store.finish(end: 1)
                world.settle()
                #expect(viewer[id].whole == [0])
                #expect(viewer[id].ended == .finished)
            }
            world.advance(6)
            #expect(world.core.snapshot().tracks == 0)
            #expect(world.core.detached.isEmpty)
        }
    }

    @Test func aTrackOfAWithdrawnBroadcastGoesWithItsLastViewer() throws {
        let world = World(generation: .second)
        let publisher = world.connect()
        let store = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect()
        let id = viewer.subscribe("x", "video")
        try publisher.write(store, 0, ["a"], at: world.now)
        world.settle()
        publisher.publication.unannounce(world.path("x"))
        world.settle()
        #expect(world.core.snapshot().tracks == 1)
        viewer.lite.unsubscribe(id)
        world.settle()
        #expect(world.core.snapshot().tracks == 0, "nobody can ask for it any more")
        #expect(world.core.detached.isEmpty)
    }

    @Test func aPublisherThatNeverAnswersIsGivenUpAndAViewerCanLeaveBefore() {
        for version in Version.allCases {
            let world = World()
            let publisher = world.connect(version)
            publisher.publication.answer = { _ in .hold }
            publisher.publication.announce(world.path("x"))
            let viewer = world.connect(version)
            let patient = viewer.subscribe("x", "patient")
            let hasty = viewer.subscribe("x", "hasty")
            world.settle()
            #expect(publisher.publication.held.count == 2)
            viewer.lite.unsubscribe(hasty)
            world.settle()
            #expect(publisher.publication.held.count == 1, "\(version)")
            world.advance(9)
            #expect(viewer[patient].ended == nil)
            world.advance(2)
            #expect(viewer[patient].ended == code(.controlTimeout, .second), "\(version)")
            #expect(publisher.publication.held.isEmpty, "\(version)")
        }
    }

    @Test func aGroupThatComesTwiceOrPastTheEndIsStoppedAndDisturbsNobody() throws {
        let world = World(generation: .first)
        let publisher = world.connect(.lite05)
        publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect(.lite05)
        let id = viewer.subscribe("x", "video")
        world.settle()
        let asked = try #require(publisher.asked.keys.first)
        for sequence: UInt64 in [0, 0, 1] {
            let group = try #require(
                publisher.lite.openGroup(for: asked, sequence: sequence, priority: SendPriority(urgency: 0)))
            publisher.lite.writeFrame(group, Frame(timestamp: 0, payload: [UInt8(ascii: "a")]))
            publisher.lite.finishGroup(group)
            world.settle()
        }
        publisher.lite.endSubscription(asked, group: 2)
        world.settle()
        let past = try #require(
            publisher.lite.openGroup(for: asked, sequence: 2, priority: SendPriority(urgency: 0)))
        publisher.lite.writeFrame(past, Frame(timestamp: 0, payload: [1]))
        world.settle()
        // This publisher never says where it starts.
        world.advance(0.2)
        #expect(viewer[id].whole.sorted() == [0, 1])
        #expect(viewer[id].groups.count == 2)
        #expect(publisher.stops.last == .code(25))
        #expect(viewer[id].ended == nil)
    }

    @Test func aPublisherThatNeverSaysWhereItStartsIsServedAfterAMoment() throws {
        let world = World()
        let publisher = world.connect(.lite05)
        publisher.publication.answer = { request in
            if case .subscribe = request { .hold } else { .serve }
        }
        publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect(.lite05)
        let id = viewer.subscribe("x", "video")
        world.settle()
        let asked = try #require(publisher.asked.keys.first)
        let group = try #require(publisher.lite.openGroup(for: asked, sequence: 4, priority: SendPriority(urgency: 0)))
        publisher.lite.writeFrame(group, Frame(timestamp: 0, payload: [UInt8(ascii: "a")]))
        publisher.lite.finishGroup(group)
        world.settle()
        #expect(viewer[id].groups.isEmpty)
        world.advance(0.2)
        #expect(viewer[id].whole == [4])
        #expect(viewer[id].start == 4)
    }
}
