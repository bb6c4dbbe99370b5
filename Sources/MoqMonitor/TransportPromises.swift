import MoqBase

/// What a relay promises beneath the session, as far as the transport has it.
public struct TransportPromises: Hashable, Sendable {
    /// The largest datagram that it takes; 0 for none.
    public var datagrams: UInt64?
    /// Two-way streams that a client may open from the beginning.
    public var bidirectionalStreams: UInt64?
    /// One-way streams that a client may open from the beginning.
    public var unidirectionalStreams: UInt64?
    /// How long it lets a connection be silent; zero for ever.
    public var idleTimeout: Duration?
    /// The SETTINGS of HTTP/3, by number.
    public var settings: [UInt64: UInt64]?

    /// Nothing known.
    public init() {}
}
