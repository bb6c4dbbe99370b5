import MoqBase
import MoqTransport
import MoqWire

/// The decisions of a feed, each a function of what it is given.
enum FeedPolicy {
    /// The number under which `condition` goes out on a stream.
    static func code(_ condition: ErrorCondition, _ generation: CodeGeneration, on signal: CodeSignal) -> StreamCode {
        .code(CodeTable.numberToSend(for: condition, in: generation, on: signal))
    }

    /// The condition under which readers hear that a group left the cache.
    static func condition(of removal: CachedGroup.Removal) -> ErrorCondition {
        switch removal {
        case .old: .old
        case .evicted: .evicted
        }
    }

    /// In which order groups of subscriptions go out: the subscriber's priority first, then newer groups before older
    /// ones, or the other way round where the subscriber wants them in order.
    static func priority(of sequence: UInt64, _ options: SubscribeOptions) -> SendPriority {
        SendPriority(
            urgency: UInt16(options.priority), sequence: options.ordered ? UInt64.max - sequence : sequence)
    }

    /// Where a subscription begins in a track that has groups already.
    ///
    /// Up to 05 an absent start means the latest group, whatever the age asked for. On 06 the start is a floor, and
    /// the age decides how far back above it the subscription reaches; 0 reaches the latest group only.
    static func firstGroup(
        _ options: SubscribeOptions, isFloor: Bool, groups: [CachedGroup], latest: UInt64, at now: Instant
    ) -> UInt64 {
        guard isFloor else { return options.groupStart ?? latest }
        let floor = options.groupStart ?? 0
        let reach = Duration.milliseconds(Int64(clamping: min(options.maxAge, WireLimits.unlimitedAge)))
        let wanted = groups.filter { group in
            guard group.sequence >= floor, group.state == .open || group.state == .finished else { return false }
            guard group.sequence != latest, let since = group.supersededAt else { return true }
            return options.maxAge > 0 && since.duration(to: now) <= reach
        }
        return wanted.map(\.sequence).min() ?? max(floor, latest)
    }

    /// The frames of group `sequence` that `options` asks for (06): the bounds concern the first and the last group.
    static func frames(of sequence: UInt64, _ options: SubscribeOptions) -> (first: Int, last: Int?) {
        let first = sequence == (options.groupStart ?? 0) ? Int(clamping: options.frameStart) : 0
        let last = sequence == options.groupEnd ? options.frameEnd.map { Int(clamping: $0) } : nil
        return (first, last)
    }

    /// Whether a group that a reader has not taken yet has become too old for it: a newer one came longer ago than the
    /// reader's `maxAge`. 0 sets no limit of the reader's own.
    static func isTooOld(supersededAt: Instant?, maxAge: UInt64, at now: Instant) -> Bool {
        guard let supersededAt, maxAge > 0, maxAge < WireLimits.unlimitedAge else { return false }
        return supersededAt.duration(to: now) > .milliseconds(Int64(maxAge))
    }

    /// The part of `ranges` that lies within a subscription.
    static func clip(
        _ ranges: [ClosedRange<UInt64>], from start: UInt64, through end: UInt64?
    ) -> [ClosedRange<UInt64>] {
        ranges.compactMap { range in
            let low = max(range.lowerBound, start)
            let high = min(range.upperBound, end ?? .max)
            return low <= high ? low...high : nil
        }
    }
}

/// The bounds of a feed, each with its reason.
enum FeedLimits {
    /// Groups that wait for a stream: beyond, the reader is so far behind that the oldest have no chance to matter.
    static let waitingGroups = 256
    /// What one group counts for in a session's backlog: about what a transport buffers for one stream.
    static let groupCharge = 256 << 10
    /// Groups past the end of the subscription that are remembered in case the end is raised.
    static let heldGroups = 1024
}

/// How much of what was written for one session its peer has not acknowledged, as an estimate that bounds memory: a
/// reader that stops reading gets no new groups once this is full, and is none the less never waited for.
public final class SessionBacklog {
    /// From how many bytes on no further group is opened.
    public let limit: Int
    /// The estimate.
    public private(set) var used = 0
    private var waiting: [SubscriptionFeed] = []

    /// A backlog that is empty.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Whether another group may be opened.
    var hasRoom: Bool { used < limit }

    func charge(_ bytes: Int) {
        used += bytes
    }

    func release(_ bytes: Int) {
        used -= bytes
        guard hasRoom, !waiting.isEmpty else { return }
        let woken = waiting
        waiting = []
        for feed in woken { feed.wake() }
    }

    func wait(_ feed: SubscriptionFeed) {
        if !waiting.contains(where: { $0 === feed }) { waiting.append(feed) }
    }

    func forget(_ feed: SubscriptionFeed) {
        waiting.removeAll { $0 === feed }
    }
}
