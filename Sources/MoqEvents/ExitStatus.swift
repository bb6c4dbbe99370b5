/// What the process says at its end, and why.
public struct ExitStatus: Sendable, Equatable {
    /// One reason for an exit code other than 0.
    public enum Reason: Sendable, Equatable, CustomStringConvertible {
        /// SIGINT cut the run short (130).
        case interrupted
        /// SIGTERM cut the run short (143).
        case terminated
        /// The deadline of the whole run passed (124).
        case deadlinePassed
        /// The command line, a pattern or a scenario file is wrong (2); the sentence says which.
        case usage(String)
        /// The relay or the environment could not be used (3); the sentence says what was tried.
        case environment(String)
        /// Cases ended in an error of the harness or the environment (3).
        case errors(Int)
        /// The same run twice gave two results (6); the sentence says where they differ.
        case nondeterministic(String)
        /// The target does not conform (1).
        case failures(Int)
        /// The target does not follow recommendations, and the run is strict (1).
        case warnings(Int)
        /// The list of known failures is not true any more (4); the sentence says which entry.
        case knownFailures(String)
        /// Cases did not reach what they had to (5).
        case vacuous(Int)
        /// No case had anything to say about the target (5).
        case nothingChecked

        /// The exit code that belongs to the reason.
        public var code: Int32 {
            switch self {
            case .interrupted: 130
            case .terminated: 143
            case .deadlinePassed: 124
            case .usage: 2
            case .environment, .errors: 3
            case .nondeterministic: 6
            case .failures, .warnings: 1
            case .knownFailures: 4
            case .vacuous, .nothingChecked: 5
            }
        }

        /// The reason as a sentence without its full stop.
        public var description: String {
            switch self {
            case .interrupted: "the run was interrupted (SIGINT); what had finished is reported"
            case .terminated: "the run was terminated (SIGTERM); what had finished is reported"
            case .deadlinePassed: "the deadline of the whole run passed; what had finished is reported"
            case .usage(let sentence), .environment(let sentence): sentence
            case .nondeterministic(let sentence): "the same run twice gave two results: \(sentence)"
            case .errors(let count): "\(Self.cases(count)) ended in an error of the harness or the environment"
            case .failures(let count): "\(Self.cases(count)) failed"
            case .warnings(let count): "\(Self.cases(count)) passed with warnings, and the run is strict"
            case .knownFailures(let sentence): "the list of known failures is not true any more: \(sentence)"
            case .vacuous(let count): "\(Self.cases(count)) did not reach what the scenario says must be reached"
            case .nothingChecked: "no case checked anything, so the run is vacuous"
            }
        }

        private static func cases(_ count: Int) -> String {
            "\(count) \(count == 1 ? "case" : "cases")"
        }
    }

    /// What else than the ledger decides.
    public struct Circumstances: Sendable, Equatable {
        /// Whether warnings gate.
        public var strict = false
        /// What is wrong with the command line, a pattern or a scenario file.
        public var usage: String?
        /// Why the relay or the environment could not be used at all.
        public var environment: String?
        /// Where two runs that should be the same differ.
        public var nondeterministic: String?
        /// What is not true any more of the list of known failures, a sentence each.
        public var knownFailures: [String] = []
        /// Cases among the failed ones of which one of these sentences speaks: they are on the list, and failed for
        /// another reason than it records.
        public var listedFailures = 0
        /// What cut the run short.
        public var interruption: Interruption?

        /// Nothing special: not strict, not cut short.
        public init() {}
    }

    /// Every reason that applies, the one that decides first. Empty when all is well.
    public let reasons: [Reason]

    /// The exit code: 0 when there is no reason for another.
    public var code: Int32 { reasons.first?.code ?? 0 }

    /// The status of a run.
    ///
    /// What cut the run short comes first, because then nothing is known of the rest; among the others the order is
    /// 2, 3, 6, 1, 4, 5.
    public init(ledger: Ledger, _ circumstances: Circumstances = Circumstances()) {
        var reasons: [Reason] = []
        switch circumstances.interruption {
        case .interrupt: reasons.append(.interrupted)
        case .terminate: reasons.append(.terminated)
        case .deadline: reasons.append(.deadlinePassed)
        case nil: break
        }
        if let sentence = circumstances.usage { reasons.append(.usage(sentence)) }
        if let sentence = circumstances.environment { reasons.append(.environment(sentence)) }
        if ledger.error > 0 { reasons.append(.errors(ledger.error)) }
        if let sentence = circumstances.nondeterministic { reasons.append(.nondeterministic(sentence)) }
        let failures = ledger.fail - circumstances.listedFailures
        if failures > 0 { reasons.append(.failures(failures)) }
        if circumstances.strict, ledger.warn > 0 { reasons.append(.warnings(ledger.warn)) }
        reasons += circumstances.knownFailures.map(Reason.knownFailures)
        if ledger.vacuous > 0 { reasons.append(.vacuous(ledger.vacuous)) }
        // A run that could not begin, or that only met errors, says that and not also that it was vacuous.
        if reasons.isEmpty, ledger.checked == 0 { reasons.append(.nothingChecked) }
        self.reasons = reasons
    }
}
