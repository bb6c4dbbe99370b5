/// The words that other rooms own and scenarios use.
public struct Vocabulary: Equatable, Sendable {
    /// Names of error conditions (`not_found`). `app(N)` and numbers are understood besides.
    public var conditions: [String]
    /// Capabilities that a scenario may need.
    public var capabilities: [String]
    /// Ids of the requirement registry; nil where there is none to check against.
    public var requirements: [String]? { didSet { requirementsToFind = Set(requirements ?? []) } }
    /// Protocol versions that can be run, oldest first (`moq-lite-03`).
    public var versions: [String]
    /// Transports that can be run: what `all` stands for. `auto`, a race between them, is understood besides.
    public var transports: [String]

    /// The same ids, since every scenario asks for some.
    private var requirementsToFind: Set<String> = []

    /// The words of a run.
    public init(
        conditions: [String], capabilities: [String], requirements: [String]? = nil, versions: [String],
        transports: [String] = ["quic"]
    ) {
        self.conditions = conditions
        self.capabilities = capabilities
        self.requirements = requirements
        requirementsToFind = Set(requirements ?? [])
        self.versions = versions
        self.transports = transports
    }

    /// Whether there is a registry to check against, and no such requirement in it.
    func lacksRequirement(_ id: String) -> Bool { requirements != nil && !requirementsToFind.contains(id) }
}
