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
        /// What each entry is about, where those of an open strand may overtake each other: the numbers of groups on a
        /// link that loses packets. Which of them were there at the end is then a matter of time as well.
        var numbers: [UInt64]?
        /// Whether it is the fate of a broadcast.
        var isOfAnnouncements = false
    }

    /// Sorted by name.
    var strands: [Strand] = []

    /// Lines told of one difference, and differences told of one case.
    private static let differencesTold = 10

    /// The traces of actors at the end of the steps. `losesPackets` tells whether groups may come late because what
    /// they travelled in was lost, and `racesAnnouncements` whether publishers go on side by side on links whose delay
    /// varies: then it is a matter of time what a watcher finds when it asks.
    init(
        _ actors: [(name: String, record: SessionRecord)], codes: CodeBook, losesPackets: Bool,
        racesAnnouncements: Bool = false
    ) {
        for actor in actors { strands += Self.strands(of: actor.record, of: actor.name, codes, losesPackets) }
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
        if let left, let right, left.isOpen, right.isOpen, let mine = left.numbers, let theirs = right.numbers {
            for (index, number) in mine.enumerated() {
                guard let other = theirs.firstIndex(of: number), left.entries[index] != right.entries[other] else {
                    continue
                }
                return ("saw \(left.entries[index])", "saw \(right.entries[other])")
            }
            return nil
        }
        let (mine, theirs) = (left?.entries ?? [], right?.entries ?? [])
        let common = min(mine.count, theirs.count)
        for index in 0..<common where mine[index] != theirs[index] {
            return ("saw \(mine[index])", "saw \(theirs[index])")
        }
        guard mine.count != theirs.count else { return nil }
        let shorter = mine.count < theirs.count ? left : right
        if shorter?.isOpen ?? (mine.isEmpty ? right : left)?.isOpen ?? false { return nil }
        let next = (mine.count > common ? mine : theirs)[common]
        return mine.count > common ? ("saw \(next)", "saw nothing more") : ("saw nothing more", "saw \(next)")
    }

    // MARK: What a record says

    private static func strands(
        of record: SessionRecord, of actor: String, _ codes: CodeBook, _ losesPackets: Bool
    ) -> [Strand] {
        var strands: [Strand] = []
        func add(
            _ what: String, _ entries: [String], isOpen: Bool, numbers: [UInt64]? = nil, isOfAnnouncements: Bool = false
        ) {
            // Twice the same name is one strand: a track subscribed to twice without labels.
            var name = "\(actor): \(what)"
            var number = 1
            while strands.contains(where: { $0.name == name }) {
                number += 1
                name = "\(actor): \(what) (\(number))"
            }
            strands.append(
                Strand(
                    name: name, entries: entries, isOpen: isOpen, numbers: numbers, isOfAnnouncements: isOfAnnouncements
                ))
        }
        add("session", [state(record, codes)], isOpen: false)
        for path in distinct(record.announcements.map { "\($0.prefix)\n\($0.path)" }) {
            let fate = record.announcements.filter { "\($0.prefix)\n\($0.path)" == path }
            let entries = fate.map { $0.isActive ? ($0.isUpdate ? "announced anew" : "announced") : "ended" }
            add(
                "announcements of `\(fate[0].path)`", entries.map { "`\(fate[0].path)` \($0)" }, isOpen: true,
                isOfAnnouncements: true)
        }
        for subscription in record.subscriptions {
            let groups = subscription.groups.filter { !isOpen($0.end) }.sorted { $0.sequence < $1.sequence }
            add(
                "groups of \(subscription.label)", groups.map(group), isOpen: isOpen(subscription.end),
                numbers: losesPackets ? groups.map(\.sequence) : nil)
            add("end of \(subscription.label)", isOpen(subscription.end) ? [] : [end(subscription.end)], isOpen: true)
            // Which datagrams a link loses hangs on every packet before them.
            if !losesPackets, !subscription.datagrams.isEmpty {
                let seen = subscription.datagrams.sorted().map { "group \($0) as a datagram" }
                add("datagrams of \(subscription.label)", seen, isOpen: true)
            }
        }
        for fetch in record.fetches {
            let frames = fetch.sizes.map { "a frame of \($0) bytes" }
            let closed = isOpen(fetch.end) ? [] : [end(fetch.end)]
            add("fetch \(fetch.label)", frames + closed, isOpen: isOpen(fetch.end))
        }
        for info in record.trackInfos {
            let text =
                "priority \(info.priority.map(String.init) ?? "-"), timescale \(info.timescale.map(String.init) ?? "-")"
            add("properties of \(info.track)", ["\(text), \(end(info.end))"], isOpen: isOpen(info.end))
        }
        for kind in distinct(record.requests.map { "\($0.kind.rawValue) \($0.broadcast)/\($0.track)" }) {
            add("requests of the relay: \(kind)", [kind], isOpen: true)
        }
        add("goaways", record.goaways.map { "GOAWAY to `\($0)`" }, isOpen: true)
        return strands
    }

    private static func state(_ record: SessionRecord, _ codes: CodeBook) -> String {
        let count = record.connections == 1 ? "connected once" : "connected \(record.connections) times"
        switch record.state {
        case .closed(let close) where record.connections == 0 && close.code == nil && close.condition == nil:
            // Which side ends a handshake that comes to nothing is the transport's affair.
            return "did not come up"
        case .closed(let close) where close.byPeer || close.condition != nil:
            // A refusal in HTTP's words is the same as a close with the code for it; it only comes before the session is
            // up, where the close comes right after.
            let meant = close.condition.map { codes.numberToSend(for: .condition($0.name), on: .close) }
            let code = (close.code ?? meant).map(String.init) ?? "no session code"
            return (record.connections > 1 ? "\(count), then " : "") + "closed by the relay with \(code)"
        case .closed: return "\(count), then closed"
        case .vanished: return "\(count), then gone"
        case .idle, .connecting, .connected: return count
        }
    }

    /// What is said of a group that is over.
    private static func group(_ group: GroupRecord) -> String {
        guard group.end == .finished else { return "group \(group.sequence) \(end(group.end))" }
        let sizes = group.sizes.map(String.init).joined(separator: "+")
        // The timestamps themselves are instants of the publisher's clock.
        let times = group.timestamps.isEmpty ? "" : ", with timestamps"
        return "group \(group.sequence) of \(sizes) bytes\(times)"
    }

    /// Whether an end, or none, comes from the end of the steps rather than from the relay.
    private static func isOpen(_ end: RecordedEnd?) -> Bool {
        switch end {
        case nil, .local, .sessionClosed: true
        case .finished, .reset, .resetUnmapped, .malformed: false
        }
    }

    private static func end(_ end: RecordedEnd?) -> String {
        switch end {
        case .resetUnmapped: "reset without a code"
        case let end?: end.description
        case nil: "open"
        }
    }

    private static func distinct(_ texts: [String]) -> [String] {
        var found: [String] = []
        for text in texts where !found.contains(text) { found.append(text) }
        return found
    }
}
