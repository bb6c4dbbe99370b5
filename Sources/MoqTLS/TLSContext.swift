import COpenSSL
import MoqQUIC

// @unchecked: OpenSSL only reads a context once it is set up, from any number of threads.
/// The settings that the streams of one side share, in OpenSSL's form.
///
/// TLS 1.2 and 1.3, no tickets, no resumption, no renegotiation: every handshake is a full one.
final class TLSContext: @unchecked Sendable {
    /// Where a session keeps its `TLSEngine`, unretained: the engine outlives the session that it owns.
    static let engineSlot: Int32 = 0
    /// The C macros for these are too complex for Swift.
    private static let noTickets = UInt64(1) << 14
    private static let noRenegotiation = UInt64(1) << 30

    let handle: OpaquePointer

    private init(method: OpaquePointer?) throws(TLSError) {
        ERR_clear_error()
        guard let handle = SSL_CTX_new(method) else { throw .setup(Self.lastError()) }
        self.handle = handle
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_ctrl(handle, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_set_options(handle, Self.noTickets | Self.noRenegotiation)
        SSL_CTX_set_num_tickets(handle, 0)
        SSL_CTX_set_keylog_callback(handle) { session, line in
            guard let line else { return }
            TLSEngine.of(session)?.keyLog?.append(line: String(cString: line))
        }
    }

    deinit {
        SSL_CTX_free(handle)
    }

    /// The client's side.
    static func client(trusting trust: CertificateTrust) throws(TLSError) -> TLSContext {
        let context = try TLSContext(method: TLS_client_method())
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(
            context.handle,
            { store, _ in
                guard let store,
                    let session = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
                else { return 0 }
                return TLSEngine.of(OpaquePointer(session))?.judge(store) ?? 0
            }, nil)
        switch trust {
        case .pinned, .insecure: break
        case .systemRoots:
            guard SSL_CTX_set_default_verify_paths(context.handle) == 1 else {
                throw .unusableCertificate(
                    "cannot read the system's certificate authorities: \(lastError()); install ca-certificates")
            }
        case .roots(let files):
            for file in files {
                ERR_clear_error()
                guard SSL_CTX_load_verify_file(context.handle, file) == 1 else {
                    throw .unusableCertificate("cannot use \(file) as certificate authorities: \(lastError())")
                }
            }
        }
        return context
    }

    /// The server's side.
    static func server(_ identity: ServerIdentity) throws(TLSError) -> TLSContext {
        let context = try TLSContext(method: TLS_server_method())
        try context.use(identity)
        SSL_CTX_set_alpn_select_cb(
            context.handle,
            { session, chosen, length, offered, offeredLength, _ in
                guard let engine = TLSEngine.of(session), let chosen, let length, let offered else {
                    return SSL_TLSEXT_ERR_NOACK
                }
                return engine.choose(
                    from: UnsafeBufferPointer(start: offered, count: Int(offeredLength)), into: chosen, length)
            }, nil)
        return context
    }

    private func use(_ identity: ServerIdentity) throws(TLSError) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let chain = BIO_new_mem_buf(identity.certificateChain, Int32(identity.certificateChain.count)),
            let leaf = PEM_read_bio_X509(chain, nil, nil, nil)
        else { throw .unusableCertificate("the certificate chain holds no PEM certificate") }
        defer { BIO_free(chain) }
        let isTaken = SSL_CTX_use_certificate(handle, leaf) == 1
        X509_free(leaf)
        guard isTaken else { throw .unusableCertificate("cannot use the certificate: \(Self.lastError())") }
        while let next = PEM_read_bio_X509(chain, nil, nil, nil) {
            // The context owns it from here on, unless it refuses it.
            if SSL_CTX_ctrl(handle, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(next)) != 1 {
                X509_free(next)
                throw .unusableCertificate("cannot use the certificate chain: \(Self.lastError())")
            }
        }
        ERR_clear_error()
        // A key with a passphrase is refused: the default would ask the terminal for it.
        guard let memory = BIO_new_mem_buf(identity.privateKey, Int32(identity.privateKey.count)) else {
            throw .setup("no memory")
        }
        defer { BIO_free(memory) }
        guard let key = PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil) else {
            throw .unusableCertificate("cannot use the private key: it is no PEM key without passphrase")
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(handle, key) == 1, SSL_CTX_check_private_key(handle) == 1 else {
            throw .unusableCertificate("cannot use the certificate and its key: \(Self.lastError())")
        }
    }

    /// OpenSSL's words for the newest error, which is then forgotten.
    static func lastError() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "no reason is given" }
        return String(cString: reason)
    }
}
