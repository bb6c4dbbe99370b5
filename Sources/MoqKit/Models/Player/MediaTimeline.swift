/// What a player knows of the time of one track: gaps, what is too old, and where the live edge is. All in microseconds.
struct MediaTimeline: Hashable, Sendable {
    /// What becomes of a frame.
    enum Admission: Hashable, Sendable {
        case accepted
        /// The step to it is too long: everything before is forgotten, and this frame begins anew.
        case gap(Int64)
        /// The publisher's clock began anew.
        case rewound
        /// It is too far behind the play position.
        case stale
    }

    /// A step strictly greater than this is a gap.
    static let gapLimit: Int64 = 500_000
    /// A frame older than the play position by more than this is stale.
    static let freshness: Int64 = 1_000_000

    /// Where playback is; nil before it has begun, and after a reset.
    var playPosition: Int64?
    private var lastTimestamp: Int64?
    private var epoch: Int?
    /// The greatest difference between a timestamp and its arrival.
    private var lead: Int64?

    /// Takes a frame that arrived, in the order epoch, gap, freshness.
    mutating func take(_ frame: MediaFrame, at now: Int64) -> Admission {
        var admission = Admission.accepted
        if let epoch, epoch != frame.epoch {
            reset()
            admission = .rewound
        } else if let last = lastTimestamp, abs(frame.timestamp - last) > Self.gapLimit {
            let step = frame.timestamp - last
            reset()
            admission = .gap(step)
        } else if let position = playPosition, position - frame.timestamp > Self.freshness {
            lastTimestamp = frame.timestamp
            return .stale
        }
        epoch = frame.epoch
        lastTimestamp = frame.timestamp
        lead = max(lead ?? .min, frame.timestamp - now)
        return admission
    }

    private mutating func reset() {
        playPosition = nil
        lead = nil
    }

    /// Where the publisher is by now, as far as arrivals tell; nil before the first.
    func liveEdge(at now: Int64) -> Int64? { lead.map { now + $0 } }

    /// Where playback should be.
    func target(_ latency: Int64, at now: Int64) -> Int64? { liveEdge(at: now).map { max(0, $0 - latency) } }

    /// How far playback is behind the live edge.
    func latency(of position: Int64?, at now: Int64) -> Int64? {
        guard let edge = liveEdge(at: now), let position else { return nil }
        return max(0, edge - position)
    }
}
