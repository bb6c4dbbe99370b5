import MoqEvents
import MoqScenario
import MoqWire

/// Holds the expectations of one step against a record that grows.
///
/// A judge belongs to one step of one actor: it remembers how far an `in_order` has come, and where the record stood
/// when the step began, which a `never` needs.
public struct Judge: Sendable {
    private let tree: ExpectationTree
    /// Whether a thing that happened and is over counts as well: what `never` means.
    private let countsPast: Bool
    private let announcementsBefore: Int
    /// What a client had seen when the step began.
    private let clientBefore: ClientRecord?
    /// How many lines a program had printed when the step began.
    private let linesBefore: Int
    private var progress: [String: Int] = [:]
    private var earlyComers: [String: String] = [:]

    /// A judge of what must become true.
    public init(expecting tree: ExpectationTree) {
        self.tree = tree
        countsPast = false
        announcementsBefore = 0
        clientBefore = nil
        linesBefore = 0
    }

    /// A judge of what must not happen from now on: `record` is what was seen before.
    public init(forbidding tree: ExpectationTree, after record: SessionRecord) {
        self.tree = tree
        countsPast = true
        announcementsBefore = record.announcements.count
        clientBefore = record.client
        linesBefore = record.program?.lineCount ?? 0
    }

    /// Judges the record as it stands.
    public mutating func judge(_ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        judge(tree, at: "", record, context)
    }

    private mutating func judge(
        _ node: ExpectationTree, at place: String, _ record: SessionRecord, _ context: JudgeContext
    ) -> Judgement {
        switch node {
        case .one(let expectation):
            return judge(expectation, record, context)
        case .all(let nodes):
            return .all(judgeEach(nodes, at: place, record, context))
        case .any(let nodes):
            return .any(judgeEach(nodes, at: place, record, context))
        case .inOrder(let nodes):
            return judgeOrder(nodes, at: place, record, context)
        }
    }

    private mutating func judgeOrder(
        _ nodes: [ExpectationTree], at place: String, _ record: SessionRecord, _ context: JudgeContext
    ) -> Judgement {
        if let early = earlyComers[place] { return .broken(early) }
        while let index = Optional(progress[place, default: 0]), index < nodes.count {
            let judgement = judge(nodes[index], at: "\(place)/\(index)", record, context)
            guard judgement.isMet else {
                if let early = judgeEarly(nodes, after: index, at: place, record, context) {
                    earlyComers[place] = early
                    return .broken(early)
                }
                if case .pending(let text) = judgement {
                    return .pending("\(index) of \(nodes.count) happened in order; then: \(text)")
                }
                return judgement
            }
            progress[place] = index + 1
        }
        return .met("all \(nodes.count) happened in order")
    }

    /// Says which thing came before one that had to come first. What is looked for twice (announced, withdrawn,
    /// announced) holds already the first time, and says nothing.
    private mutating func judgeEarly(
        _ nodes: [ExpectationTree], after index: Int, at place: String, _ record: SessionRecord, _ context: JudgeContext
    ) -> String? {
        for later in nodes.indices where later > index {
            if nodes[..<later].contains(where: { $0.looksForTheSame(as: nodes[later]) }) { continue }
            let judgement = judge(nodes[later], at: "\(place)/\(later)", record, context)
            if judgement.isMet { return "number \(later + 1) came before number \(index + 1): \(judgement.seen)" }
        }
        return nil
    }

    private mutating func judgeEach(
        _ nodes: [ExpectationTree], at place: String, _ record: SessionRecord, _ context: JudgeContext
    ) -> [Judgement] {
        var judgements: [Judgement] = []
        for (index, node) in nodes.enumerated() {
            judgements.append(judge(node, at: "\(place)/\(index)", record, context))
        }
        return judgements
    }

    private func judge(_ expectation: Expectation, _ record: SessionRecord, _ context: JudgeContext) -> Judgement {
        let count = expectation.occurrences
        switch expectation.kind {
        case .announced(let wanted):
            return judgeAnnounced(wanted, count, record)
        case .unannounced(let wanted):
            return judgeUnannounced(wanted, count, record)
        case .reannounced(let wanted):
            let updates = record.announcements.filter { $0.isActive && $0.isUpdate && Self.matches($0, wanted) }.count
            return Self.tally(updates, count, "announced anew \(Counted.text(updates, "time"))")
        case .subscribeRequest(let wanted):
            return judgeSubscribeRequest(wanted, count, record)
        case .subscribeUpdated(let wanted):
            return judgeSubscribeUpdated(wanted, count, record)
        case .unsubscribed(let target, let code):
            return judgeUnsubscribed(target, code, count, record, context)
        case .fetchRequest(let wanted):
            return judgeRequests(.fetch, wanted, count, record)
        case .trackInfoRequest(let wanted):
            return judgeRequests(.track, wanted, count, record)
        case .track(let wanted):
            return judgeTrack(wanted, record, context)
        case .trackInfo(let wanted):
            return judgeTrackInfo(wanted, record, context)
        case .fetched(let wanted):
            return judgeFetched(wanted, record, context)
        case .datagrams(let wanted):
            let subscription = Self.subscription(wanted.target, in: record)
            let arrived = subscription?.datagrams.count ?? 0
            return Self.tally(arrived, wanted.count, "\(Counted.text(arrived, "datagram")) arrived")
        case .session(let wanted):
            return judgeSession(wanted, record, context)
        case .catalog(let wanted):
            return judgeCatalog(wanted, record, context)
        case .goaway(let uri):
            let matching = record.goaways.filter { uri == nil || $0 == uri }.count
            return Self.tally(matching, count, record.goaways.isEmpty ? "no GOAWAY" : "GOAWAY to \(record.goaways)")
        case .probe:
            return Self.tally(record.probes.count, count, "\(record.probes.count) probe reports")
        case .stream(let wanted):
            return judgeStream(wanted, record, context)
        case .client(.moqom(let wanted)):
            return Self.judge(
                wanted, count, record.client ?? ClientRecord(), context,
                since: countsPast ? clientBefore ?? ClientRecord() : nil)
        case .client(let wanted):
            return Self.judge(
                wanted, count, record.client ?? ClientRecord(), context,
                since: countsPast ? clientBefore?.events.count ?? 0 : nil)
        case .program(let wanted):
            return Self.judge(wanted, count, record.program ?? ProgramRecord(), since: countsPast ? linesBefore : nil)
        case .relayServes:
            switch context.relayServes {
            case true?: return .met("the relay served a new session")
            case false?: return .broken("the relay did not serve a new session")
            case nil: return .pending("waiting for the relay to serve a new session")
            }
        }
    }

    // MARK: Announcements

    private func judgeAnnounced(
        _ wanted: AnnouncementExpectation, _ count: CountExpectation?, _ record: SessionRecord
    ) -> Judgement {
        let matching = record.announcements.enumerated().filter {
            $0.element.isActive && Self.matches($0.element, wanted)
        }
        let seen = Self.announced(record)
        if countsPast {
            // What was announced before the step and is still live is as forbidden as what comes.
            let live = matching.last.map { record.active.contains($0.element.path) } ?? false
            let since = matching.filter { $0.offset >= announcementsBefore }
            let number = since.count + (live && since.isEmpty ? 1 : 0)
            return Self.tally(number, count, seen)
        }
        if let count { return Self.tally(matching.filter { !$0.element.isUpdate }.count, count, seen) }
        let live = matching.contains { entry in
            record.active.contains(entry.element.path)
                && record.announcements.lastIndex { $0.path == entry.element.path && $0.isActive } == entry.offset
        }
        return live ? .met(seen) : .pending(seen)
    }

    private func judgeUnannounced(
        _ wanted: AnnouncementExpectation, _ count: CountExpectation?, _ record: SessionRecord
    ) -> Judgement {
        let ended = record.announcements.enumerated().filter {
            !$0.element.isActive && (wanted.broadcast == nil || $0.element.path == wanted.broadcast)
                && $0.offset >= announcementsBefore
        }
        let seen = Self.announced(record)
        if countsPast || count != nil { return Self.tally(ended.count, count, seen) }
        let over = ended.contains { !record.active.contains($0.element.path) }
        return over ? .met(seen) : .pending(seen)
    }

    /// Broadcasts that are named in what was seen: a relay that floods announces thousands.
    private static let broadcastsNamed = 20

    private static func announced(_ record: SessionRecord) -> String {
        guard !record.active.isEmpty else { return "nothing is announced" }
        let more = record.active.count - broadcastsNamed
        return "announced: \(record.active.prefix(broadcastsNamed).joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }

    private static func matches(_ announcement: AnnouncementRecord, _ wanted: AnnouncementExpectation) -> Bool {
        if let broadcast = wanted.broadcast, announcement.path != broadcast { return false }
        if let hops = wanted.hops, !hops.matches(announcement.hops) { return false }
        if let cost = wanted.cost, !cost.contains(Int(clamping: announcement.cost ?? 0)) { return false }
        return true
    }

    // MARK: Session

    private func judgeSession(
        _ wanted: SessionExpectation, _ record: SessionRecord, _ context: JudgeContext
    ) -> Judgement {
        let seen = record.state.description
        switch (wanted, record.state) {
        case (.connected(let wanted), .connected): return judgeAgreement(wanted, record, seen)
        case (.connected, .closed): return .broken(seen)
        case (.connected, _): return .pending(seen)
        case (.closed(let codes), .closed(let close)):
            if !record.wasEstablished { return .broken("\(seen), before it was up") }
            return context.codes.judge(close, against: codes)
        case (.refused(let ways), .closed(let close)):
            // A relay of 05 on refuses by closing what had come up: it learns the path only then.
            return context.codes.judge(close, against: ways)
        case (.closed, _), (.refused, _): return .pending(seen)
        }
    }

    private func judgeAgreement(
        _ wanted: AgreementExpectation, _ record: SessionRecord, _ seen: String
    ) -> Judgement {
        guard let agreed = record.agreement else {
            return wanted == AgreementExpectation() ? .met(seen) : .pending(seen)
        }
        let name = agreed.protocolName ?? AgreementExpectation.noProtocolName
        let text = "connected: \(agreed.version), protocol \(name), over \(agreed.transport)"
        let isWanted =
            wanted.version ?? agreed.version == agreed.version && wanted.protocolName ?? name == name
            && wanted.transport ?? agreed.transport == agreed.transport
        return isWanted ? .met(text) : .broken(text)
    }

    // MARK: Raw streams

    private func judgeStream(
        _ wanted: StreamExpectation, _ record: SessionRecord, _ context: JudgeContext
    ) -> Judgement {
        guard let stream = record.rawStreams[wanted.label] else { return .pending("no stream \(wanted.label)") }
        var parts: [Judgement] = []
        if let codes = wanted.reset {
            parts.append(Self.judge(stream.end, codes, "the relay's half is open", context))
        }
        if let codes = wanted.stopped {
            parts.append(Self.judge(stream.stopped, codes, "the relay reads on", context, on: .stop))
        }
        if let finished = wanted.finished {
            let isFinished = stream.end == .finished
            parts.append(isFinished == finished ? .met("finished") : .pending("\(stream.end?.description ?? "open")"))
        }
        if let bytes = wanted.bytes {
            let arrived = stream.received
            parts.append(
                arrived.starts(with: bytes)
                    ? .met("\(Counted.text(arrived.count, "byte")) arrived")
                    : bytes.starts(with: arrived.prefix(bytes.count))
                        ? .pending("\(Counted.text(arrived.count, "byte")) arrived")
                        : .broken("other bytes arrived: \(Self.shown(arrived))"))
        }
        if let bytes = wanted.contained {
            let arrived = stream.received
            parts.append(
                arrived.firstRange(of: bytes) != nil
                    ? .met("among \(Counted.text(arrived.count, "byte"))")
                    : .pending("\(Counted.text(arrived.count, "byte")) arrived: \(Self.shown(arrived))"))
        }
        if wanted.namesCertificate { parts.append(Self.judge(stream.received, context.certificate)) }
        if let headers = wanted.headers { parts.append(Self.judge(stream.headers, headers)) }
        return .all(parts)
    }

    private static func judge(_ received: [UInt8], _ certificate: String?) -> Judgement {
        guard let certificate else { return .notTestable("the fingerprint of the relay's certificate is not known") }
        return received.firstRange(of: Array(certificate.utf8)) != nil
            ? .met("the fingerprint \(certificate)")
            : .pending("\(Counted.text(received.count, "byte")) arrived without \(certificate): \(shown(received))")
    }

    private static func judge(_ seen: [[String]]?, _ wanted: [HeaderText]) -> Judgement {
        guard let seen else { return .pending("no head of a message") }
        let text = "headers " + seen.map { $0.joined(separator: ": ") }.joined(separator: ", ")
        let isWanted = wanted.allSatisfy { header in
            let values = seen.filter { $0.first == header.name }.compactMap(\.last)
            return header.value == HeaderText.missing ? values.isEmpty : values == [header.value]
        }
        return isWanted ? .met(text) : .broken(text)
    }

    /// The end of what arrived, where the answer to the last bytes is.
    private static func shown(_ bytes: [UInt8]) -> String {
        "…" + Hex.text(bytes.suffix(bytesShown))
    }

    private static let bytesShown = 48

    static func judge(
        _ end: RecordedEnd?, _ codes: CodeExpectation, _ otherwise: String, _ context: JudgeContext,
        on signal: CodeSignal = .reset
    ) -> Judgement {
        guard let end else { return .pending(otherwise) }
        return context.codes.judge(end, against: codes, on: signal)
    }

    // MARK: Counting

    /// Judges a number that can only grow.
    static func tally(_ number: Int, _ wanted: CountExpectation?, _ seen: String) -> Judgement {
        let wanted = wanted ?? CountExpectation(minimum: 1, maximum: nil)
        if let maximum = wanted.maximum, number > maximum { return .broken("\(seen) (\(number), not \(wanted))") }
        return number >= wanted.minimum ? .met(seen) : .pending("\(seen) (\(number), not \(wanted))")
    }
}

extension HopsExpectation {
    /// Whether the hops of an announcement are these.
    func matches(_ hops: [UInt64]) -> Bool {
        switch self {
        case .count(let count): count.contains(hops.count)
        case .list(let wanted):
            wanted.count == hops.count && zip(wanted, hops).allSatisfy { $0 == .any || $0 == .id($1) }
        }
    }
}
