import COpenSSL

extension ServerIdentity {
    /// Browsers accept a pinned certificate (`serverCertificateHashes`) only if it is valid for at most 14 days.
    public static let maximumSelfSignedDays = 13

    /// Makes a key (ECDSA P-256) and a certificate for it, valid from an hour before `unixTime` (seconds since 1970,
    /// as the caller's clock has it) for `days` days, 1 to `maximumSelfSignedDays`.
    ///
    /// `names` are host names and IP addresses. The sizes of certificate and key do not vary from call to call, so
    /// that simulated runs repeat.
    public static func selfSigned(
        unixTime: Int, days: Int = maximumSelfSignedDays, names: [String] = ["localhost", "127.0.0.1", "::1"]
    ) throws(QUICError) -> ServerIdentity {
        do {
            let maker = try CertificateMaker()
            return try maker.make(
                from: unixTime - 3600, days: min(max(days, 1), maximumSelfSignedDays), names: names)
        } catch {
            ERR_clear_error()
            throw error
        }
    }
}

/// One key and the certificate that it signs for itself.
private final class CertificateMaker {
    /// A DER ECDSA signature of P-256 has 70 to 72 bytes, as chance has it; about every second has 71.
    private static let signatureLength = 71
    /// 2^-64 of all certificates would need more tries.
    private static let maximumTries = 64

    private let key: OpaquePointer

    init() throws(QUICError) {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw .cannotGenerate("no memory") }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) > 0,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0,
            EVP_PKEY_keygen(context, &key) > 0, let key
        else { throw .cannotGenerate("OpenSSL made no P-256 key") }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    func make(from start: Int, days: Int, names: [String]) throws(QUICError) -> ServerIdentity {
        guard let certificate = X509_new() else { throw .cannotGenerate("no memory") }
        defer { X509_free(certificate) }
        // Eight bytes, the first of 0x40 to 0x7F: neither a sign byte nor a leading zero changes the length.
        var serial = [UInt8](repeating: 0, count: 8)
        guard RAND_bytes(&serial, 8) == 1 else { throw .cannotGenerate("OpenSSL has no random numbers") }
        let number = serial.reduce(0) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF_FFFF_FFFF | 0x4000_0000_0000_0000
        let subject = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number) == 1,
            ASN1_TIME_set(X509_getm_notBefore(certificate), start) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), start + days * 86_400) != nil,
            X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, "moqspec", -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, subject) == 1,
            X509_set_pubkey(certificate, key) == 1
        else { throw .cannotGenerate("OpenSSL refused a field") }
        let alternatives = names.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        try add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
        try add(NID_key_usage, "critical,digitalSignature", to: certificate)
        try add(NID_ext_key_usage, "serverAuth", to: certificate)
        if !names.isEmpty { try add(NID_subject_alt_name, alternatives, to: certificate) }

        try sign(certificate)
        return try ServerIdentity(
            certificateChain: pem { PEM_write_bio_X509($0, certificate) },
            privateKey: pem { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) })
    }

    private func isAddress(_ name: String) -> Bool {
        guard let address = a2i_IPADDRESS(name) else {
            ERR_clear_error()
            return false
        }
        ASN1_OCTET_STRING_free(address)
        return true
    }

    private func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) throws(QUICError) {
        guard let part = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
            throw .cannotGenerate("'\(value)' is no value for the certificate")
        }
        defer { X509_EXTENSION_free(part) }
        guard X509_add_ext(certificate, part, -1) == 1 else { throw .cannotGenerate("OpenSSL refused '\(value)'") }
    }

    private func sign(_ certificate: OpaquePointer) throws(QUICError) {
        for _ in 0..<Self.maximumTries {
            guard X509_sign(certificate, key, EVP_sha256()) > 0 else {
                throw .cannotGenerate("OpenSSL did not sign it")
            }
            var signature: UnsafePointer<ASN1_BIT_STRING>?
            X509_get0_signature(&signature, nil, certificate)
            if ASN1_STRING_length(signature) == Self.signatureLength { return }
        }
    }

    private func pem(_ write: (OpaquePointer) -> Int32) throws(QUICError) -> [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { throw .cannotGenerate("no memory") }
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { throw .cannotGenerate("OpenSSL wrote no PEM") }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(max(Int(count), 0)))
    }
}
