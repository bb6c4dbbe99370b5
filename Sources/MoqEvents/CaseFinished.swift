/// A case ended with its verdict.
public struct CaseFinished: Sendable, Equatable {
    /// The case.
    public var caseID: String
    /// How it ended.
    public var verdict: Verdict
    /// How long it took by the wall clock.
    public var duration: Duration
    /// How long it took on the clock of its world; in a simulated world far more than `duration`.
    public var protocolTime: Duration
    /// The processor time it cost the harness.
    public var cpuTime: Duration
    /// The version that was agreed on, such as `moq-lite-06`; several where sessions differ.
    public var version: String?
    /// The transport that was agreed on, such as `quic`; several where sessions differ.
    public var transport: String?
    /// What each session agreed on last, by the actor: `moq-lite-06 over websocket with TLS1.3`.
    public var sessions: NamedValues
    /// How often requirements were seen to hold or broken, each once and in a fixed order.
    public var checked: [RequirementTally]
    /// Which transitions of machines its actors took, each once and in a fixed order.
    public var transitions: [TransitionTally]
    /// Why, in one line: who does not support what, what a blocked case builds on, which known failure it is.
    public var reason: String?

    /// The end of a case.
    public init(
        caseID: String, verdict: Verdict, duration: Duration = .zero, protocolTime: Duration = .zero,
        cpuTime: Duration = .zero, version: String? = nil, transport: String? = nil,
        sessions: NamedValues = [:], checked: [RequirementTally] = [], transitions: [TransitionTally] = [],
        reason: String? = nil
    ) {
        self.caseID = caseID
        self.verdict = verdict
        self.duration = duration
        self.protocolTime = protocolTime
        self.cpuTime = cpuTime
        self.version = version
        self.transport = transport
        self.sessions = sessions
        self.checked = checked
        self.transitions = transitions
        self.reason = reason
    }
}
