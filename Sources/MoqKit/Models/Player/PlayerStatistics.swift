/// The statistics of one kind of media. Times are in microseconds; nil is not 0.
public struct TrackStatistics: Hashable, Sendable {
    /// Live edge minus playback position.
    public var latency: Int64?
    /// Stalls so far; nil before the kind was ready, as the two that follow.
    public var stalls: Int?
    /// The time in stalls so far, a running one included.
    public var stallTime: Int64?
    /// The share of that time since the kind was ready, 0 to 1.
    public var rebufferingRatio: Double?
    /// kbit/s over the last second; needs 100 ms of it.
    public var bitrate: Double?
    /// Pictures a second over the last second.
    public var framesPerSecond: Double?
    /// Frames dropped; nil before the first.
    public var framesDropped: Int?
    /// What the jitter buffer or the ring holds.
    public var buffered: Int64?
    /// Arrivals over the last second.
    public var arrivalRate: Double?
    /// The mean interval between arrivals over the last second.
    public var averageInterarrival: Int64?
    /// The greatest of these intervals.
    public var greatestInterarrival: Int64?
    /// Intervals of more than twice the step of the timestamps.
    public var slowArrivals = 0
    /// Intervals of less than 0.3 times the step of the timestamps.
    public var fastArrivals = 0
    /// Frames below the highest timestamp seen.
    public var outOfOrder = 0
    /// How far such a frame was below it at most.
    public var greatestOutOfOrder: Int64 = 0
    /// Resets of the timeline.
    public var discontinuities = 0
    /// The greatest gap of the timeline.
    public var greatestGap: Int64 = 0
    /// From `play` to the first frame that was accepted; of epoch 1 only.
    public var firstFrame: Int64?
    /// From `play` to the first output; of epoch 1 only.
    public var firstPlaying: Int64?
    /// Switches that were asked for; nil before the first.
    public var switchesRequested: Int?
    /// Switches that were carried out.
    public var switchesCompleted: Int?
    /// The rendition of the latest, and whether it is done.
    public var latestSwitch: String?
    /// What went wrong with it; nil when nothing did.
    public var latestSwitchError: String?

    /// Nothing is known yet.
    public init() {}
}

/// A sample of a player's statistics.
public struct PlayerStatistics: Hashable, Sendable {
    /// The video track.
    public var video = TrackStatistics()
    /// The audio track.
    public var audio = TrackStatistics()

    /// Nothing is known yet.
    public init() {}

    /// The statistics of a kind.
    public subscript(kind: TrackKind) -> TrackStatistics {
        get { kind == .video ? video : audio }
        set { if kind == .video { video = newValue } else { audio = newValue } }
    }
}

/// Gathers the figures of one kind of media.
struct TrackFigures {
    private(set) var figures = TrackStatistics()
    private var arrivals: [(at: Int64, bytes: Int)] = []
    private var outputs: [Int64] = []
    private var previous: (at: Int64, timestamp: Int64)?
    private var highest: Int64?
    private var readySince: Int64?
    private var stallSince: Int64?
    private var pastStalls: Int64 = 0
    private var stallCount = 0

    private static let window: Int64 = 1_000_000
    private static let shortestSpan: Int64 = 100_000
    private static let longestStep: Int64 = 2_000_000

    // MARK: What happens

    mutating func arrived(_ frame: MediaFrame, at now: Int64) {
        arrivals.append((now, frame.payload.count))
        if let previous {
            let (interval, step) = (now - previous.at, frame.timestamp - previous.timestamp)
            if step > 0, step <= Self.longestStep {
                if interval > 2 * step { figures.slowArrivals += 1 }
                if Double(interval) < 0.3 * Double(step) { figures.fastArrivals += 1 }
            }
        }
        previous = (now, frame.timestamp)
        if let highest, frame.timestamp < highest {
            figures.outOfOrder += 1
            figures.greatestOutOfOrder = max(figures.greatestOutOfOrder, highest - frame.timestamp)
        }
        highest = max(highest ?? .min, frame.timestamp)
    }

    mutating func discontinuity(_ gap: Int64) {
        figures.discontinuities += 1
        figures.greatestGap = max(figures.greatestGap, abs(gap))
        highest = nil
    }

    mutating func dropped(_ count: Int) {
        if count > 0 { figures.framesDropped = (figures.framesDropped ?? 0) + count }
    }

    mutating func ready(at now: Int64, since play: Int64, isFirst: Bool) {
        if readySince == nil { readySince = now }
        if isFirst, figures.firstFrame == nil { figures.firstFrame = now - play }
    }

    mutating func playing(at now: Int64, since play: Int64) {
        if figures.firstPlaying == nil { figures.firstPlaying = now - play }
    }

    mutating func output(at now: Int64) { outputs.append(now) }

    mutating func stallStarted(at now: Int64) {
        guard stallSince == nil else { return }
        stallSince = now
        stallCount += 1
    }

    mutating func stallEnded(at now: Int64) {
        if let since = stallSince { pastStalls += now - since }
        stallSince = nil
    }

    mutating func switchRequested(_ name: String) {
        figures.switchesRequested = (figures.switchesRequested ?? 0) + 1
        figures.switchesCompleted = figures.switchesCompleted ?? 0
        figures.latestSwitch = name
        figures.latestSwitchError = nil
    }

    mutating func switchCompleted() { figures.switchesCompleted = (figures.switchesCompleted ?? 0) + 1 }
    mutating func switchFailed(_ text: String) { figures.latestSwitchError = text }

    /// A new ingest: intervals are counted from its first frame.
    mutating func newIngest() { previous = nil }

    /// Every `playback.request` begins these anew.
    mutating func resetSession() {
        readySince = nil
        stallSince = nil
        pastStalls = 0
        stallCount = 0
        figures.firstFrame = nil
        figures.firstPlaying = nil
        figures.switchesRequested = nil
        figures.switchesCompleted = nil
        figures.latestSwitch = nil
        figures.latestSwitchError = nil
        previous = nil
    }

    // MARK: A sample

    mutating func sample(at now: Int64, latency: Int64?, buffered: Int64?) -> TrackStatistics {
        arrivals.removeAll { now - $0.at > Self.window }
        outputs.removeAll { now - $0 > Self.window }
        var sample = figures
        sample.latency = latency
        sample.buffered = buffered
        if let readySince {
            let time = pastStalls + (stallSince.map { now - $0 } ?? 0)
            sample.stalls = stallCount
            sample.stallTime = time
            sample.rebufferingRatio = now > readySince ? min(1, Double(time) / Double(now - readySince)) : 0
        }
        if let first = arrivals.first, let last = arrivals.last, last.at - first.at >= Self.shortestSpan {
            let span = Double(last.at - first.at)
            sample.bitrate = Double(arrivals.dropFirst().reduce(0) { $0 + $1.bytes }) * 8000 / span
            sample.arrivalRate = Double(arrivals.count - 1) * 1_000_000 / span
            let intervals = zip(arrivals, arrivals.dropFirst()).map { $1.at - $0.at }
            sample.averageInterarrival = intervals.reduce(0, +) / Int64(max(1, intervals.count))
            sample.greatestInterarrival = intervals.max()
        }
        if let first = outputs.first, let last = outputs.last, last - first >= Self.shortestSpan {
            sample.framesPerSecond = Double(outputs.count - 1) * 1_000_000 / Double(last - first)
        }
        return sample
    }
}
