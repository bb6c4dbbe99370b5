/// The words that other rooms own and scenarios use.
public struct Vocabulary: Equatable, Sendable {
    /// Names of error conditions (`not_found`). `app(N)` and numbers are understood besides.
    public var conditions: [String]
    /// Capabilities that a scenario may need.
    public var capabilities: [String]
    /// Ids of the requirement registry; nil where there is none to check against.
    public var requirements: [String]?
    /// Protocol versions that can be run, oldest first (`moq-lite-03`).
    public var versions: [String]
    /// Transports that can be run.
    public var transports: [String]
    /// Versions that exist but cannot be run: their cases are listed with that reason.
    public var otherVersions: [String]
    /// Transports that exist but cannot be run: their cases are listed with that reason.
    public var otherTransports: [String]

    /// The words of a run.
    public init(
        conditions: [String], capabilities: [String], requirements: [String]? = nil, versions: [String],
        transports: [String] = ["quic"],
        otherVersions: [String] = ["moq-lite-01", "moq-lite-02", "moq-lite-07-wip"],
        otherTransports: [String] = ["webtransport", "qmux", "websocket"]
    ) {
        self.conditions = conditions
        self.capabilities = capabilities
        self.requirements = requirements
        self.versions = versions
        self.transports = transports
        self.otherVersions = otherVersions
        self.otherTransports = otherTransports
    }
}
