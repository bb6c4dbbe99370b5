/// Frames that wait to be decoded, by timestamp, within limits.
struct FrameBuffer: Hashable, Sendable {
    /// Why frames did not stay.
    enum Drop: String, Hashable, Sendable {
        case backlogOverflow, waitingForKeyframe, covered, publisherRewind
    }

    /// Frames that were dropped together.
    struct Gone: Hashable, Sendable {
        var why: Drop
        var count: Int
        var bytes: Int
    }

    /// What came of a frame.
    struct Outcome: Hashable, Sendable {
        /// Whether the frame is in.
        var isAdmitted = true
        /// What was dropped, and why.
        var drops: [Gone] = []
    }

    /// Each is exceeded before anything goes.
    static let byteLimit = 64 << 20
    static let frameLimit = 1024
    static let spanLimit: Int64 = 5_000_000

    private(set) var frames: [MediaFrame] = []
    private(set) var bytes = 0
    /// Whether only a keyframe is taken.
    private(set) var awaitsKeyframe: Bool
    private let needsKeyframes: Bool

    init(needsKeyframes: Bool) {
        self.needsKeyframes = needsKeyframes
        awaitsKeyframe = needsKeyframes
    }

    /// From the first frame to the last, in microseconds.
    var span: Int64 { frames.isEmpty ? 0 : frames[frames.count - 1].timestamp - frames[0].timestamp }

    mutating func admit(_ frame: MediaFrame) -> Outcome {
        var outcome = Outcome()
        guard frame.payload.count <= Self.byteLimit else { return refused(frame, .backlogOverflow) }
        if awaitsKeyframe {
            guard frame.isKeyframe else { return refused(frame, .waitingForKeyframe) }
            if !frames.isEmpty {
                outcome.drops.append(Gone(why: .waitingForKeyframe, count: frames.count, bytes: bytes))
                clear()
            }
            awaitsKeyframe = false
        }
        let index = frames.lastIndex { $0.timestamp <= frame.timestamp }.map { $0 + 1 } ?? 0
        if index > 0, frames[index - 1].timestamp == frame.timestamp,
            frames[index - 1].isKeyframe == frame.isKeyframe
        {
            return refused(frame, .covered)
        }
        frames.insert(frame, at: index)
        bytes += frame.payload.count
        while isOver, let evicted = evictGroup() { outcome.drops.append(evicted) }
        return outcome
    }

    private func refused(_ frame: MediaFrame, _ why: Drop) -> Outcome {
        Outcome(isAdmitted: false, drops: [Gone(why: why, count: 1, bytes: frame.payload.count)])
    }

    private var isOver: Bool {
        bytes > Self.byteLimit || frames.count > Self.frameLimit || span > Self.spanLimit
    }

    /// The oldest group of pictures goes as a whole.
    private mutating func evictGroup() -> Gone? {
        guard frames.count > 1 else { return nil }
        let end = frames.dropFirst().firstIndex { $0.isKeyframe } ?? frames.count
        let gone = needsKeyframes ? end : 1
        let size = frames[..<gone].reduce(0) { $0 + $1.payload.count }
        frames.removeFirst(gone)
        bytes -= size
        if needsKeyframes, frames.first?.isKeyframe != true { awaitsKeyframe = true }
        return Gone(why: .backlogOverflow, count: gone, bytes: size)
    }

    private mutating func clear() {
        frames = []
        bytes = 0
    }

    /// Forgets everything; what comes has to begin with a keyframe again. Gives how many went.
    mutating func flush() -> Int {
        defer { clear() }
        awaitsKeyframe = needsKeyframes
        return frames.count
    }

    mutating func removeFirst() -> MediaFrame? {
        guard !frames.isEmpty else { return nil }
        let frame = frames.removeFirst()
        bytes -= frame.payload.count
        return frame
    }
}
