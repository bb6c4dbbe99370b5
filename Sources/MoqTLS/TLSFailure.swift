import MoqQUIC

/// Why a TLS stream failed.
public enum TLSFailure: Hashable, Sendable, CustomStringConvertible {
    /// The server's certificate was not accepted here.
    case certificateRefused(CertificateRefusal)
    /// The peer sent a fatal alert (RFC 8446 section 6).
    case alertReceived(UInt8)
    /// What the peer sent breaks TLS; an alert was sent to it. The text has OpenSSL's reason.
    case violation(String)
    /// What came is not TLS at all.
    case notTLS
    /// None of the protocols of the two sides is the same, as seen here.
    case noProtocol
    /// The handshake was not complete in time.
    case handshakeTimeout
    /// The stream broke beneath TLS, with its reason.
    case broken(String)
    /// The stream ended without TLS's closing message: what came may not be everything.
    case truncated
    /// The stream ended before the handshake was complete.
    case endedInHandshake

    public var description: String {
        switch self {
        case .certificateRefused(let refusal): "\(refusal)"
        case .alertReceived(let alert): "the peer refused TLS: \(TLSAlert.words(alert: alert))"
        case .violation(let why): "the peer broke the rules of TLS: \(why)"
        case .notTLS: "the peer does not speak TLS on this port; check the port, or use a scheme without TLS"
        case .noProtocol: "no application protocol (ALPN) in common"
        case .handshakeTimeout: "the TLS handshake was not complete in time"
        case .broken(let why): why
        case .truncated: "the connection ended without TLS's closing message; what came may not be everything"
        case .endedInHandshake: "the peer ended the connection in the TLS handshake; it may speak no TLS on this port"
        }
    }
}
