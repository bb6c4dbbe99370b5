/// TLS alerts in words.
public enum TLSAlert {
    /// What an alert means, if `transportCode` is one as QUIC carries them: 0x100 to 0x1ff (RFC 9001 section 4.8).
    static func words(transportCode: UInt64) -> String? {
        guard (0x100...0x1FF).contains(transportCode) else { return nil }
        return words(alert: UInt8(transportCode - 0x100))
    }

    /// What an alert means (RFC 8446 section 6), with its number.
    public static func words(alert: UInt8) -> String {
        let meaning =
            switch alert {
            case 0: "the peer ends TLS"
            case 10: "an unexpected message"
            case 20: "a record that does not decrypt"
            case 22: "a record that is too long"
            case 40: "the handshake failed"
            case 42: "the certificate is bad"
            case 43: "the certificate is of an unsupported kind"
            case 44: "the certificate was revoked"
            case 45: "the certificate has expired"
            case 46: "the certificate is not acceptable"
            case 48: "the certificate's authority is unknown"
            case 47: "a field with an illegal value"
            case 50: "a message that cannot be decoded"
            case 51: "a signature or key exchange that does not hold"
            case 70: "no TLS version in common"
            case 71: "no cipher strong enough in common"
            case 80: "an internal error"
            case 90: "the peer gave up"
            case 109: "an extension is missing"
            case 112: "the server name is not recognised"
            case 116: "a client certificate is wanted"
            case 120: "no application protocol (ALPN) in common"
            default: "TLS failed"
            }
        return "\(meaning) (TLS alert \(alert))"
    }
}
