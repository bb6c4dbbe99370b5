/// One rendition that a player reads: what has arrived of it, up to the decoder.
final class Ingest {
    let rendition: Rendition
    /// 1 at the start of a session, one more with each switch of the kind.
    let epoch: Int
    var timeline = MediaTimeline()
    var buffer: FrameBuffer
    var gate: JitterGate
    var media: MediaTrackModel?
    /// Whether a frame was accepted, and whether something came out.
    var isReady = false
    var isPlaying = false
    /// Whether nothing more comes.
    var isOver = false
    /// Its name in traces, once it is opened.
    var object = ""
    /// Whether nobody looks for its stalls any more.
    var isUnwatched = false
    /// Whether its decoder has given up.
    var hasFailed = false
    var lastArrival: Int64?
    var lastAdmission: Int64?
    var lastTimelineDrop: Int64?
    /// The end of the last frame that was submitted, in its own time.
    var submittedEnd: Int64?
    var lastSubmitted: Int64?
    /// The usual step between two frames.
    var frameInterval: Int64 = 33_333
    var recovery: RecoveryBudget
    var monitor = StallMonitor()

    var kind: TrackKind { rendition.kind }
    var name: String { rendition.name }

    init(_ rendition: Rendition, epoch: Int, isPending: Bool = false, as platform: KitPlatform) {
        self.rendition = rendition
        self.epoch = epoch
        gate = JitterGate(isPending: isPending)
        buffer = FrameBuffer(needsKeyframes: rendition.kind == .video || platform == .ios)
        recovery = RecoveryBudget(platform, rendition.kind)
        // The catalog may say any number: a picture in more than a minute is no rate to go by.
        if let rate = rendition.frameRate, rate > 0 { frameInterval = Int64(min(1_000_000 / rate, 60_000_000)) }
    }
}
