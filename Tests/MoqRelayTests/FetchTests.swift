import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@testable import MoqRelay

struct FetchTests {
    private func setUp(
        _ publisherVersion: Version, _ viewerVersion: Version
    ) throws -> (world: World, publisher: Peer, store: TrackStore, viewer: Peer) {
        let world = World()
        let publisher = world.connect(publisherVersion)
        let store = publisher.publication.addTrack("video", of: world.path("x"), info: TrackInfo(maxAge: 60_000))
        publisher.publication.announce(world.path("x"))
        for sequence in UInt64(0)..<3 {
            try publisher.write(store, sequence, ["a\(sequence)", "b", "c"], at: world.now)
        }
        let viewer = world.connect(viewerVersion)
        return (world, publisher, store, viewer)
    }

    private func fetch(_ group: UInt64, from start: UInt64 = 0, through end: UInt64? = nil) -> Fetch {
        Fetch(broadcast: BroadcastPath(test: "x"), track: "video", group: group, frameStart: start, frameEnd: end)
    }

    @Test(arguments: [Version.lite05, .lite06], [Version.lite05, .lite06])
    func aGroupIsFetchedOnceUpstreamForAllWhoAskTogether(_ above: Version, _ below: Version) throws {
        let (world, publisher, _, viewer) = try setUp(above, below)
        let other = world.connect(below)
        let one = viewer.lite.fetch(fetch(1))
        let two = other.lite.fetch(fetch(1))
        world.settle()
        let expected = Peer.Fetched(texts: ["a1", "b", "c"], end: .finished)
        #expect(viewer.fetches[one] == expected)
        #expect(other.fetches[two] == expected)
        #expect(publisher.fetchQuestions.count == 1)
        #expect(world.core.upstreamFetchCount == 0)
    }

    @Test func aGroupInTheCacheIsNotAskedForUpstream() throws {
        let (world, publisher, _, viewer) = try setUp(.lite04, .lite05)
        let id = viewer.subscribe("x", "video")
        world.settle()
        #expect(viewer[id].whole == [2])
        let cached = viewer.lite.fetch(fetch(2))
        let missing = viewer.lite.fetch(fetch(1))
        world.settle()
        #expect(viewer.fetches[cached]?.texts == ["a2", "b", "c"])
        // 04 has no FETCH.
        #expect(
            viewer.fetches[missing]?.end
                == .reset(.code(CodeTable.numberToSend(for: .notFetchable, in: .second, on: .reset))))
        #expect(publisher.fetchQuestions.isEmpty)
    }

    @Test func inTheFirstGenerationAnUpstreamWithoutFetchIsAMatterOfVersion() {
        #expect(RelayPolicy.notFetchable(.first) == .code(9))
    }

    @Test func aMissingGroupIsWhatThePublisherSaysEveryTime() throws {
        let (world, publisher, _, viewer) = try setUp(.lite06, .lite06)
        for round in 1...2 {
            let id = viewer.lite.fetch(fetch(99))
            world.settle()
            #expect(viewer.fetches[id] == Peer.Fetched(texts: [], end: .reset(.code(51))))
            #expect(publisher.fetchQuestions.count == round)
        }
        publisher.publication.answer = { _ in .refuse(.code(777)) }
        let id = viewer.lite.fetch(fetch(98))
        world.settle()
        #expect(viewer.fetches[id]?.end == .reset(.code(777)))
    }

    @Test func aGroupPastTheDeclaredEndIsNotFoundWithoutAsking() throws {
        let (world, publisher, store, viewer) = try setUp(.lite06, .lite06)
        let id = viewer.subscribe("x", "video")
        world.settle()
        store.finish(end: 3)
        world.settle()
        #expect(viewer[id].ended == .finished)
        let past = viewer.lite.fetch(fetch(3))
        world.settle()
        #expect(viewer.fetches[past]?.end == .reset(.code(51)))
        #expect(publisher.fetchQuestions.isEmpty)
    }

    @Test(arguments: [Version.lite05, .lite06])
    func someFramesOfAGroup(_ above: Version) throws {
        let (world, _, _, viewer) = try setUp(above, .lite06)
        let middle = viewer.lite.fetch(fetch(1, from: 1, through: 1))
        let rest = viewer.lite.fetch(fetch(1, from: 1, through: 50))
        world.settle()
        #expect(viewer.fetches[middle] == Peer.Fetched(texts: ["b"], end: .finished))
        #expect(viewer.fetches[rest] == Peer.Fetched(texts: ["b", "c"], end: .finished))
    }

    @Test func theLastWhoWantedAFetchEndsItUpstream() throws {
        let (world, publisher, _, viewer) = try setUp(.lite06, .lite06)
        publisher.publication.answer = { _ in .hold }
        let one = viewer.lite.fetch(fetch(1))
        let other = world.connect(.lite06)
        let two = other.lite.fetch(fetch(1))
        world.settle()
        #expect(publisher.publication.held.count == 1)
        viewer.lite.cancelFetch(one)
        world.settle()
        #expect(publisher.publication.held.count == 1)
        other.lite.cancelFetch(two)
        world.settle()
        #expect(publisher.publication.held.isEmpty)
        #expect(world.core.snapshot().upstreamFetches == 0)
        #expect(world.core.snapshot().downstreamFetches == 0)
    }

    @Test func aPublisherThatIsLostDropsItsFetches() throws {
        let (world, publisher, _, viewer) = try setUp(.lite06, .lite06)
        publisher.publication.answer = { _ in .hold }
        let id = viewer.lite.fetch(fetch(1))
        world.settle()
        publisher.lite.close(code: 0, reason: "")
        world.settle()
        #expect(viewer.fetches[id]?.end == .reset(.code(0)))
        #expect(world.core.upstreamFetchCount == 0)
    }

    @Test func aFetchOutlivesTheTimeForWhichATrackIsHeld() throws {
        let (world, publisher, _, viewer) = try setUp(.lite06, .lite06)
        let id = viewer.subscribe("x", "video")
        world.settle()
        viewer.lite.unsubscribe(id)
        world.settle()
        publisher.publication.answer = { _ in .hold }
        let held = viewer.lite.fetch(fetch(1))
        world.advance(20)
        #expect(world.core.snapshot().upstreamFetches == 1)
        publisher.publication.resume(try #require(publisher.publication.held.first), at: world.now)
        world.settle()
        #expect(viewer.fetches[held]?.texts == ["a1", "b", "c"])
        world.advance(6)
        #expect(world.core.snapshot().tracks == 0)
    }

    @Test func fetchesAreBounded() throws {
        let world = World { $0.limits.fetchesPerSession = 2 }
        let publisher = world.connect(.lite06)
        publisher.publication.answer = { _ in .hold }
        publisher.publication.announce(world.path("x"))
        let viewer = world.connect(.lite06)
        let ids = (UInt64(0)..<3).map { viewer.lite.fetch(fetch($0)) }
        world.settle()
        #expect(viewer.fetches[ids[2]]?.end != nil)
        #expect(viewer.fetches[ids[1]] == nil)
    }
}
