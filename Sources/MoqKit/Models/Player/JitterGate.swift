/// Holds video back until enough of it is there.
struct JitterGate: Hashable, Sendable {
    /// Where it stands.
    enum State: String, Hashable, Sendable {
        /// Too little is there.
        case buffering
        /// Frames pass; also when there is less than the target.
        case playing
        /// It belongs to a rendition that has not taken over.
        case pending
    }

    private(set) var state: State

    init(isPending: Bool = false) { state = isPending ? .pending : .buffering }

    /// Looks at what is there; true when it opens.
    mutating func look(at buffer: FrameBuffer, target: Int64) -> Bool {
        guard state == .buffering, buffer.frames.count >= 2, buffer.span >= target else { return false }
        state = .playing
        return true
    }

    /// The rendition takes over.
    mutating func swapIn() { if state == .pending { state = .playing } }

    /// A flush, or a reset of the timeline.
    mutating func reset() { if state != .pending { state = .buffering } }
}
