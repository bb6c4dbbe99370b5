import MoqQUIC
import MoqTransport

/// What was agreed on, once a connection is established: never what was hoped for.
public struct ConnectionFacts: Hashable, Sendable {
    /// What carries the session.
    public var kind: TransportKind
    /// Whether TLS protects it.
    public var isSecure: Bool
    /// The name that the binding agreed on, wherever it does that; nil where none was named.
    public var negotiatedProtocol: String?
    /// The ALPN of TLS, such as `h3` or `moq-lite-05`; nil without TLS.
    public var alpn: String?
    /// Such as `TLS1.3`; nil without TLS.
    public var tlsVersion: String?
    /// The cipher suite in the words of the TLS library; nil without TLS.
    public var cipher: String?
    /// SHA-256 of the peer's leaf certificate in hexadecimal digits, where it showed one.
    public var certificateFingerprint: String?
    /// What stands in the peer's leaf certificate, where it showed one; on byte streams also when it was refused.
    public var peerCertificate: CertificateFacts?
    /// QUIC's transport parameters of the peer, where QUIC is beneath.
    public var peerParameters: QUICPeerParameters?
    /// The HTTP/3 settings of the peer, by number, where HTTP/3 is spoken.
    public var peerSettings: [UInt64: UInt64]?
    /// The wire format of Qmux, where Qmux is spoken.
    public var qmuxVersion: QmuxVersion?
    /// The peer's transport parameters, where Qmux is spoken.
    public var qmuxParameters: QmuxParameters?

    /// The facts of a transport; the rest is filled in by who knows it.
    public init(kind: TransportKind, isSecure: Bool) {
        self.kind = kind
        self.isSecure = isSecure
    }

    /// The transport in the words of a report.
    public var transport: String { kind.rawValue }
}
