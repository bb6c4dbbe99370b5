/// A relay of the harness's own beside the one under test: it joins others, as relays of a cluster do, and actors may be
/// at it.
public struct FurtherRelay: Equatable, Sendable {
    /// Its name, which actors give as theirs.
    public var name: String
    /// Where it is declared.
    public var location: SourceLocation
    /// The relays to which it begins a session: `relay` is the one under test, others stand before it in the file.
    public var joins: [String]
    /// Its id in hop lists, where the scenario names one.
    public var hop: UInt64?
    /// What pulling over its sessions costs, where the scenario says so (06).
    public var cost: UInt64?
    /// The version of its sessions to others, instead of the case's.
    public var version: String?
    /// The transport of its sessions to others, instead of the case's.
    public var transport: String?
    /// The link of its sessions to others; nil for a perfect one.
    public var link: NetworkConditions?

    /// The name of the relay under test.
    public static let underTest = "relay"
}
