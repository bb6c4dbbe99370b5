import MoqQUIC
import MoqTLS

/// Whom dialling trusts, in the forms that QUIC and TLS over byte streams use. Made once and shared by all connections,
/// of several threads too.
public struct DialCredentials: Sendable {
    /// For QUIC and WebTransport.
    public let quic: QUICClientCredentials
    /// For WebSocket and TCP.
    public let streams: TLSClientCredentials

    /// Reads the roots that `trust` names. Throws when a file cannot be used or a fingerprint is none.
    public init(trust: CertificateTrust) throws(DialError) {
        do {
            quic = try QUICClientCredentials(trust: trust)
            streams = try TLSClientCredentials(trust: trust)
        } catch {
            throw .unusable("\(error)")
        }
    }

    /// What they were made for.
    public var trust: CertificateTrust { quic.trust }
}
