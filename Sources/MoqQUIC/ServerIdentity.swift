import COpenSSL
import Glibc
import MoqBase

/// A server's certificate chain and private key, as PEM text.
public struct ServerIdentity: Sendable, Hashable {
    /// PEM, the leaf first.
    public let certificateChain: [UInt8]
    /// PEM.
    public let privateKey: [UInt8]
    /// SHA-256 of the leaf (DER), 64 lowercase hexadecimal digits: what a client pins.
    public let fingerprint: String

    /// The most that is read of a certificate or key file: long chains take some 20 KB.
    private static let maximumFileSize = 1 << 20

    /// An identity of PEM texts. Throws when `certificateChain` holds no certificate.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) throws(QUICError) {
        guard let leaf = Self.leaf(of: certificateChain) else {
            throw .unusableCertificate("the certificate chain holds no PEM certificate")
        }
        self.certificateChain = certificateChain
        self.privateKey = privateKey
        fingerprint = Self.sha256(leaf)
    }

    /// Reads an identity from PEM files.
    public static func load(certificateFile: String, keyFile: String) throws(QUICError) -> ServerIdentity {
        let chain = try read(certificateFile, as: "certificate chain")
        let key = try read(keyFile, as: "private key")
        guard leaf(of: chain) != nil else {
            throw .unusableCertificate("\(certificateFile) holds no PEM certificate")
        }
        return try ServerIdentity(certificateChain: chain, privateKey: key)
    }

    private static func read(_ path: String, as what: String) throws(QUICError) -> [UInt8] {
        guard let file = fopen(path, "re") else {
            throw .unusableCertificate("cannot read the \(what) \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: maximumFileSize + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 || count > maximumFileSize {
            throw .unusableCertificate("cannot read the \(what) \(path): it is no file of at most 1 MiB")
        }
        return Array(bytes.prefix(count))
    }

    /// The DER bytes of the first certificate in a PEM text.
    private static func leaf(of chain: [UInt8]) -> [UInt8]? {
        guard let memory = BIO_new_mem_buf(chain, Int32(chain.count)) else { return nil }
        defer { BIO_free(memory) }
        guard let certificate = PEM_read_bio_X509(memory, nil, nil, nil) else {
            ERR_clear_error()
            return nil
        }
        defer { X509_free(certificate) }
        return der(of: certificate)
    }

    static func der(of certificate: OpaquePointer) -> [UInt8]? {
        let length = i2d_X509(certificate, nil)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        return bytes.withUnsafeMutableBufferPointer { buffer -> Bool in
            var cursor = buffer.baseAddress
            return i2d_X509(certificate, &cursor) == length
        } ? bytes : nil
    }

    static func sha256(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(Digest.sha256(bytes))
    }
}
