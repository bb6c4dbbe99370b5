/// A request of HTTP/1.1, written on the TCP connection of a raw actor.
public struct GetAction: Equatable, Sendable {
    /// The path, beginning with a slash, as it stands.
    public var path: String
    /// A path of the case that follows it, below the relay's request path; nil for nothing. Empty is the case's own.
    public var below: String?
    /// What stands behind a question mark; nil for nothing.
    public var query: String?
}

/// What a session means to do, as its SETUP says.
public enum SessionRole: String, CaseIterable, Equatable, Sendable {
    case publisher
    case subscriber
}
