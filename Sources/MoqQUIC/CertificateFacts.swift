import COpenSSL
import MoqBase

/// What stands in a certificate, for reports.
public struct CertificateFacts: Hashable, Sendable {
    /// SHA-256 of the certificate (DER), 64 lowercase hexadecimal digits.
    public var fingerprint: String
    /// Whom it is for, such as `CN=localhost`.
    public var subject: String
    /// Who signed it, in the same form.
    public var issuer: String
    /// The host names and addresses that it is for, as they stand in it.
    public var names: [String]
    /// From when it is valid, in seconds since 1970.
    public var notBefore: Int
    /// Until when it is valid, in seconds since 1970.
    public var notAfter: Int
    /// Its key, such as `id-ecPublicKey 256 bits`.
    public var key: String

    /// The most names that are told: certificates of large hosts carry hundreds.
    private static let maximumNames = 64
    /// The longest text of a name that is told, in bytes.
    private static let maximumText = 512

    /// `XN_FLAG_RFC2253` without `ASN1_STRFLGS_ESC_MSB`, which Swift cannot import: UTF-8, control characters escaped.
    private static let nameFormat: UInt = 0x0111_0313

    /// Whether it is its own issuer.
    public var isSelfSigned: Bool { subject == issuer }

    /// Reads a certificate of DER bytes; nil when they are none.
    public init?(der: [UInt8]) {
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            return d2i_X509(nil, &cursor, buffer.count)
        }
        guard let certificate = parsed else {
            ERR_clear_error()
            return nil
        }
        defer { X509_free(certificate) }
        fingerprint = Hexadecimal.encode(Digest.sha256(der))
        subject = Self.text(of: X509_get_subject_name(certificate))
        issuer = Self.text(of: X509_get_issuer_name(certificate))
        names = Self.names(of: certificate)
        notBefore = Self.seconds(X509_get0_notBefore(certificate))
        notAfter = Self.seconds(X509_get0_notAfter(certificate))
        key = Self.key(of: certificate)
    }

    private static func text(of name: OpaquePointer?) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        guard X509_NAME_print_ex(memory, name, 0, nameFormat) >= 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: maximumText)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(Int(count), 0)), as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int(days) * 86_400 + Int(seconds)
    }

    private static func key(of certificate: OpaquePointer) -> String {
        guard let key = X509_get0_pubkey(certificate), let name = OBJ_nid2sn(EVP_PKEY_get_base_id(key)) else {
            return "unknown"
        }
        return "\(String(cString: name)) \(EVP_PKEY_get_bits(key)) bits"
    }

    private static func names(of certificate: OpaquePointer) -> [String] {
        let place = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1)
        guard place >= 0, let part = X509_get_ext(certificate, place), let memory = BIO_new(BIO_s_mem()) else {
            return []
        }
        defer { BIO_free(memory) }
        guard X509V3_EXT_print(memory, part, 0, 0) == 1 else { return [] }
        var bytes = [UInt8](repeating: 0, count: maximumNames * 64)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(Int(count), 0)), as: UTF8.self)
            .split(separator: ",").prefix(maximumNames).map { item in
                let text = item.drop { $0 == " " || $0 == "\n" }
                for prefix in ["DNS:", "IP Address:"] where text.hasPrefix(prefix) {
                    return String(text.dropFirst(prefix.count).prefix { $0 != "\n" })
                }
                return String(text.prefix { $0 != "\n" })
            }
    }
}
