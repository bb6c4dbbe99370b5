import MoqBase
import MoqTransport
import MoqWire

/// What a session is to be told of the announcements of another one.
struct RouteExpectation {
    /// What is broken when it is not told.
    var rule: MonitorRule
    /// The request on which it is to be told.
    var stream: StreamID
    /// The announcement.
    var path: BroadcastPath
    /// The number of the session that announced or withdrew it.
    var publisher: Int
    /// When that was.
    var madeAt: Instant
    /// How many times as long as usual it may take.
    var patience = 1

    var due: Instant { madeAt.advanced(by: MonitorLimits.promptness * patience) }
}

/// What a session is to be told of the announcements of others, to be found by path: there may be thousands.
struct RouteExpectations {
    private struct Key: Hashable {
        var stream: StreamID
        var path: BroadcastPath
        var isEnd: Bool
    }

    private var waiting: [Key: RouteExpectation] = [:]
    private var order: [Key] = []
    private var head = 0

    /// When the first of them is due.
    var nextDue: Instant? {
        mutating get {
            while head < order.count {
                if let first = waiting[order[head]] { return first.due }
                head += 1
            }
            order.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
    }

    mutating func add(_ expectation: RouteExpectation) {
        let key = Key(
            stream: expectation.stream, path: expectation.path, isEnd: expectation.rule.isEndOfAnnouncement)
        guard waiting.count < MonitorLimits.expectations, order.count < 4 * MonitorLimits.expectations,
            waiting.updateValue(expectation, forKey: key) == nil
        else { return }
        order.append(key)
    }

    /// It was told, or need not be told any more. Returns what was waited for.
    mutating func remove(_ path: BroadcastPath, on stream: StreamID, isEnd: Bool) -> RouteExpectation? {
        guard !waiting.isEmpty else { return nil }
        return waiting.removeValue(forKey: Key(stream: stream, path: path, isEnd: isEnd))
    }

    mutating func removeAll() {
        waiting = [:]
        order = []
        head = 0
    }

    /// Takes out what is overdue, in the order in which it was asked.
    mutating func takeOverdue(at now: Instant) -> [RouteExpectation] {
        var overdue: [RouteExpectation] = []
        while let due = nextDue, due <= now {
            if let expectation = waiting.removeValue(forKey: order[head]) { overdue.append(expectation) }
            head += 1
        }
        return overdue
    }
}
