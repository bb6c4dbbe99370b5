import MoqBase
import MoqDrivers
import MoqKit
import MoqMedia
import MoqTransport
import MoqWire
import Testing

@testable import MoqLive

@Suite struct PublishAndWatchTests {
    /// What makes two packets the same, wherever their file's clock begins.
    private struct Facts: Equatable {
        var payload: [UInt8]
        var isKeyframe: Bool
        var presentation: Int64
        var decode: Int64
    }

    private func facts(_ file: MediaFile, _ codec: MediaCodec) -> [Facts] {
        guard let index = file.tracks.firstIndex(where: { $0.format.codec == codec }) else { return [] }
        let packets = file.packets.filter { $0.track == index }
        return packets.map {
            Facts(
                payload: $0.payload, isKeyframe: $0.isKeyframe,
                presentation: $0.presentation - packets[0].presentation, decode: $0.decode - packets[0].decode)
        }
    }

    @Test(arguments: Fixture.good, PublishSettings.Packing.allCases)
    func whatIsSavedHasThePacketsOfItsSource(_ name: String, _ packing: PublishSettings.Packing) throws {
        let network = try LiveNetwork()
        let source = try Fixture.file(name)
        let viewer = try network.watch { $0.records = true }
        try network.publish(source) { $0.packing = packing }
        #expect(try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome == WatchOutcome(reason: .ended, hasPlayed: true, faults: 0))
        #expect(viewer.problems == [])
        let saved = try MediaFile(bytes: viewer.saved)
        #expect(saved.tracks.count == source.tracks.count)
        for track in source.tracks {
            let (wanted, found) = (facts(source, track.format.codec), facts(saved, track.format.codec))
            #expect(found.count == wanted.count)
            #expect(found.map(\.payload) == wanted.map(\.payload))
            #expect(found.map(\.isKeyframe) == wanted.map(\.isKeyframe))
            #expect(zip(found, wanted).allSatisfy { abs($0.presentation - $1.presentation) <= 1 })
            #expect(zip(found, wanted).allSatisfy { abs($0.decode - $1.decode) <= 1 })
        }
        let start = source.tracks.map { track in
            source.packets.first { source.tracks[$0.track] == track }?.presentation ?? 0
        }
        let savedStart = source.tracks.map { track in
            saved.packets.first { saved.tracks[$0.track].format.codec == track.format.codec }?.presentation ?? 0
        }
        // Tracks keep their distance.
        #expect(zip(start, savedStart).allSatisfy { abs(($0 - start[0]) - ($1 - savedStart[0])) <= 1 })
        // What was decoded is what the file shows.
        if source.tracks.contains(where: { $0.format.codec.kind == .video }) {
            #expect(viewer.pictures == Array(0..<viewer.pictures.count) && viewer.pictures.count > 30)
        }
        #expect(viewer.tones > 0 || name == "bars-480p-h264.mp4")
        #expect(network.published.map(\.kind).contains(.finished(packets: source.packets.count)))
    }

    @Test(arguments: Version.byPreference)
    func everyVersionCarriesIt(_ version: Version) throws {
        let network = try LiveNetwork()
        let source = try Fixture.file("bars-h264-aac.mp4")
        let viewer = try network.watch(.quic, version) { $0.records = true }
        try network.publish(source, .quic, version)
        #expect(try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.reason == .ended)
        #expect(try MediaFile(bytes: viewer.saved).packets.count == source.packets.count)
    }

    @Test(arguments: TransportKind.allCases)
    func everyTransportCarriesIt(_ kind: TransportKind) throws {
        let network = try LiveNetwork()
        let source = try Fixture.file("bars-h264-opus.mp4")
        let viewer = try network.watch(kind) { $0.records = true }
        try network.publish(source, kind)
        #expect(try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.reason == .ended)
        #expect(try MediaFile(bytes: viewer.saved).packets.count == source.packets.count)
    }

    @Test(arguments: KitPlatform.allCases)
    func thePlayerTellsWhatItsKitTells(_ platform: KitPlatform) throws {
        let network = try LiveNetwork()
        let viewer = try network.watch { $0.platform = platform }
        try network.publish(try Fixture.file("bars-h264-aac.mp4"))
        try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil }
        let told = viewer.told
        for name in [
            "player.init", "playback.request", "track.subscribe.start", "track.ready", "track.playing",
            "playback.start", "playback.end",
        ] { #expect(told.contains(name), "\(name) in \(told)") }
        #expect(!told.contains("decode.error") && !told.contains("rebuffer.start"))
        #expect(try viewer.illegalSteps() == [])
        let figures = viewer.events.compactMap { event -> WatchFigures? in
            if case .statistics(let figures) = event.kind { figures } else { nil }
        }
        #expect(figures.count >= 4)
        let middle = figures[figures.count / 2].statistics
        #expect((middle.video.latency ?? .max) < 300_000 && (middle.audio.latency ?? .max) < 300_000)
        #expect((8...12).contains(middle.video.framesPerSecond ?? 0))
    }

    @Test func theSameSeedGivesTheSameEvents() throws {
        func play(_ seed: UInt64) throws -> [WatchEvent] {
            let network = try LiveNetwork(seed: seed)
            let viewer = try network.watch()
            try network.publish(try Fixture.file("bars-h264-aac.mp4"))
            try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil }
            return viewer.events
        }
        let first = try play(7)
        #expect(try first == play(7))
        #expect(first.count > 20)
    }

    @Test func aLoopGoesOnWithoutAStepOfTheClock() throws {
        let network = try LiveNetwork()
        let viewer = try network.watch { $0.duration = .seconds(11) }
        let publisher = try network.publish(try Fixture.file("bars-h264-reordered-aac.mp4")) { $0.loops = true }
        try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil }
        #expect(viewer.watcher.outcome == WatchOutcome(reason: .stopped, hasPlayed: true, faults: 0))
        #expect(publisher.figures.laps == 2)
        let told = viewer.told
        #expect(!told.contains("track.stall.start") && !told.contains("rebuffer.start"), "\(told)")
        // Three laps of pictures, each from its beginning.
        #expect(viewer.pictures.filter { $0 == 0 }.count == 3)
        publisher.finish(at: network.driver.now)
        #expect(try network.run(for: .seconds(5)) { publisher.state == .over })
    }

    @Test func whoComesLateJoinsAtAKeyframe() throws {
        let network = try LiveNetwork()
        try network.publish(try Fixture.file("bars-h264-aac.mp4")) { $0.waitForViewer = nil }
        try network.run(for: .milliseconds(2350))
        let viewer = try network.watch()
        #expect(try network.run(for: .seconds(10)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome == WatchOutcome(reason: .ended, hasPlayed: true, faults: 0))
        #expect(viewer.pictures.first == 20, "\(viewer.pictures)")
    }

    @Test func whoRecordsGetsWhatIsKeptThoughThePlayerJoinsAtTheLiveEdge() throws {
        let network = try LiveNetwork()
        let source = try Fixture.file("bars-h264-aac.mp4")
        try network.publish(source) { $0.waitForViewer = nil }
        try network.run(for: .milliseconds(2350))
        let viewer = try network.watch { $0.records = true }
        #expect(try network.run(for: .seconds(10)) { viewer.watcher.outcome != nil })
        #expect(viewer.pictures.first == 20)
        let saved = try MediaFile(bytes: viewer.saved)
        for codec in [MediaCodec.h264, .aac] {
            #expect(facts(saved, codec).map(\.payload) == facts(source, codec).map(\.payload))
        }
    }

    @Test func aBadLinkCostsThePlayerFramesAndTheRecordingNone() throws {
        let network = try LiveNetwork(seed: 3)
        let source = try Fixture.file("bars-h264-opus.mp4")
        let viewer = try network.watch { $0.records = true }
        var link = LinkConditions()
        (link.loss, link.delay, link.jitter) = (0.1, .milliseconds(60), .milliseconds(150))
        viewer.live.setLink(link)
        try network.publish(source)
        #expect(try network.run(for: .seconds(30)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.reason == .ended)
        let told = viewer.told
        #expect(told.contains("rebuffer.start") || told.contains("track.stall.start"), "\(told)")
        #expect(viewer.pictures.count < 40)
        let saved = try MediaFile(bytes: viewer.saved)
        for codec in [MediaCodec.h264, .opus] {
            let isSame = facts(saved, codec) == facts(source, codec)
            #expect(isSame, "\(codec): \(facts(saved, codec).count) of \(facts(source, codec).count)")
        }
        #expect(try viewer.illegalSteps() == [])
    }

    @Test func oneKindAloneCanBeWatched() throws {
        let network = try LiveNetwork()
        let silent = try network.watch { $0.audio = .none }
        let blind = try network.watch { $0.video = .none }
        let named = try network.watch { ($0.video, $0.audio) = (.named("video0"), .named("audio0")) }
        try network.publish(try Fixture.file("bars-h264-aac.mp4"))
        try network.run(for: .seconds(20)) {
            [silent, blind, named].allSatisfy { $0.watcher.outcome != nil }
        }
        for viewer in [silent, blind, named] { #expect(viewer.watcher.outcome?.reason == .ended) }
        #expect(silent.tones == 0 && !silent.pictures.isEmpty)
        #expect(blind.tones > 0 && blind.pictures.isEmpty)
        #expect(named.tones > 0 && !named.pictures.isEmpty)
    }
}
