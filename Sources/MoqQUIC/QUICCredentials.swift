import CNgtcp2
import MoqBase

/// The TLS settings that both sides share.
///
/// TLS 1.3 with the key exchange that every peer has first, and the cheapest ciphers first. No tickets and no early
/// data: every handshake is a full one.
enum TLSPriorities {
    static let settings =
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305"
        + ":-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%DISABLE_TLS13_COMPAT_MODE"

    static func make() throws(QUICError) -> OpaquePointer {
        var priorities: OpaquePointer?
        let result = gnutls_priority_init(&priorities, settings, nil)
        guard result >= 0, let priorities else { throw .tls("the priorities: \(tlsError(result))") }
        return priorities
    }
}

/// GnuTLS's words for a negative result.
func tlsError(_ result: Int32) -> String {
    gnutls_strerror(result).map { String(cString: $0) } ?? "error \(result)"
}

// @unchecked: GnuTLS only reads credentials and priorities once they are set up, from any number of threads.
/// Whom a client trusts, in the form that TLS uses. Made once (reading the system's roots takes milliseconds) and
/// shared by all connections, of several threads too.
public final class QUICClientCredentials: @unchecked Sendable {
    /// What these credentials were made for.
    public let trust: CertificateTrust
    let credentials: OpaquePointer
    let priorities: OpaquePointer

    /// Reads the roots that `trust` names. Throws when a file cannot be used or a fingerprint is none.
    public init(trust: CertificateTrust) throws(QUICError) {
        let normalized = try trust.normalized()
        var credentials: OpaquePointer?
        let result = gnutls_certificate_allocate_credentials(&credentials)
        guard result >= 0, let credentials else { throw .tls("the credentials: \(tlsError(result))") }
        do throws(QUICError) {
            try Self.load(normalized, into: credentials)
            priorities = try TLSPriorities.make()
        } catch {
            gnutls_certificate_free_credentials(credentials)
            throw error
        }
        self.trust = normalized
        self.credentials = credentials
    }

    deinit {
        gnutls_certificate_free_credentials(credentials)
        gnutls_priority_deinit(priorities)
    }

    private static func load(_ trust: CertificateTrust, into credentials: OpaquePointer) throws(QUICError) {
        switch trust {
        case .pinned, .insecure:
            break
        case .systemRoots:
            let count = gnutls_certificate_set_x509_system_trust(credentials)
            if count < 0 {
                throw .unusableCertificate(
                    "cannot read the system's certificate authorities: \(tlsError(count)); install ca-certificates")
            }
        case .roots(let files):
            for file in files {
                let count = gnutls_certificate_set_x509_trust_file(credentials, file, GNUTLS_X509_FMT_PEM)
                if count <= 0 {
                    throw .unusableCertificate(
                        "cannot use \(file) as certificate authorities: "
                            + (count == 0 ? "it holds no PEM certificate" : tlsError(count)))
                }
            }
        }
    }
}

// @unchecked: GnuTLS only reads credentials and priorities once they are set up, from any number of threads.
/// Who a server is, in the form that TLS uses. Made once and shared by all connections, of several threads too.
public final class QUICServerCredentials: @unchecked Sendable {
    /// The identity that these credentials were made of.
    public let identity: ServerIdentity
    let credentials: OpaquePointer
    let priorities: OpaquePointer

    /// Takes certificate and key of `identity`. Throws when they do not fit together.
    public init(identity: ServerIdentity) throws(QUICError) {
        var credentials: OpaquePointer?
        let result = gnutls_certificate_allocate_credentials(&credentials)
        guard result >= 0, let credentials else { throw .tls("the credentials: \(tlsError(result))") }
        var chain = identity.certificateChain
        var key = identity.privateKey
        let loaded = chain.withUnsafeMutableBufferPointer { chain in
            key.withUnsafeMutableBufferPointer { key in
                var chainText = gnutls_datum_t(data: chain.baseAddress, size: UInt32(chain.count))
                var keyText = gnutls_datum_t(data: key.baseAddress, size: UInt32(key.count))
                return gnutls_certificate_set_x509_key_mem(credentials, &chainText, &keyText, GNUTLS_X509_FMT_PEM)
            }
        }
        do throws(QUICError) {
            if loaded < 0 { throw .unusableCertificate("cannot use the certificate and its key: \(tlsError(loaded))") }
            priorities = try TLSPriorities.make()
        } catch {
            gnutls_certificate_free_credentials(credentials)
            throw error
        }
        self.identity = identity
        self.credentials = credentials
    }

    deinit {
        gnutls_certificate_free_credentials(credentials)
        gnutls_priority_deinit(priorities)
    }
}
