import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// GOAWAY in both directions.
struct GoawayTests {
    private static let versions = Version.allCases.filter(\.hasGoaway)

    private func reset(_ condition: ErrorCondition, _ generation: CodeGeneration) -> StreamEnd {
        .reset(.code(CodeTable.numberToSend(for: condition, in: generation, on: .reset)))
    }

    @Test(arguments: versions, CodeGeneration.allCases)
    func aPublisherThatLeavesIsAskedNothingNewByTheSecondGeneration(
        _ version: Version, _ generation: CodeGeneration
    ) throws {
        let world = World(generation: generation)
        let publisher = world.connect(version)
        publisher.publication.announce(world.path("x"))
        let video = publisher.publication.addTrack("video", of: world.path("x"))
        publisher.publication.addTrack("audio", of: world.path("x"))
        let viewer = world.connect(version)
        let running = viewer.subscribe("x", "video")
        world.advance(0.1)
        publisher.lite.goaway(uri: "")
        world.settle()
        try publisher.write(video, 0, ["a"], at: world.now)
        let late = viewer.subscribe("x", "audio")
        world.settle()
        #expect(viewer[running].whole == [0])
        #expect(viewer[running].ended == nil)
        #expect(viewer[late].ended == (generation == .second ? reset(.goingAway, generation) : nil))
        #expect(!publisher.lite.isClosed)
    }

    @Test func anotherSourceServesWhatALeavingOneIsNotAskedFor() throws {
        let world = World()
        let leaving = world.connect(.lite06, hop: 5)
        let staying = world.connect(.lite06, hop: 5)
        for publisher in [leaving, staying] {
            publisher.publication.addTrack("video", of: world.path("x"))
            publisher.publication.announce(world.path("x"))
        }
        world.advance(0.1)
        leaving.lite.goaway(uri: "")
        staying.lite.goaway(uri: "")
        world.settle()
        let viewer = world.connect(.lite06)
        let refused = viewer.subscribe("x", "video")
        world.settle()
        #expect(viewer[refused].ended == reset(.goingAway, .second))
        let third = world.connect(.lite06, hop: 5)
        third.publication.addTrack("video", of: world.path("x"))
        third.publication.announce(world.path("x"))
        world.settle()
        let served = viewer.subscribe("x", "video")
        world.settle()
        #expect(viewer[served].ended == nil)
    }

    @Test func oneThatComesWithSetupEndsTheSession() {
        let world = World()
        let guest = world.connect(.lite06, sendsSetup: false)
        guest.lite.goaway(uri: "")
        world.settle()
        #expect(!guest.lite.isClosed)
        _ = guest.lite.openRawStream(.unidirectional, writing: [1, 1, 0])
        world.settle()
        #expect(guest.lite.closeReason?.cause == .application(code: 0))
        #expect(guest.lite.closeReason?.reason == "going away")
    }

    @Test func aRelayThatGoesSaysSoToThoseWhoCanHearIt() {
        let world = World()
        let peers = Version.allCases.map { world.connect($0) }
        let told = world.core.sendGoaway(at: world.now)
        world.settle()
        #expect(told == Self.versions.count)
        #expect(peers.allSatisfy { !$0.lite.isClosed })
    }
}
