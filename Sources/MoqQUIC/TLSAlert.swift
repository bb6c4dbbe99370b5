/// TLS alerts as QUIC carries them: transport codes 0x100 to 0x1ff (RFC 9001 section 4.8).
enum TLSAlert {
    /// What an alert means, if `transportCode` is one.
    static func words(transportCode: UInt64) -> String? {
        guard (0x100...0x1FF).contains(transportCode) else { return nil }
        let alert = transportCode - 0x100
        let meaning =
            switch alert {
            case 40: "the handshake failed"
            case 42: "the certificate is bad"
            case 43: "the certificate is of an unsupported kind"
            case 44: "the certificate was revoked"
            case 45: "the certificate has expired"
            case 46: "the certificate is not acceptable"
            case 48: "the certificate's authority is unknown"
            case 70: "no TLS version in common"
            case 71: "no cipher strong enough in common"
            case 80: "an internal error"
            case 109: "an extension is missing"
            case 112: "the server name is not recognised"
            case 116: "a client certificate is wanted"
            case 120: "no application protocol (ALPN) in common"
            default: "TLS failed"
            }
        return "\(meaning) (TLS alert \(alert))"
    }
}
