/// What a model of the case could not explain: something that a session saw, or did not see, in no legal order of what
/// the publishers did.
public struct ModelBreach: Hashable, Sendable {
    /// The actor that saw it.
    public var actor: String
    /// What is wrong, in one line.
    public var headline: String
    /// What the model knows.
    public var expected: String
    /// What was seen.
    public var actual: String
    /// Ids of the requirements that are broken.
    public var requirements: [String]

    /// A breach of its parts.
    public init(actor: String, headline: String, expected: String, actual: String, requirements: [String]) {
        self.actor = actor
        self.headline = headline
        self.expected = expected
        self.actual = actual
        self.requirements = requirements
    }
}
