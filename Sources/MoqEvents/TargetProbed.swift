/// What the probe at the start of a run found out about the target.
public struct TargetProbed: Sendable, Equatable {
    /// Which table of error codes the target speaks: the numbers for one condition differ between generations of the
    /// original stack.
    public enum Generation: String, Sendable, CaseIterable {
        /// The old table: 13, 24, 25 and 26 belong to it.
        case first
        /// The registry with separate spaces for streams and sessions.
        case second
        /// The evidence did not decide.
        case unknown
    }

    /// Which table of error codes the target speaks.
    public var generation: Generation
    /// The sentence that says why, such as what was asked and which code came back, or that it was set by hand.
    public var evidence: String
    /// The version that was agreed on, such as `moq-lite-06`.
    public var version: String?
    /// The transport of the probe, such as `quic`.
    public var transport: String?
    /// SHA-256 of the target's leaf certificate in hex, when it showed one.
    public var certificateFingerprint: String?

    /// The result of a probe.
    public init(
        generation: Generation, evidence: String, version: String? = nil, transport: String? = nil,
        certificateFingerprint: String? = nil
    ) {
        self.generation = generation
        self.evidence = evidence
        self.version = version
        self.transport = transport
        self.certificateFingerprint = certificateFingerprint
    }
}
