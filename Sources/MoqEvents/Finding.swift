/// Something to be said about a case, with its evidence.
public struct Finding: Sendable, Equatable {
    /// How much it weighs.
    public enum Severity: String, Sendable, CaseIterable {
        /// The target breaks a MUST.
        case fail
        /// The target does not follow a SHOULD.
        case warn
        /// The harness or the environment went wrong; nothing is said about the target.
        case error
        /// What the scenario says must be reached was not.
        case vacuous
        /// The wire of the target's generation cannot show it.
        case notTestable
        /// The target does not support what is needed.
        case skip
        /// Worth knowing, without weight.
        case note
    }

    /// The case.
    public var caseID: String
    /// How much it weighs.
    public var severity: Severity
    /// What is wrong, in one line.
    public var headline: String
    /// The line of the scenario file that asked for it.
    public var place: FilePlace?
    /// That line's text.
    public var sourceLine: String?
    /// What was expected; several lines when several outcomes are legal.
    public var expected: String?
    /// What came instead, decoded.
    public var actual: String?
    /// Ids of the requirements it is about.
    public var requirements: [String]
    /// Where the requirement comes from: a section of the draft, or a peer's version in which it was observed.
    public var basis: String?
    /// The bytes on the wire that show it; empty when none do.
    public var bytes: [UInt8]
    /// When it was found, since the case began.
    public var at: Duration?

    /// A finding.
    public init(
        caseID: String, severity: Severity, headline: String, place: FilePlace? = nil, sourceLine: String? = nil,
        expected: String? = nil, actual: String? = nil, requirements: [String] = [], basis: String? = nil,
        bytes: [UInt8] = [], at: Duration? = nil
    ) {
        self.caseID = caseID
        self.severity = severity
        self.headline = headline
        self.place = place
        self.sourceLine = sourceLine
        self.expected = expected
        self.actual = actual
        self.requirements = requirements
        self.basis = basis
        self.bytes = bytes
        self.at = at
    }
}
