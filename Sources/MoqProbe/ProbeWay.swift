import MoqTransport

/// One way to meet a relay: a transport, with TLS or without it where it can do either.
public struct ProbeWay: Hashable, Sendable, CustomStringConvertible {
    /// What carries the session.
    public var kind: TransportKind
    /// Whether TLS protects it; what runs over QUIC always is.
    public var isSecure: Bool

    /// A way of its parts.
    public init(_ kind: TransportKind, isSecure: Bool) {
        self.kind = kind
        self.isSecure = isSecure || kind.usesDatagrams
    }

    /// All that a host and a port can have, in the order in which they are tried.
    public static let all: [ProbeWay] = TransportKind.allCases.flatMap { kind in
        kind.usesDatagrams
            ? [ProbeWay(kind, isSecure: true)] : [ProbeWay(kind, isSecure: false), ProbeWay(kind, isSecure: true)]
    }

    /// `quic`, `websocket`, `websocket+tls`.
    public var description: String {
        isSecure && !kind.usesDatagrams ? "\(kind)+tls" : kind.rawValue
    }

    /// The network below: `UDP` or `TCP`.
    var network: String { kind.usesDatagrams ? "UDP" : "TCP" }
}
