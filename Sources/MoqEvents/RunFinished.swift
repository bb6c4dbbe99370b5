/// The last event of a stream.
public struct RunFinished: Sendable, Equatable {
    /// How the cases ended, counted by the runner; readers count again and say so when the two differ.
    public var ledger: Ledger
    /// The exit code of the process.
    public var exitCode: Int32
    /// Every reason for an exit code other than 0, the one that decided first.
    public var reasons: [String]
    /// How long the run took by the wall clock.
    public var duration: Duration
    /// What cut the run short, if anything did.
    public var interruption: Interruption?

    /// The end of a run.
    public init(
        ledger: Ledger, exitCode: Int32, reasons: [String] = [], duration: Duration = .zero,
        interruption: Interruption? = nil
    ) {
        self.ledger = ledger
        self.exitCode = exitCode
        self.reasons = reasons
        self.duration = duration
        self.interruption = interruption
    }

    /// The end of a run whose exit status has been computed.
    public init(ledger: Ledger, status: ExitStatus, duration: Duration, interruption: Interruption? = nil) {
        self.init(
            ledger: ledger, exitCode: status.code, reasons: status.reasons.map(\.description), duration: duration,
            interruption: interruption)
    }
}

/// What cut a run short.
public enum Interruption: String, Sendable, CaseIterable {
    /// SIGINT, mostly from a keyboard.
    case interrupt
    /// SIGTERM.
    case terminate
    /// The deadline of the whole run passed.
    case deadline
}
