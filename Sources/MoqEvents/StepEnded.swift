/// A step of a scenario ended.
public struct StepEnded: Sendable, Equatable {
    /// How a step ended.
    public enum Outcome: String, Sendable, CaseIterable {
        /// It did, or saw, what it says.
        case passed
        /// It did not; a finding of the same case says more.
        case failed
        /// It was not reached, or what it needs is not there.
        case skipped
        /// The target's code generation cannot show what it asks for.
        case notTestable
    }

    /// The case.
    public var caseID: String
    /// The step's position from 0, one number for each level of nesting: `[2, 0]` is the first step inside the third.
    public var indexPath: [Int]
    /// The step as it stands in the file, such as `viewer.expect track video`.
    public var text: String
    /// Where it stands.
    public var place: FilePlace?
    /// How it ended.
    public var outcome: Outcome
    /// When it ended, since the case began.
    public var at: Duration
    /// What was seen, where the step allows several things; why, where it was skipped.
    public var detail: String?

    /// The end of a step.
    public init(
        caseID: String, indexPath: [Int], text: String, place: FilePlace? = nil, outcome: Outcome,
        at: Duration = .zero, detail: String? = nil
    ) {
        self.caseID = caseID
        self.indexPath = indexPath
        self.text = text
        self.place = place
        self.outcome = outcome
        self.at = at
        self.detail = detail
    }
}
