import MoqBase
import MoqDrivers
import MoqScenario

/// What a link is set to, and what it began with.
struct LinkChoice: CustomStringConvertible {
    private let initial: NetworkConditions?
    private(set) var current: LinkConditions?

    init(_ initial: NetworkConditions?) {
        self.initial = initial
        current = initial.map { LinkConditions($0) }
    }

    /// Makes a change that a step asks for.
    mutating func apply(_ change: NetworkAction.Change) {
        switch change {
        case .set(let conditions):
            current = LinkConditions(conditions)
        case .cut:
            var conditions = current ?? .perfect
            conditions.isCut = true
            current = conditions
        case .restore:
            current = initial.map { LinkConditions($0) } ?? .perfect
        }
    }

    var description: String {
        guard let current, current != .perfect else { return "perfect" }
        if current.isCut { return "cut" }
        var parts: [String] = []
        if current.delay > .zero { parts.append("delay \(current.delay.milliseconds) ms") }
        if current.jitter > .zero { parts.append("jitter \(current.jitter.milliseconds) ms") }
        if current.loss > 0 { parts.append("loss \(current.loss * 100) %") }
        if current.duplication > 0 { parts.append("duplication \(current.duplication * 100) %") }
        if current.reordering > 0 { parts.append("reordering \(current.reordering * 100) %") }
        if let rate = current.rate { parts.append("\(rate) bytes/s") }
        return parts.joined(separator: ", ")
    }
}

extension LinkConditions {
    init(_ conditions: NetworkConditions) {
        self.init()
        delay = conditions.delay
        jitter = conditions.jitter
        loss = conditions.loss
        duplication = conditions.duplicate
        reordering = conditions.reorder
        rate = conditions.rate
    }
}

/// What links did, summed.
struct LinkTotals {
    var lost: UInt64 = 0
    var duplicated: UInt64 = 0
    var reordered: UInt64 = 0
    var delayed: UInt64 = 0

    mutating func add(_ statistics: LinkStatistics) {
        lost += statistics.lost
        duplicated += statistics.duplicated
        reordered += statistics.reordered
        delayed += statistics.delayed
    }

    mutating func add(_ other: LinkTotals) {
        lost += other.lost
        duplicated += other.duplicated
        reordered += other.reordered
        delayed += other.delayed
    }

    /// How many packets it did something to.
    func count(of effect: Reached.LinkEffect) -> UInt64 {
        switch effect {
        case .lost: lost
        case .duplicated: duplicated
        case .reordered: reordered
        case .delayed: delayed
        }
    }
}
