import MoqBase
import Testing

@testable import MoqKit

/// A player that is fed by hand with frames of the present instant.
private final class Feed {
    let bench: Bench
    let session: SessionModel
    let player: PlayerModel
    private var frame = 0
    private let framesPerKey: Int
    private var group: UInt64 = 0
    private var subscription = 1

    init(_ platform: KitPlatform, framesPerKey: Int = 30, target: Duration = .milliseconds(100)) throws {
        bench = Bench(platform)
        self.framesPerKey = framesPerKey
        session = try bench.session()
        let broadcast = FoundBroadcast(path: "a", fullPath: "a", number: 1)
        let hubs = session.openHubs(of: broadcast) { _, bytes in
            guard let (time, payload) = LegacyContainer.unpack(bytes) else { return .failure(CatalogProblem("short")) }
            return .success([MediaFrame(timestamp: time, isKeyframe: false, payload: Array(payload))])
        }
        let catalog = CatalogSnapshot([
            Rendition(kind: .video, name: "high", codec: "avc1.64001f"),
            Rendition(kind: .video, name: "low", codec: "avc1.42c01e"),
            Rendition(kind: .video, name: "strange", codec: "vp8"),
        ])
        player = try PlayerModel(
            "player 1", path: "a", catalog: catalog, video: "high", audio: nil, targetBuffering: target, hubs: hubs,
            decoder: PassThroughDecoder(), as: platform, port: bench.port)
    }

    /// Gives frames, and lets the time between them pass in steps of a millisecond.
    func give(_ count: Int, payload: [UInt8] = [1, 2, 3]) {
        for _ in 0..<count {
            if frame.isMultiple(of: framesPerKey) {
                if frame > 0 { session.groupEnded(subscription, group, .clean) }
                group += 1
                session.groupOpened(subscription, group)
            }
            let time = Int64(bench.milliseconds) * 1000
            session.frame(
                subscription, group, index: UInt64(frame % framesPerKey), LegacyContainer.pack(timestamp: time, payload)
            )
            frame += 1
            pass(33)
        }
    }

    func pass(_ milliseconds: Int) {
        for _ in 0..<milliseconds {
            bench.milliseconds += 1
            player.advance()
        }
        bench.settle()
    }
}

@Suite struct PlayerModelTests {
    @Test(arguments: KitPlatform.allCases)
    func eventsComeInOrderAndAreNumbered(_ platform: KitPlatform) throws {
        let feed = try Feed(platform)
        try feed.player.play()
        feed.give(60)
        #expect(
            feed.bench.names.filter { $0 != "track.select" } == [
                "player.init", "playback.request", "track.subscribe.start", "track.ready", "track.playing",
                "playback.start",
            ])
        #expect(feed.bench.events.compactMap { $0["sequence"].flatMap { Int($0) } } == Array(1...8))
        #expect(feed.player.statistics.video.stalls == 0)
        // What was gathered beyond the target before the gate opened is fed to the decoder and not shown (iOS).
        #expect((feed.player.statistics.video.framesDropped ?? 0) <= 1)
        let latency = try #require(feed.player.statistics.video.latency)
        #expect((50_000...150_000).contains(latency))
    }

    @Test(arguments: KitPlatform.allCases)
    func silenceStallsAndFramesEndTheStall(_ platform: KitPlatform) throws {
        let feed = try Feed(platform)
        try feed.player.play()
        feed.give(30)
        feed.pass(2000)
        #expect(feed.bench.names.suffix(2) == ["track.stall.start", "rebuffer.start"])
        feed.give(60)
        #expect(feed.bench.names.suffix(2) == ["track.stall.end", "rebuffer.end"])
    }

    @Test(arguments: KitPlatform.allCases)
    func everyEndOfTheTrackEndsPlaybackWithoutAReason(_ platform: KitPlatform) throws {
        for end in [UpstreamEnd.clean, .code(24), .sessionLost] {
            let feed = try Feed(platform)
            try feed.player.play()
            feed.give(29)
            feed.session.groupEnded(1, 1, .clean)
            feed.session.subscriptionEnded(1, end)
            feed.bench.settle()
            #expect(feed.player.state == .ended)
            #expect(feed.bench.events.last?.name == "playback.end")
            #expect(feed.bench.events.last?["reason"] == nil)
            let told = end == .clean ? "track.subscribe.end" : "track.subscribe.error"
            #expect(feed.bench.names.suffix(2).first == told)
        }
    }

    @Test(arguments: KitPlatform.allCases)
    func whatCannotBePlayedIsTurnedDownBeforeAnyEvent(_ platform: KitPlatform) throws {
        let feed = try Feed(platform)
        #expect(reason { try feed.player.switchTrack(.video, to: "nothing") } == .unknownTrack)
        #expect(reason { try feed.player.switchTrack(.video, to: nil) } == .noTracksSelected)
        #expect(reason { try feed.player.switchTrack(.video, to: "strange") } == .unsupportedCodec)
        feed.bench.settle()
        #expect(feed.player.state == .created)
    }

    @Test(arguments: KitPlatform.allCases)
    func aSwitchWithoutAKeyframeIsGivenUpAfterFiveSeconds(_ platform: KitPlatform) throws {
        let feed = try Feed(platform)
        try feed.player.play()
        feed.give(60)
        try feed.player.switchTrack(.video, to: "low")
        feed.give(140)
        #expect(feed.player.selected[.video] == "low")
        feed.give(20)
        #expect(feed.player.selected[.video] == "high")
        #expect(feed.player.diagnostics.counts.contains { $0.fields.contains { $0.value == "aborted" } })
    }

    @Test(arguments: KitPlatform.allCases)
    func aPlayerThatWasPausedJoinsAnew(_ platform: KitPlatform) throws {
        let feed = try Feed(platform)
        try feed.player.play()
        feed.give(30)
        try feed.player.pause()
        feed.bench.settle()
        #expect(feed.bench.requests.contains(.unsubscribe(id: 1)))
        try feed.player.play()
        feed.bench.settle()
        #expect(feed.bench.names.contains("playback.resume"))
    }

    @Test(arguments: KitPlatform.allCases)
    func aDecoderThatFailsAgainAndAgainIsGivenUp(_ platform: KitPlatform) throws {
        let feed = try Feed(platform, framesPerKey: 3)
        try feed.player.play()
        feed.give(30)
        feed.give(30, payload: PassThroughDecoder.failureMark)
        feed.give(30)
        let actions = feed.player.diagnostics.counts.filter { $0.name == "decoderRecovery" }
            .flatMap { entry in entry.fields.filter { $0.name == "action" }.map { "\($0.value) \(entry.count)" } }
        #expect(actions == (platform == .ios ? ["flush 2", "fail 1"] : ["flush 1", "rebuild 1", "fail 1"]))
        // The picture stands still on iOS, and nobody is told; Android ends playback, since there is no sound.
        #expect(feed.player.state == (platform == .ios ? .playing : .stopped))
        #expect(feed.bench.names.contains("decode.error") == (platform == .android))
    }

    @Test(arguments: KitPlatform.allCases)
    func afterOneBadFramePicturesComeBackWithAKeyframe(_ platform: KitPlatform) throws {
        let feed = try Feed(platform, framesPerKey: 10)
        try feed.player.play()
        feed.give(35)
        feed.give(1, payload: PassThroughDecoder.failureMark)
        feed.give(400)
        #expect(feed.player.state == .playing)
        let dropped = feed.player.diagnostics.counts.filter { entry in
            entry.name == "frameDropped" && entry.fields.contains { $0.value == "waitingForKeyframe" }
        }
        // Some of what was left of the group was waiting already, and went with the flush.
        #expect((1...9).contains(dropped.reduce(0) { $0 + $1.count }))
        #expect(!feed.bench.names.contains("decode.error"))
    }

    @Test(arguments: [1e-300, 1e300, 0, -1, .infinity, 25]) func anyFrameRateOfACatalogIsSurvived(_ rate: Double) {
        let rendition = Rendition(kind: .video, name: "v", codec: "avc1.64001f", frameRate: rate)
        let ingest = Ingest(rendition, epoch: 1, as: .ios)
        #expect((0...60_000_000).contains(ingest.frameInterval))
    }

    @Test func diagnosticsHoldTheNewest() throws {
        let feed = try Feed(.ios)
        try feed.player.play()
        feed.give(200)
        #expect(feed.player.diagnostics.held.count == 256)
        #expect(feed.player.diagnostics.total > 600)
    }
}
