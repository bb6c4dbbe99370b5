/// One thing that a run did or found.
///
/// A stream starts with `runStarted` and ends with `runFinished`, unless the run died. Between them every case has
/// one `caseStarted`, then its traces, steps and findings, then one `caseFinished`. Events of cases that run side by
/// side interleave; each names its case.
public enum RunEvent: Sendable, Equatable {
    /// The run begins: what is run, against what, from which seed.
    case runStarted(RunStarted)
    /// The target answered the probe: its code generation and how it was reached.
    case targetProbed(TargetProbed)
    /// A case begins.
    case caseStarted(CaseStarted)
    /// An actor, the network or a check did something worth a line of the timeline.
    case trace(TraceEntry)
    /// A step of the scenario ended.
    case step(StepEnded)
    /// Something is to be said about the target, the harness or the scenario, with its evidence.
    case finding(Finding)
    /// A case ended with its verdict.
    case caseFinished(CaseFinished)
    /// The run ended, complete or cut short.
    case runFinished(RunFinished)
    /// A kind of event that this build does not know, from a newer stream. It is counted and otherwise ignored.
    case unknown(kind: String)

    /// The case that the event belongs to, or nil when it is about the whole run.
    public var caseID: String? {
        switch self {
        case .caseStarted(let event): event.caseID
        case .trace(let event): event.caseID
        case .step(let event): event.caseID
        case .finding(let event): event.caseID
        case .caseFinished(let event): event.caseID
        case .runStarted, .targetProbed, .runFinished, .unknown: nil
        }
    }

    /// The same event in a round of the run, from 1: whatever belongs to a case says so in the case's id.
    public func inRound(_ round: Int) -> RunEvent {
        guard round > 1 else { return self }
        let suffix = CaseStarted.suffix(round)
        switch self {
        case .caseStarted(let event): return .caseStarted(event.played(in: round))
        case .trace(var event):
            event.caseID += suffix
            return .trace(event)
        case .step(var event):
            event.caseID += suffix
            return .step(event)
        case .finding(var event):
            event.caseID += suffix
            return .finding(event)
        case .caseFinished(var event):
            event.caseID += suffix
            return .caseFinished(event)
        case .runStarted, .targetProbed, .runFinished, .unknown: return self
        }
    }

    /// The event's name in the stream.
    public var kind: String {
        switch self {
        case .runStarted: "runStarted"
        case .targetProbed: "targetProbed"
        case .caseStarted: "caseStarted"
        case .trace: "trace"
        case .step: "step"
        case .finding: "finding"
        case .caseFinished: "caseFinished"
        case .runFinished: "runFinished"
        case .unknown(let kind): kind
        }
    }
}
