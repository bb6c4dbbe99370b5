/// How a case ends.
public enum Verdict: String, Sendable, CaseIterable {
    /// Everything that it checks holds.
    case pass
    /// The target breaks a MUST.
    case fail
    /// The target does not follow a SHOULD; counts as passed unless the run is strict.
    case warn
    /// The harness or the environment went wrong; never blamed on the target.
    case error
    /// The target does not support what the case needs.
    case skip
    /// What the case builds on failed.
    case blocked
    /// The wire of the target's generation cannot show it.
    case notTestable
    /// It ran, and what it says must be reached was not.
    case vacuous
    /// It failed for the reason that is on the list of known failures.
    case known

    /// The verdict as people read it.
    public var label: String {
        self == .notTestable ? "not testable" : rawValue
    }

    /// Whether a run stops here when it is to stop at the first failure.
    public var isTrouble: Bool {
        switch self {
        case .fail, .error, .vacuous: true
        case .pass, .warn, .skip, .blocked, .notTestable, .known: false
        }
    }

    /// Whether the case had something to say about the target.
    public var checkedSomething: Bool {
        switch self {
        case .pass, .fail, .warn, .known: true
        case .error, .skip, .blocked, .notTestable, .vacuous: false
        }
    }
}
