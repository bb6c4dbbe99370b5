import MoqQUIC

/// Whom a client trusts, in the form that TLS over byte streams uses. Made once (reading the system's roots takes
/// milliseconds) and shared by all streams, of several threads too.
public final class TLSClientCredentials: Sendable {
    /// What these credentials were made for, fingerprints in lowercase.
    public let trust: CertificateTrust
    let context: TLSContext

    /// Reads the roots that `trust` names. Throws when a file cannot be used or a fingerprint is none.
    public init(trust: CertificateTrust) throws(TLSError) {
        do throws(QUICError) {
            self.trust = try trust.normalized()
        } catch {
            throw .unusableCertificate(error.description)
        }
        context = try TLSContext.client(trusting: self.trust)
    }
}

/// Who a server is, in the form that TLS over byte streams uses. Made once and shared by all streams, of several
/// threads too.
public final class TLSServerCredentials: Sendable {
    /// The identity that these credentials were made of.
    public let identity: ServerIdentity
    let context: TLSContext

    /// Takes certificate and key of `identity`. Throws when they do not fit together.
    public init(identity: ServerIdentity) throws(TLSError) {
        self.identity = identity
        context = try TLSContext.server(identity)
    }
}
