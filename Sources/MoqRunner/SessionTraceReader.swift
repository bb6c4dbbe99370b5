import MoqConformance

/// Reads what a session saw out of its record, in words that are the same on every transport.
struct SessionTraceReader {
    /// The numbers of error conditions in the case.
    let codes: CodeBook
    /// Whether groups may come late because what they travelled in was lost.
    let losesPackets: Bool
    /// Whether client kits publish: groups come when it is time for them, and not when a step says so.
    let writesByTheClock: Bool

    /// What one session saw, a strand for everything of which the order matters.
    func strands(of record: SessionRecord, of actor: String) -> [SessionTrace.Strand] {
        var strands: [SessionTrace.Strand] = []
        func add(
            _ what: String, _ entries: [String], isOpen: Bool, extent: SessionTrace.Extent = .whole,
            isOfAnnouncements: Bool = false
        ) {
            // Twice the same name is one strand: a track subscribed to twice without labels.
            var name = "\(actor): \(what)"
            var number = 1
            while strands.contains(where: { $0.name == name }) {
                number += 1
                name = "\(actor): \(what) (\(number))"
            }
            strands.append(
                SessionTrace.Strand(
                    name: name, entries: entries, isOpen: isOpen, extent: extent, isOfAnnouncements: isOfAnnouncements))
        }
        add("session", [state(record)], isOpen: false)
        for path in distinct(record.announcements.map { "\($0.prefix)\n\($0.path)" }) {
            let fate = record.announcements.filter { "\($0.prefix)\n\($0.path)" == path }
            let entries = fate.map { $0.isActive ? ($0.isUpdate ? "announced anew" : "announced") : "ended" }
            add(
                "announcements of `\(fate[0].path)`", entries.map { "`\(fate[0].path)` \($0)" }, isOpen: true,
                isOfAnnouncements: true)
        }
        for subscription in record.subscriptions {
            let groups = subscription.groups.filter { !self.isOpen($0.end) }.sorted { $0.sequence < $1.sequence }
            // A kit leaves on what it sees first of several streams, comes back by its own timers, and closes with
            // streams in flight, which QUIC gives up and a byte stream does not: how its subscriptions end is a matter of
            // time and of the transport.
            let isOpen = self.isOpen(subscription.end) || writesByTheClock
            add(
                "groups of \(subscription.label)", groups.map(group),
                isOpen: isOpen, extent: extent(groups))
            add("end of \(subscription.label)", isOpen ? [] : [end(subscription.end)], isOpen: true)
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

    private func state(_ record: SessionRecord) -> String {
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

    /// Which of the groups have to be there on another transport.
    private func extent(_ groups: [GroupRecord]) -> SessionTrace.Extent {
        if losesPackets { return .anyOf(groups.map(\.sequence)) }
        guard writesByTheClock else { return .whole }
        return .common(groups.map(\.sequence), isLastWhole: groups.last?.end == .finished)
    }

    /// What is said of a group that is over.
    private func group(_ group: GroupRecord) -> String {
        guard group.end == .finished else { return "group \(group.sequence) \(end(group.end))" }
        let sizes = group.sizes.map(String.init).joined(separator: "+")
        // The timestamps themselves are instants of the publisher's clock.
        let times = group.timestamps.isEmpty ? "" : ", with timestamps"
        return "group \(group.sequence) of \(sizes) bytes\(times)"
    }

    /// Whether an end, or none, comes from the end of the steps rather than from the relay.
    private func isOpen(_ end: RecordedEnd?) -> Bool {
        switch end {
        case nil, .local, .sessionClosed: true
        case .finished, .reset, .resetUnmapped, .malformed: false
        }
    }

    private func end(_ end: RecordedEnd?) -> String {
        switch end {
        case .resetUnmapped: "reset without a code"
        case let end?: end.description
        case nil: "open"
        }
    }

    private func distinct(_ texts: [String]) -> [String] {
        var found: [String] = []
        for text in texts where !found.contains(text) { found.append(text) }
        return found
    }
}
