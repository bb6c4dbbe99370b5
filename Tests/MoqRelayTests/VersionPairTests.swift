import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

/// A publisher of one version and a viewer of another at the same broadcast: a verdict for every feature.
struct VersionPairTests {
    /// What a viewer found.
    private struct Verdicts: Equatable {
        var order: [UInt64] = []
        var frames: [[String]] = []
        var timestamps: [UInt64?] = []
        var cutCode: StreamEnd?
        var lateJoin: [[String]] = []
        var cached: FetchVerdict?
        var upstream: FetchVerdict?
        var end: UInt64?
        var ended: StreamEnd?
    }

    private enum FetchVerdict: Equatable {
        case served([String])
        case ended(StreamEnd?)
    }

    /// What the capabilities of both versions promise.
    private func promised(_ pair: Pair) -> Verdicts {
        let refusal = StreamEnd.reset(RelayPolicy.notFetchable(.second))
        let viewerFetches = pair.subscriber.hasFetch
        return Verdicts(
            order: [0, 1, 2, 3], frames: [["0a", "0b"], ["1a"], ["2a"], ["3a", "3b"]],
            // Up to 04 frames have no timestamps, and the relay's clock stands in: half a second of it.
            timestamps: pair.subscriber.hasFrameTimestamps
                ? (pair.publisher.hasFrameTimestamps ? [1000, 1001] : [500, 500]) : [nil, nil],
            cutCode: .reset(.code(71)), lateJoin: [["3a", "3b"]],
            cached: viewerFetches ? .served(["1a"]) : .ended(.unsupported),
            upstream: viewerFetches
                ? (pair.publisher.hasFetch ? .served(["kept"]) : .ended(refusal)) : .ended(.unsupported),
            end: pair.subscriber.subscribeAnswerIsOK ? nil : 5, ended: .finished)
    }

    private func fetch(_ group: UInt64, _ viewer: Peer, _ world: World) -> FetchVerdict {
        let id = viewer.lite.fetch(Fetch(broadcast: world.path("x"), track: "video", group: group))
        world.settle()
        let found = viewer.fetches[id]
        return found?.end == .finished ? .served(found?.texts ?? []) : .ended(found?.end)
    }

    @Test(arguments: Pair.all)
    func everyFeatureIsAsBothVersionsAllow(_ pair: Pair) throws {
        let world = World()
        world.advance(0.5)
        let publisher = world.connect(pair.publisher)
        let store = publisher.publication.addTrack(
            "video", of: world.path("x"), info: TrackInfo(maxAge: 60_000, timescale: 1000))
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect(pair.subscriber)
        let id = viewer.subscribe("x", "video", SubscribeOptions(maxAge: 60_000))
        world.settle()
        var verdicts = Verdicts()

        for (sequence, texts) in [["0a", "0b"], ["1a"], ["2a"]].enumerated() {
            try publisher.write(store, UInt64(sequence), texts, at: world.now)
            world.settle()
        }
        let open = try publisher.write(store, 3, ["3a", "3b"], finished: false, at: world.now)
        world.settle()
        let late = world.connect(pair.subscriber)
        let second = late.subscribe("x", "video")
        world.settle()
        verdicts.lateJoin = late[second].groups.map(\.texts)
        store.finishGroup(open, at: world.now)
        world.settle()
        verdicts.order = viewer[id].groups.map(\.sequence)
        verdicts.frames = viewer[id].groups.map(\.texts)
        verdicts.timestamps = viewer[id].groups[0].timestamps
        verdicts.cached = fetch(1, viewer, world)

        let cut = try publisher.write(store, 4, ["4a"], finished: false, at: world.now)
        world.settle()
        store.abortGroup(cut, code: .code(71))
        world.settle()
        verdicts.cutCode = viewer[id].groups.last?.end
        store.finish(end: 5)
        world.settle()
        verdicts.end = viewer[id].end
        verdicts.ended = viewer[id].ended
        #expect(viewer.lite.openStreams.filter { $0.purpose.description.contains("subscription") }.isEmpty)

        verdicts.upstream = try fetchOfWhatOnlyThePublisherHas(pair)
        #expect(verdicts == promised(pair))
        #expect(viewer.closed == nil && publisher.closed == nil)
    }

    private func fetchOfWhatOnlyThePublisherHas(_ pair: Pair) throws -> FetchVerdict {
        let world = World()
        let publisher = world.connect(pair.publisher)
        let store = publisher.publication.addTrack("video", of: world.path("x"), info: TrackInfo(maxAge: 60_000))
        publisher.publication.announce(world.path("x"))
        try publisher.write(store, 0, ["kept"], at: world.now)
        try publisher.write(store, 1, ["newest"], at: world.now)
        let viewer = world.connect(pair.subscriber)
        return fetch(0, viewer, world)
    }
}
