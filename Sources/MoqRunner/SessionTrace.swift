import MoqConformance

/// What the sessions of a case saw, at the level of moq-lite: without ids, without instants, and without the order in
/// which independent streams happened to arrive. The same scenario yields the same on every transport.
struct SessionTrace: Equatable {
    /// One thing of which the order matters: the fate of one broadcast, the groups of one subscription, ...
    struct Strand: Equatable {
        /// Whose and of what: `viewer: groups of video`.
        var name: String
        /// What happened, in order.
        var entries: [String]
        /// Whether it went on when the steps ended: how far it had come is a matter of time.
        var isOpen: Bool
        /// Which of its entries have to be there on another transport.
        var extent: Extent = .whole
        /// Whether it is the fate of a broadcast.
        var isOfAnnouncements = false
    }

    /// Which entries of a strand have to be there on another transport, and not only be the same where both have them.
    enum Extent: Equatable {
        /// Every one, as far as both had come.
        case whole
        /// Those of an open strand may overtake each other, and which of them were there at the end is a matter of time:
        /// groups on a link that loses packets. The numbers of the groups.
        case anyOf([UInt64])
        /// Every one between where both had joined and where the first of them left, which are matters of time: groups
        /// that are written by the clock, and not when a step says so. The numbers of the groups, in order.
        case common([UInt64], isLastWhole: Bool)
    }

    /// Sorted by name.
    var strands: [Strand] = []

    /// Lines told of one difference, and differences told of one case.
    private static let differencesTold = 10

    /// The traces of actors at the end of the steps. `losesPackets` tells whether groups may come late because what
    /// they travelled in was lost, and `racesAnnouncements` whether publishers go on side by side on links whose delay
    /// varies: then it is a matter of time what a watcher finds when it asks. `writesByTheClock` tells whether groups
    /// come when it is time for them, and not when a step says so.
    init(
        _ actors: [(name: String, record: SessionRecord)], codes: CodeBook, losesPackets: Bool,
        racesAnnouncements: Bool = false, writesByTheClock: Bool = false
    ) {
        let reader = SessionTraceReader(codes: codes, losesPackets: losesPackets, writesByTheClock: writesByTheClock)
        for actor in actors { strands += reader.strands(of: actor.record, of: actor.name) }
        if racesAnnouncements { strands.removeAll { $0.isOfAnnouncements } }
        strands.sort { $0.name < $1.name }
    }

    /// Where another trace differs, in words; empty when they are the same. `mine` and `other` are the names of both.
    func differences(from other: SessionTrace, mine: String, other otherName: String) -> [String] {
        var found: [String] = []
        var names = strands.map(\.name)
        for strand in other.strands where !names.contains(strand.name) { names.append(strand.name) }
        for name in names.sorted() {
            let left = strands.first { $0.name == name }
            let right = other.strands.first { $0.name == name }
            guard let difference = Self.difference(left, right) else { continue }
            found.append("\(name): \(mine) \(difference.0); \(otherName) \(difference.1)")
            if found.count == Self.differencesTold { break }
        }
        return found
    }

    /// The first place where two strands part; nil when one is what the other is or was going to be.
    private static func difference(_ left: Strand?, _ right: Strand?) -> (String, String)? {
        if let left, let right {
            switch (left.extent, right.extent) {
            case (.anyOf(let mine), .anyOf(let theirs)) where left.isOpen && right.isOpen:
                return overtakingDifference(left, mine, right, theirs)
            case (.common(let mine, let isMineWhole), .common(let theirs, let isTheirsWhole)):
                return commonDifference(left, mine, isMineWhole, right, theirs, isTheirsWhole)
            default: break
            }
        }
        let (mine, theirs) = (left?.entries ?? [], right?.entries ?? [])
        if let parting = firstDifference(mine, theirs) { return parting }
        guard mine.count != theirs.count else { return nil }
        let shorter = mine.count < theirs.count ? left : right
        if shorter?.isOpen ?? (mine.isEmpty ? right : left)?.isOpen ?? false { return nil }
        return remainder(mine, theirs)
    }

    /// The first place where both have something, and not the same.
    private static func firstDifference(_ mine: [String], _ theirs: [String]) -> (String, String)? {
        for (entry, other) in zip(mine, theirs) where entry != other { return ("saw \(entry)", "saw \(other)") }
        return nil
    }

    /// What the longer of two has where the other ends; nil when they are of one length.
    private static func remainder(_ mine: [String], _ theirs: [String]) -> (String, String)? {
        let common = min(mine.count, theirs.count)
        guard mine.count != theirs.count else { return nil }
        let next = (mine.count > common ? mine : theirs)[common]
        return mine.count > common ? ("saw \(next)", "saw nothing more") : ("saw nothing more", "saw \(next)")
    }

    /// The first group that both have, and not the same.
    private static func overtakingDifference(
        _ left: Strand, _ mine: [UInt64], _ right: Strand, _ theirs: [UInt64]
    ) -> (String, String)? {
        for (index, number) in mine.enumerated() {
            guard let other = theirs.firstIndex(of: number), left.entries[index] != right.entries[other] else {
                continue
            }
            return ("saw \(left.entries[index])", "saw \(right.entries[other])")
        }
        return nil
    }

    /// The first difference from where both had joined to where the first of them left. What was being written when one
    /// left is torn at another place on each.
    private static func commonDifference(
        _ left: Strand, _ mine: [UInt64], _ isMineWhole: Bool, _ right: Strand, _ theirs: [UInt64],
        _ isTheirsWhole: Bool
    ) -> (String, String)? {
        guard let first = mine.first, let otherFirst = theirs.first, let last = mine.last, let otherLast = theirs.last
        else { return nil }
        let start = max(first, otherFirst)
        var end = min(last, otherLast)
        let isTorn = (last == end && !isMineWhole) || (otherLast == end && !isTheirsWhole)
        if isTorn {
            guard end > start else { return nil }
            end -= 1
        }
        guard start <= end else { return nil }
        func within(_ strand: Strand, _ numbers: [UInt64]) -> [String] {
            zip(numbers, strand.entries).filter { start <= $0.0 && $0.0 <= end }.map(\.1)
        }
        let (common, others) = (within(left, mine), within(right, theirs))
        return firstDifference(common, others) ?? remainder(common, others)
    }
}
