import MoqBase
import MoqEvents

/// What happened in one case, in order, for evidence: bounded, so that a relay that floods cannot fill the memory.
struct CaseTrace {
    /// Entries kept from the start of a case; as many again are kept from its end.
    static let entriesKept = 400

    private let caseID: String
    private let start: Instant
    private var head: [TraceEntry] = []
    private var tail: [TraceEntry] = []
    private var dropped = 0

    init(caseID: String, start: Instant) {
        self.caseID = caseID
        self.start = start
    }

    /// Notes one thing that happened.
    mutating func note(
        _ category: TraceEntry.Category, _ actor: String, _ text: String, at now: Instant, data: NamedValues = [:]
    ) {
        let entry = TraceEntry(
            caseID: caseID, at: start.duration(to: now), actor: actor, category: category, text: text, data: data)
        if head.count < Self.entriesKept {
            head.append(entry)
            return
        }
        tail.append(entry)
        if tail.count >= 2 * Self.entriesKept {
            tail.removeFirst(Self.entriesKept)
            dropped += Self.entriesKept
        }
    }

    /// All that is kept; a gap says how much is missing.
    var entries: [TraceEntry] {
        guard dropped > 0, let next = tail.first else { return head + tail }
        let gap = TraceEntry(
            caseID: caseID, at: next.at, actor: "", category: .check, text: "\(dropped) entries left out here",
            data: [:])
        return head + [gap] + tail
    }
}
