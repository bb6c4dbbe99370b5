import CNgtcp2
import Glibc
import MoqBase

/// One TLS 1.3 session of GnuTLS, tied to one connection.
final class TLSSession {
    /// `gnutls_init` takes these; their C names exist twice (enum and macro) and cannot be told apart in Swift.
    private static let serverFlag: UInt32 = 1
    private static let clientFlag: UInt32 = 2
    /// GnuTLS's own bounds.
    private static let maximumProtocols = 8
    private static let maximumProtocolLength = 32

    let handle: OpaquePointer
    /// What GnuTLS and the crypto helper find the connection by. Must not move.
    private let reference: UnsafeMutablePointer<ngtcp2_crypto_conn_ref>
    private let keyLog: QUICKeyLog?
    private let serverName: String
    /// Keeps the C objects alive that the session refers to.
    private let credentials: AnyObject
    private let trust: CertificateTrust
    private(set) var refusal: CertificateRefusal?

    /// The client's side. The connection must outlive the session.
    convenience init(client configuration: QUICClientConfiguration, of connection: QUICConnection) throws(QUICError) {
        try self.init(
            flags: Self.clientFlag | UInt32(GNUTLS_KEY_SHARE_TOP.rawValue), connection: connection,
            keyLog: configuration.keyLog, serverName: configuration.serverName, credentials: configuration.credentials,
            trust: configuration.credentials.trust)
        try check(ngtcp2_crypto_gnutls_configure_client_session(handle))
        try check(gnutls_priority_set(handle, configuration.credentials.priorities))
        try check(
            gnutls_credentials_set(
                handle, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(configuration.credentials.credentials)))
        try offer(configuration.protocols, flags: GNUTLS_ALPN_MANDATORY.rawValue)
        let shownName = configuration.shownServerName ?? serverName
        if !shownName.isEmpty, !isAddress(shownName) {
            let name = Array(shownName.utf8)
            try check(gnutls_server_name_set(handle, GNUTLS_NAME_DNS, name, name.count))
        }
        gnutls_session_set_verify_function(handle) { session in
            TLSSession.connection(of: session)?.tls?.verifyPeer() ?? GNUTLS_E_CERTIFICATE_ERROR
        }
    }

    /// The server's side. The connection must outlive the session.
    convenience init(server configuration: QUICServerConfiguration, of connection: QUICConnection) throws(QUICError) {
        try self.init(
            flags: Self.serverFlag, connection: connection, keyLog: configuration.keyLog, serverName: "",
            credentials: configuration.credentials, trust: .insecure)
        try check(ngtcp2_crypto_gnutls_configure_server_session(handle))
        try check(gnutls_priority_set(handle, configuration.credentials.priorities))
        try check(
            gnutls_credentials_set(
                handle, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(configuration.credentials.credentials)))
        try offer(
            configuration.protocols,
            flags: GNUTLS_ALPN_MANDATORY.rawValue | GNUTLS_ALPN_SERVER_PRECEDENCE.rawValue)
    }

    private init(
        flags: UInt32, connection: QUICConnection, keyLog: QUICKeyLog?, serverName: String, credentials: AnyObject,
        trust: CertificateTrust
    ) throws(QUICError) {
        var handle: OpaquePointer?
        let common = UInt32(GNUTLS_NO_TICKETS.rawValue) | UInt32(GNUTLS_NO_AUTO_SEND_TICKET.rawValue)
        let result = gnutls_init(&handle, flags | common)
        guard result >= 0, let handle else { throw .tls("a session: \(tlsError(result))") }
        self.handle = handle
        self.keyLog = keyLog
        let isBracketed = serverName.hasPrefix("[") && serverName.hasSuffix("]")
        self.serverName = isBracketed ? String(serverName.dropFirst().dropLast()) : serverName
        self.credentials = credentials
        self.trust = trust
        reference = .allocate(capacity: 1)
        reference.initialize(
            to: ngtcp2_crypto_conn_ref(
                get_conn: { reference in
                    guard let user = reference?.pointee.user_data else { return nil }
                    return Unmanaged<QUICConnection>.fromOpaque(user).takeUnretainedValue().handle
                },
                user_data: Unmanaged.passUnretained(connection).toOpaque()))
        gnutls_session_set_ptr(handle, reference)
        // Also without a key log, so that GnuTLS's own reading of SSLKEYLOGFILE does not write everything twice.
        gnutls_session_set_keylog_function(handle) { session, label, secret in
            if let session, let label, let secret {
                TLSSession.connection(of: session)?.tls?.log(String(cString: label), secret.pointee)
            }
            return 0
        }
    }

    deinit {
        gnutls_deinit(handle)
        reference.deallocate()
    }

    /// The protocol agreed on, once the hellos are exchanged.
    var negotiatedProtocol: String? {
        var name = gnutls_datum_t()
        guard gnutls_alpn_get_selected_protocol(handle, &name) == 0, let data = name.data else { return nil }
        return String(decoding: UnsafeBufferPointer(start: data, count: Int(name.size)), as: UTF8.self)
    }

    /// What was agreed on, once the handshake is complete, but for the peer's certificate.
    var facts: QUICSecurityFacts {
        func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "unknown" }
        return QUICSecurityFacts(
            version: text(gnutls_protocol_get_name(gnutls_protocol_get_version(handle))),
            cipher: text(gnutls_cipher_get_name(gnutls_cipher_get(handle))),
            group: text(gnutls_group_get_name(gnutls_group_get(handle))), peerFingerprint: nil)
    }

    /// The peer's leaf certificate (DER), if it sent one.
    var peerCertificate: [UInt8]? {
        var count: UInt32 = 0
        guard let certificates = gnutls_certificate_get_peers(handle, &count), count > 0,
            let data = certificates[0].data
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(certificates[0].size)))
    }

    // MARK: Set-up

    private func check(_ result: Int32) throws(QUICError) {
        if result < 0 { throw .tls(tlsError(result)) }
    }

    private func offer(_ protocols: [String], flags: UInt32) throws(QUICError) {
        let names = protocols.map { Array($0.utf8) }
        guard !names.isEmpty, names.count <= Self.maximumProtocols,
            names.allSatisfy({ !$0.isEmpty && $0.count <= Self.maximumProtocolLength })
        else { throw .tls("1 to 8 ALPN names of 1 to 32 bytes are wanted, not \(protocols)") }
        var storage = names.flatMap { $0 }
        let result = storage.withUnsafeMutableBufferPointer { buffer in
            var position = 0
            var list: [gnutls_datum_t] = []
            for name in names {
                list.append(gnutls_datum_t(data: buffer.baseAddress.map { $0 + position }, size: UInt32(name.count)))
                position += name.count
            }
            return gnutls_alpn_set_protocols(handle, list, UInt32(list.count), flags)
        }
        try check(result)
    }

    private static func connection(of session: OpaquePointer?) -> QUICConnection? {
        guard let pointer = gnutls_session_get_ptr(session) else { return nil }
        let reference = pointer.assumingMemoryBound(to: ngtcp2_crypto_conn_ref.self)
        guard let user = reference.pointee.user_data else { return nil }
        return Unmanaged<QUICConnection>.fromOpaque(user).takeUnretainedValue()
    }

    private func log(_ label: String, _ secret: gnutls_datum_t) {
        guard let keyLog, let secretData = secret.data else { return }
        var clientRandom = gnutls_datum_t()
        gnutls_session_get_random(handle, &clientRandom, nil)
        guard let randomData = clientRandom.data else { return }
        keyLog.append(
            label: label, clientRandom: UnsafeRawBufferPointer(start: randomData, count: Int(clientRandom.size)),
            secret: UnsafeRawBufferPointer(start: secretData, count: Int(secret.size)))
    }

    // MARK: The peer's certificate

    /// 0 if the server's certificate is acceptable. GnuTLS checks dates against the system's clock.
    private func verifyPeer() -> Int32 {
        if trust == .insecure { return 0 }
        guard let fingerprint = peerCertificate.map(ServerIdentity.sha256) else { return refuse(.missing, "") }
        switch trust {
        case .insecure: return 0
        case .pinned(let accepted):
            return accepted.contains(fingerprint) ? 0 : refuse(.fingerprintMismatch(expected: accepted), fingerprint)
        case .systemRoots, .roots:
            var status: UInt32 = 0
            let result = gnutls_certificate_verify_peers3(handle, serverName, &status)
            if result < 0 { return refuse(.other(tlsError(result)), fingerprint) }
            return status == 0 ? 0 : refuse(problem(status), fingerprint)
        }
    }

    private func refuse(_ problem: CertificateRefusal.Problem, _ fingerprint: String) -> Int32 {
        refusal = CertificateRefusal(problem: problem, fingerprint: fingerprint)
        return GNUTLS_E_CERTIFICATE_ERROR
    }

    private func problem(_ status: UInt32) -> CertificateRefusal.Problem {
        func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
        // The first that applies: trusting the issuer comes before the name.
        if has(GNUTLS_CERT_SIGNER_NOT_FOUND) { return .unknownIssuer }
        if has(GNUTLS_CERT_EXPIRED) { return .expired }
        if has(GNUTLS_CERT_NOT_ACTIVATED) { return .notYetValid }
        if has(GNUTLS_CERT_UNEXPECTED_OWNER) { return .nameMismatch(expected: serverName) }
        if has(GNUTLS_CERT_REVOKED) { return .other("it was revoked") }
        if has(GNUTLS_CERT_SIGNATURE_FAILURE) { return .other("its signature is wrong") }
        if has(GNUTLS_CERT_INSECURE_ALGORITHM) { return .other("it was signed with an insecure algorithm") }
        if has(GNUTLS_CERT_SIGNER_NOT_CA) { return .other("its issuer may not issue certificates") }
        if has(GNUTLS_CERT_PURPOSE_MISMATCH) { return .other("it is not meant for servers") }
        return .other("GnuTLS reports status 0x\(String(status, radix: 16))")
    }
}

/// Whether a host name is an IP literal: such a name is not sent as SNI (RFC 6066 section 3).
private func isAddress(_ name: String) -> Bool {
    var storage = in6_addr()
    return inet_pton(AF_INET, name, &storage) == 1 || inet_pton(AF_INET6, name, &storage) == 1
}
