import MoqBase
import MoqTransport
import MoqWire

/// Everything that a subscription and its updates have asked for: what any of them wanted may still be under way.
struct RequestedRange {
    /// The lowest first group asked for; nil for no bound.
    private(set) var floor: UInt64?
    /// The highest last group asked for, inclusive; nil for no bound.
    private(set) var ceiling: UInt64?
    /// The request, as long as nothing updated it.
    private(set) var only: SubscribeOptions?
    /// Whether a last group was ever named: such a subscription may be ended when its range is done.
    private(set) var wasBounded: Bool

    init(_ options: SubscribeOptions) {
        floor = options.groupStart
        ceiling = options.groupEnd
        only = options
        wasBounded = options.groupEnd != nil
    }

    mutating func widen(by options: SubscribeOptions, version: Version) {
        only = nil
        wasBounded = wasBounded || options.groupEnd != nil
        if let start = options.groupStart {
            if let floor { self.floor = min(floor, start) }
        } else if version.startIsFloor {
            floor = nil
        }
        // Up to 05 an update without a first group leaves the position where it is.
        if let end = options.groupEnd, let ceiling {
            self.ceiling = max(ceiling, end)
        } else {
            ceiling = nil
        }
    }

    func isAboveFloor(_ group: UInt64) -> Bool { group >= floor ?? 0 }

    func isBelowCeiling(_ group: UInt64) -> Bool { group <= ceiling ?? .max }

    var description: String {
        "groups \(floor.map(String.init) ?? "any") to \(ceiling.map(String.init) ?? "any")"
    }
}

/// A subscription that the client made.
final class SubscriptionRecord {
    let id: UInt64
    let stream: StreamID
    let track: TrackID
    var range: RequestedRange
    /// Whether the relay accepted it in so many words (up to 04).
    var isAccepted = false
    /// The first group as the relay named it.
    var start: UInt64?
    /// The end as the relay named it, exclusive.
    var end: UInt64?
    /// The highest and the lowest group of which a stream came.
    var highest: UInt64?
    var lowest: UInt64?
    /// When the client ended it.
    var clientEndedAt: Instant?
    /// When the relay ended it.
    var relayEndedAt: Instant?
    /// Whether the client used the id again: nothing can be said of its groups then.
    var isReused = false

    init(_ request: Subscribe, stream: StreamID) {
        id = request.id
        self.stream = stream
        track = TrackID(broadcast: request.broadcast, track: request.track)
        range = RequestedRange(request.options)
    }
}

/// A group of a subscription.
struct GroupKey: Hashable {
    var subscription: UInt64
    var sequence: UInt64
}

/// Which groups came, as far back as memory goes.
struct GroupLedger {
    private struct Entry {
        var finished = 0
        var count = 0
    }

    private var entries: [GroupKey: Entry] = [:]
    private var order: [GroupKey] = []
    private var oldest = 0

    /// Notes a stream of a group. Whether the group was finished before.
    mutating func begin(_ key: GroupKey) -> Bool {
        if entries[key] == nil { remember(key) }
        entries[key]?.count += 1
        return (entries[key]?.finished ?? 0) > 0
    }

    /// Notes that a stream of a group was finished. Whether another one of it was before.
    mutating func finish(_ key: GroupKey) -> Bool {
        guard let entry = entries[key] else { return false }
        entries[key]?.finished += 1
        return entry.finished > 0
    }

    private mutating func remember(_ key: GroupKey) {
        entries[key] = Entry()
        if order.count < MonitorLimits.groups {
            order.append(key)
            return
        }
        entries[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % order.count
    }
}
