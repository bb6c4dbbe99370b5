import COpenSSL
import Glibc
import MoqBase
import MoqQUIC

/// One TLS session of OpenSSL between two memory buffers.
final class TLSEngine {
    /// What came of a step.
    enum Step {
        /// It wants more bytes of the peer.
        case wantsBytes
        /// It is done.
        case done
        /// The peer said that it sends nothing more (close_notify).
        case peerEnded
        case failed(TLSFailure)
    }

    /// The largest payload of a record (RFC 8446 section 5.1).
    private static let maximumRecord = 16 << 10
    /// The most plain text that is handed over at once.
    private static let maximumPlain = 256 << 10

    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let context: TLSContext
    private let host: String
    private let protocols: [[UInt8]]
    private let trust: CertificateTrust
    let keyLog: QUICKeyLog?
    private(set) var refusal: CertificateRefusal?
    private var hasNoProtocol = false
    /// A server's first steps are other calls: those that stop when the client's Finished is all that is missing.
    private var isAccepting = false
    /// Whether a server may write although the client's Finished has not arrived.
    private(set) var mayWriteEarly = false

    /// The client's side. `host` is checked against the certificate; it is sent as SNI when it is a name and
    /// `sendsServerName` is set.
    convenience init(
        client credentials: TLSClientCredentials, host: String, sendsServerName: Bool, protocols: [String],
        keyLog: QUICKeyLog?
    ) throws(TLSError) {
        try self.init(
            context: credentials.context, host: host, protocols: protocols, trust: credentials.trust, keyLog: keyLog)
        SSL_set_connect_state(session)
        let isAddress = Self.isAddress(self.host)
        switch credentials.trust {
        case .systemRoots, .roots:
            guard !self.host.isEmpty else { throw .noServerName }
            let parameters = SSL_get0_param(session)
            let isSet =
                isAddress
                ? X509_VERIFY_PARAM_set1_ip_asc(parameters, self.host)
                : X509_VERIFY_PARAM_set1_host(parameters, self.host, 0)
            guard isSet == 1 else { throw .setup("\(self.host) is no host name: \(TLSContext.lastError())") }
        case .pinned, .insecure: break
        }
        if sendsServerName, !self.host.isEmpty, !isAddress {
            var name = Array(self.host.utf8CString)
            let isSet = name.withUnsafeMutableBytes {
                SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
            }
            guard isSet == 1 else { throw .setup("\(self.host) is no server name: \(TLSContext.lastError())") }
        }
        if !protocols.isEmpty {
            let list = self.protocols.flatMap { [UInt8($0.count)] + $0 }
            guard SSL_set_alpn_protos(session, list, UInt32(list.count)) == 0 else {
                throw .unusableProtocols("OpenSSL does not take the ALPN names \(protocols)")
            }
        }
    }

    /// The server's side. The order of `protocols` decides; with none, ALPN is not answered.
    convenience init(
        server credentials: TLSServerCredentials, protocols: [String], keyLog: QUICKeyLog?
    ) throws(TLSError) {
        try self.init(
            context: credentials.context, host: "", protocols: protocols, trust: .insecure, keyLog: keyLog)
        SSL_set_accept_state(session)
        isAccepting = true
    }

    private init(
        context: TLSContext, host: String, protocols: [String], trust: CertificateTrust, keyLog: QUICKeyLog?
    ) throws(TLSError) {
        let names = protocols.map { Array($0.utf8) }
        guard names.count <= 64, names.allSatisfy({ (1...255).contains($0.count) }) else {
            throw .unusableProtocols("at most 64 ALPN names of 1 to 255 bytes are wanted, not \(protocols)")
        }
        ERR_clear_error()
        guard let session = SSL_new(context.handle), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw .setup("no memory") }
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        self.context = context
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : host
        self.protocols = names
        self.trust = trust
        self.keyLog = keyLog
        // The session owns both buffers from here on.
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_ex_data(session, TLSContext.engineSlot, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_free(session)
    }

    static func of(_ session: OpaquePointer?) -> TLSEngine? {
        guard let session, let pointer = SSL_get_ex_data(session, TLSContext.engineSlot) else { return nil }
        return Unmanaged<TLSEngine>.fromOpaque(pointer).takeUnretainedValue()
    }

    // MARK: Steps

    /// Takes encrypted bytes. They are used up by `shakeHands` and `read`, which must follow.
    func feed(_ bytes: [UInt8]) {
        _ = BIO_write(incoming, bytes, Int32(clamping: bytes.count))
    }

    /// Goes on with the handshake.
    func shakeHands() -> Step {
        ERR_clear_error()
        if isAccepting {
            // No early data is ever taken, so there is none to be read: this goes on until our Finished is written.
            var nothing: UInt8 = 0
            var count = 0
            guard SSL_read_early_data(session, &nothing, 1, &count) == SSL_READ_EARLY_DATA_FINISH else {
                return step(after: -1)
            }
            isAccepting = false
            // Without our Finished it was a HelloRetryRequest that was written, and nothing is encrypted yet.
            mayWriteEarly = SSL_get_finished(session, nil, 0) > 0
        }
        let result = SSL_do_handshake(session)
        guard result == 1 else { return step(after: result) }
        mayWriteEarly = false
        return .done
    }

    /// Decrypts what was fed, up to a bound: `done` means that there may be more.
    func read() -> (bytes: [UInt8], step: Step) {
        var step = Step.done
        let waiting = Int(BIO_ctrl_pending(incoming)) + Int(SSL_pending(session))
        let capacity = min(max(waiting, Self.maximumRecord), Self.maximumPlain)
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = 0
            while count < capacity, let start = buffer.baseAddress {
                ERR_clear_error()
                let result = SSL_read(session, start + count, Int32(capacity - count))
                guard result > 0 else {
                    step = self.step(after: result)
                    return
                }
                count += Int(result)
            }
        }
        return (bytes, step)
    }

    /// Encrypts bytes. Only after the handshake, or when a server may write early (RFC 8446 section 4.4.4).
    func write(_ bytes: [UInt8]) -> Step {
        guard !bytes.isEmpty else { return .done }
        ERR_clear_error()
        if mayWriteEarly {
            var count = 0
            return SSL_write_early_data(session, bytes, bytes.count, &count) == 1 ? .done : step(after: -1)
        }
        let result = SSL_write(session, bytes, Int32(clamping: bytes.count))
        return result > 0 ? .done : step(after: result)
    }

    /// Says that nothing more is sent (close_notify).
    func end() {
        ERR_clear_error()
        SSL_shutdown(session)
        ERR_clear_error()
    }

    /// Encrypted bytes for the peer, or nil.
    func takeOutgoing() -> [UInt8]? {
        let count = Int(BIO_ctrl_pending(outgoing))
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
            taken = max(Int(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: count))), 0)
        }
    }

    /// How many encrypted bytes wait to be sent.
    var outgoingCount: Int { Int(BIO_ctrl_pending(outgoing)) }

    private func step(after result: Int32) -> Step {
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsBytes
        case SSL_ERROR_ZERO_RETURN: return .peerEnded
        default: break
        }
        let code = ERR_peek_error()
        let reason = ERR_GET_REASON(code)
        defer { ERR_clear_error() }
        if let refusal { return .failed(.certificateRefused(refusal)) }
        if hasNoProtocol { return .failed(.noProtocol) }
        let isOfTLS = ERR_GET_LIB(code) == ERR_LIB_SSL
        if isOfTLS, (SSL_AD_REASON_OFFSET..<SSL_AD_REASON_OFFSET + 256).contains(reason) {
            return .failed(.alertReceived(UInt8(reason - SSL_AD_REASON_OFFSET)))
        }
        let foreign = [
            SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
        ]
        if isOfTLS, foreign.contains(reason), SSL_in_init(session) == 1 { return .failed(.notTLS) }
        let words = ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason is given"
        return .failed(.violation(words))
    }

    // MARK: What was agreed on

    /// The protocol agreed on, once the hellos are exchanged.
    var negotiatedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The name that the client asked for (SNI), at the server.
    var requestedName: String? {
        SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// What stands in the peer's leaf certificate, if it sent one.
    var peerCertificate: CertificateFacts? {
        SSL_get0_peer_certificate(session).flatMap(Self.der).flatMap { CertificateFacts(der: $0) }
    }

    /// What was agreed on, once the handshake is complete.
    var facts: QUICSecurityFacts {
        let cipher = SSL_get_current_cipher(session).flatMap { SSL_CIPHER_get_name($0) }
        let group = SSL_ctrl(session, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, nil)
        let groupName = OBJ_nid2sn(Int32(clamping: group & 0xFFFF))
        return QUICSecurityFacts(
            version: SSL_get_version(session).map { String(cString: $0) } ?? "unknown",
            cipher: cipher.map { String(cString: $0) } ?? "unknown",
            group: groupName.map { String(cString: $0) } ?? "unknown", peerFingerprint: peerCertificate?.fingerprint)
    }

    /// A server's choice among the names that a client offers.
    func choose(
        from offered: UnsafeBufferPointer<UInt8>, into chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        _ length: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        guard !protocols.isEmpty else { return SSL_TLSEXT_ERR_NOACK }
        for name in protocols {
            var position = 0
            while position < offered.count {
                let start = position + 1
                let end = start + Int(offered[position])
                guard end <= offered.count else { break }
                if offered[start..<end].elementsEqual(name) {
                    chosen.pointee = offered.baseAddress.map { $0 + start }
                    length.pointee = UInt8(name.count)
                    return SSL_TLSEXT_ERR_OK
                }
                position = end
            }
        }
        hasNoProtocol = true
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    // MARK: The peer's certificate

    /// 1 if the server's certificate is acceptable. OpenSSL checks dates against the system's clock.
    func judge(_ store: OpaquePointer) -> Int32 {
        let fingerprint = X509_STORE_CTX_get0_cert(store).flatMap(Self.der).map {
            Hexadecimal.encode(Digest.sha256($0))
        }
        guard let fingerprint else {
            return trust == .insecure ? 1 : refuse(.missing, "", store, X509_V_ERR_UNSPECIFIED)
        }
        switch trust {
        case .insecure:
            return 1
        case .pinned(let accepted):
            if accepted.contains(fingerprint) { return 1 }
            return refuse(.fingerprintMismatch(expected: accepted), fingerprint, store, X509_V_ERR_CERT_REJECTED)
        case .systemRoots, .roots:
            if X509_verify_cert(store) == 1 { return 1 }
            let error = X509_STORE_CTX_get_error(store)
            return refuse(problem(error), fingerprint, store, error)
        }
    }

    private func refuse(
        _ problem: CertificateRefusal.Problem, _ fingerprint: String, _ store: OpaquePointer, _ error: Int32
    ) -> Int32 {
        refusal = CertificateRefusal(problem: problem, fingerprint: fingerprint)
        X509_STORE_CTX_set_error(store, error)
        return 0
    }

    private func problem(_ error: Int32) -> CertificateRefusal.Problem {
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            return .unknownIssuer
        case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return .nameMismatch(expected: host)
        default:
            let words = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) }
            return .other(words ?? "OpenSSL reports error \(error)")
        }
    }

    private static func der(of certificate: OpaquePointer) -> [UInt8]? {
        let length = i2d_X509(certificate, nil)
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var cursor = buffer.baseAddress
            count = max(Int(i2d_X509(certificate, &cursor)), 0)
        }
    }

    /// Whether a host is an IP literal: such a name is not sent as SNI (RFC 6066 section 3).
    private static func isAddress(_ name: String) -> Bool {
        var storage = in6_addr()
        return inet_pton(AF_INET, name, &storage) == 1 || inet_pton(AF_INET6, name, &storage) == 1
    }
}
