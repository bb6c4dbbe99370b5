import MoqEvents

/// What playing cases against a relay with one fault came to.
public struct MutationResult: Sendable {
    /// How the fault fared.
    public enum Outcome: Sendable {
        /// A case found it: what it said names one of the fault's requirements.
        case noticed(Notice)
        /// Cases failed, and what they said names none of the fault's requirements: the first of them.
        case unrelated([Notice])
        /// No case failed.
        case unnoticed
        /// There is no case that could notice it, or a case did not come to an end: why.
        case unplayable(String)
    }

    /// What one case said.
    public struct Notice: Sendable, Equatable {
        /// The case.
        public var caseID: String
        /// The requirements that its finding names: of a notice those of the fault, else all.
        public var requirements: [String]
        /// The finding's headline.
        public var headline: String

        /// A notice of its parts.
        public init(caseID: String, requirements: [String], headline: String) {
            self.caseID = caseID
            self.requirements = requirements
            self.headline = headline
        }
    }

    /// The fault.
    public var fault: Mutant
    /// How it fared.
    public var outcome: Outcome
    /// How many cases were played with it.
    public var played: Int
    /// Cases that fail, or say nothing, without any fault: what they said counts for nothing.
    public var unsound: [String]
    /// By the wall clock.
    public var duration: Duration

    /// A result of its parts.
    public init(fault: Mutant, outcome: Outcome, played: Int, unsound: [String], duration: Duration) {
        self.fault = fault
        self.outcome = outcome
        self.played = played
        self.unsound = unsound
        self.duration = duration
    }

    /// Whether a case found the fault, and no case that was needed fails without it.
    public var isGood: Bool {
        if case .noticed = outcome { unsound.isEmpty } else { false }
    }
}
