/// Why playback stands still.
public enum StallCause: String, CaseIterable, Hashable, Sendable {
    case networkIdle, publisherIdle, policyStarvation, decodeStall, renderStall, switchStall
}

/// The stall monitor of one track on Android: a cause has to hold for a while.
struct StallMonitor: Hashable, Sendable {
    /// What changed.
    enum Change: Hashable, Sendable {
        case started(StallCause)
        case ended(StallCause, after: Int64)
    }

    /// How often it looks, and how long a cause has to hold, in microseconds.
    static let interval: Int64 = 50_000
    static let holdTime: Int64 = 100_000
    /// Without an arrival for this long a track is idle.
    static let idleLimit: Int64 = 1_000_000

    private(set) var candidate: StallCause?
    private var since: Int64 = 0
    private(set) var stalled: StallCause?
    private var stalledSince: Int64 = 0

    /// Looks at the cause of this moment; nil for none.
    mutating func look(_ cause: StallCause?, now: Int64) -> [Change] {
        var changes: [Change] = []
        if cause != candidate {
            candidate = cause
            since = now
            if let stalled {
                changes.append(.ended(stalled, after: now - stalledSince))
                self.stalled = nil
            }
        }
        guard let cause, stalled == nil, now - since >= Self.holdTime else { return changes }
        stalled = cause
        stalledSince = now
        changes.append(.started(cause))
        return changes
    }
}

/// How often a pipeline may help itself: twice in any ten seconds, then it gives up.
struct RecoveryBudget: Hashable, Sendable {
    /// What is done about a failure.
    enum Action: String, Hashable, Sendable {
        case flush, rebuild, fail
    }

    /// Where it stands.
    enum State: String, Hashable, Sendable {
        case running
        /// Pictures are dropped until a keyframe comes.
        case awaiting
        /// It gave up.
        case failed
    }

    private static let window: Int64 = 10_000_000
    private(set) var state = State.running
    private var recent: [Int64] = []
    private let steps: [Action]
    private let awaitsKeyframes: Bool

    init(_ platform: KitPlatform, _ kind: TrackKind) {
        awaitsKeyframes = kind == .video
        steps =
            switch (platform, kind) {
            case (.ios, .video): [.flush, .flush]
            case (.ios, .audio): [.rebuild, .rebuild]
            case (.android, _): [.flush, .rebuild]
            }
    }

    /// Forgets what is too long ago; how many these were.
    mutating func forget(now: Int64) -> Int {
        let before = recent.count
        recent.removeAll { now - $0 > Self.window }
        return before - recent.count
    }

    mutating func keyframe() {
        if state == .awaiting { state = .running }
    }

    mutating func next(now: Int64) -> Action {
        guard state != .failed, recent.count < steps.count else {
            state = .failed
            return .fail
        }
        recent.append(now)
        state = awaitsKeyframes ? .awaiting : .running
        return steps[recent.count - 1]
    }
}
