import COpenSSL

/// Digests for the rooms that do not wrap OpenSSL themselves.
public enum Digest {
    /// SHA-1, 20 bytes: no protection of anything any more, but WebSocket's handshake wants it (RFC 6455 section 1.3).
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        SHA1(bytes, bytes.count, &digest)
        return digest
    }

    /// SHA-256, 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
