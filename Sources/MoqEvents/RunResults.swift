import MoqBase

/// What a stream of events says about a run, folded event by event.
///
/// It can be asked at any time. A stream that stops in the middle loses nothing: `conclude` gives what had begun and
/// not ended the verdict `error`. Memory is bounded for each case, whatever a case reports.
public struct RunResults: Sendable, Equatable {
    /// The lines of the timeline that are kept for a case: the last ones.
    public static let timelineLimit = 400
    /// Findings kept for a case; more are counted in `CaseResult.droppedFindings`.
    public static let findingLimit = 50
    /// Steps kept for a case: those that did not simply pass.
    public static let stepLimit = 100
    /// Probes kept: one for each version and transport, with room.
    public static let probeLimit = 32
    /// What is said of a case that has no end.
    public static let unfinishedReason = "the run ended before this case did"

    /// How the run began.
    public private(set) var run: RunStarted?
    /// What probing found, in order.
    public private(set) var probes: [TargetProbed] = []
    /// The cases in the order in which they began.
    public private(set) var cases: [CaseResult] = []
    /// How the run ended; nil when the stream has no end.
    public private(set) var end: RunFinished?
    /// Events of a kind that is not known.
    public private(set) var unknownEvents = 0
    /// Events of a case that had not begun, or had ended.
    public private(set) var strayEvents = 0

    /// How the cases ended in the rounds of a run that repeats itself; empty for any other.
    public private(set) var rounds = RoundTally()
    /// Plays of later rounds that ended as in the first and have nothing to tell: they are counted and not kept.
    public private(set) var folded = Ledger()

    private let keepsTimelinesOfPasses: Bool
    private var indices: [String: Int] = [:]
    /// Cases of later rounds that are under way.
    private var repeating: [String: CaseResult] = [:]

    /// Results of nothing yet. Timelines of cases that pass are dropped when they end, unless they are asked for.
    public init(keepsTimelinesOfPasses: Bool = false) {
        self.keepsTimelinesOfPasses = keepsTimelinesOfPasses
    }

    /// The results of a whole stream, concluded.
    public init(of events: some Sequence<RunEvent>, keepsTimelinesOfPasses: Bool = false) {
        self.init(keepsTimelinesOfPasses: keepsTimelinesOfPasses)
        for event in events { apply(event) }
        conclude()
    }

    /// Takes the next event. Secrets in it are redacted here too: reports are made from results. Gives the case that
    /// it ended, unless that is one more play that ended as the one before.
    @discardableResult
    public mutating func apply(_ event: RunEvent) -> CaseResult? {
        switch event.published() {
        case .runStarted(let event): run = event
        case .targetProbed(let event):
            if probes.count < Self.probeLimit { probes.append(event) }
        case .caseStarted(let event):
            if event.round > 1 {
                repeating[event.caseID] = CaseResult(start: event)
            } else {
                indices[event.caseID] = cases.count
                cases.append(CaseResult(start: event))
            }
        case .trace(let event): update(event.caseID) { $0.add(event) }
        case .step(let event): update(event.caseID) { $0.add(event) }
        case .finding(let event): update(event.caseID) { $0.add(event) }
        case .caseFinished(let event): return finish(event)
        case .runFinished(let event):
            end = event
            conclude()
        case .unknown: unknownEvents += 1
        }
        return nil
    }

    private mutating func finish(_ event: CaseFinished) -> CaseResult? {
        let keeps = keepsTimelinesOfPasses
        update(event.caseID) { $0.finish(event, keepsTimelineOfPass: keeps) }
        if let index = indices.removeValue(forKey: event.caseID) {
            if run?.rounds != 1 { rounds.count(cases[index].start.idInAnyRound, event.verdict) }
            return cases[index]
        }
        guard let result = repeating.removeValue(forKey: event.caseID) else { return nil }
        let first = rounds.first(result.start.idInAnyRound)
        rounds.count(result.start.idInAnyRound, event.verdict)
        if first == event.verdict, !event.verdict.isTrouble {
            folded.count(event.verdict)
            return nil
        }
        cases.append(result)
        return result
    }

    /// Gives every case that has not ended the verdict `error`: there is nothing more to come.
    public mutating func conclude() {
        cases += repeating.keys.sorted().compactMap { repeating[$0] }
        repeating = [:]
        for index in cases.indices where cases[index].end == nil {
            let caseID = cases[index].start.caseID
            cases[index].add(
                Finding(
                    caseID: caseID, severity: .error, headline: Self.unfinishedReason, place: cases[index].start.place))
            cases[index].finish(
                CaseFinished(
                    caseID: caseID, verdict: .error, duration: cases[index].lastInstant,
                    protocolTime: cases[index].lastInstant, reason: Self.unfinishedReason),
                keepsTimelineOfPass: true)
        }
        indices.removeAll()
    }

    /// How the cases ended so far. Cases that were selected and never began are in it once the run is over.
    public var ledger: Ledger {
        var ledger = Ledger(cases.compactMap { $0.end?.verdict })
        ledger += folded
        if let selected = run?.selectedCases, repeating.isEmpty, cases.allSatisfy({ $0.end != nil }) {
            ledger.notStarted = max(0, selected - cases.count - folded.all)
        }
        return ledger
    }

    /// Whether the stream has an end and nothing cut the run short.
    public var isComplete: Bool { end != nil && end?.interruption == nil }

    /// What the last probe found; nil when there was none.
    public var probe: TargetProbed? { probes.last }

    /// The sentence to print when the runner's count of the cases and the events of the cases differ; nil when they
    /// agree, or the runner gave no count.
    public var disagreement: String? {
        guard let counted = end?.ledger, counted != ledger else { return nil }
        return "the runner counted \(counted), and its events say \(ledger); this is a defect of moqspec"
    }

    private mutating func update(_ caseID: String, _ change: (inout CaseResult) -> Void) {
        if let index = indices[caseID] {
            change(&cases[index])
        } else if repeating[caseID] != nil {
            change(&repeating[caseID]!)  // It was looked up in the line above.
        } else {
            strayEvents += 1
        }
    }
}
