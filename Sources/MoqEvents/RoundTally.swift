/// What became of every case in the rounds of a run that repeats itself.
public struct RoundTally: Sendable, Equatable {
    /// A case that did not end in the same way in all rounds.
    public struct Varied: Sendable, Equatable {
        /// The case's id, without a round.
        public var caseID: String
        /// How often it ended how.
        public var verdicts: Ledger

        /// The case and its verdicts, such as `fetch.cached[version=06]: 49 passed + 1 failed`.
        public var description: String {
            let parts = Verdict.allCases.filter { verdicts[$0] > 0 }.map { "\(verdicts[$0]) \($0.label)" }
            return "\(caseID): \(parts.joined(separator: ", "))"
        }
    }

    private var plays: [String: Ledger] = [:]
    private var firsts: [String: Verdict] = [:]
    private var order: [String] = []
    private var variedIDs: Set<String> = []

    /// Nothing was played yet.
    public init() {}

    /// Notes how a case ended in one more round.
    public mutating func count(_ caseID: String, _ verdict: Verdict) {
        if let first = firsts[caseID] {
            if first != verdict { variedIDs.insert(caseID) }
        } else {
            firsts[caseID] = verdict
            order.append(caseID)
        }
        plays[caseID, default: Ledger()].count(verdict)
    }

    /// How a case ended in the first round that is known of it.
    public func first(_ caseID: String) -> Verdict? { firsts[caseID] }

    /// The cases with more than one verdict, in the order in which they first ended.
    public var varied: [Varied] {
        order.filter(variedIDs.contains).map { Varied(caseID: $0, verdicts: plays[$0] ?? Ledger()) }
    }

    /// The varied cases in a sentence; nil when there is none.
    public var sentence: String? {
        let varied = varied
        guard let first = varied.first else { return nil }
        let others = varied.count == 1 ? "" : ", and \(varied.count - 1) more"
        return "verdicts varied from round to round: \(first.description)\(others)"
    }
}
