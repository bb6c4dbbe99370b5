/// What carries a session: the words of scenarios, flags and reports.
public enum TransportKind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Raw QUIC: the protocol is the ALPN.
    case quic
    /// WebTransport over HTTP/3.
    case webtransport
    /// Qmux over WebSocket, with TLS or without.
    case websocket
    /// Qmux over TCP, with TLS or without.
    case tcp

    /// Whether it runs over datagrams (UDP) rather than over a byte stream (TCP).
    public var usesDatagrams: Bool { self == .quic || self == .webtransport }

    /// Whether the handshake itself carries path and query of a URL. Elsewhere SETUP does, from 05 on.
    public var carriesRequestPath: Bool { self == .webtransport || self == .websocket }

    /// Whether moq-lite datagrams can travel (Qmux has none).
    public var carriesDatagrams: Bool { usesDatagrams }

    public var description: String { rawValue }
}
