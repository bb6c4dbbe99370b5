/// The bounds of what is read, each with its reason.
public enum TokenLimits {
    /// Bytes of a token. The claims of a relay take some hundred, an RSA-8192 signature 1366; a SETUP path or an HTTP
    /// request line takes no more than this either.
    public static let token = 8 << 10
    /// Bytes of a key file: an RSA-8192 key takes some 7 KiB in base64url of its JSON.
    public static let keyFile = 64 << 10
    /// Prefixes in one claim: a relay opens an announce stream for each.
    public static let prefixes = 64
    /// Bytes of the secret of an HMAC key: no shorter than the hash of HS256, as the reference demands.
    static let secret = 32...1024
    /// Bits of an RSA modulus: fewer are unsafe (RFC 7518, 3.3), more only take time.
    static let modulus: ClosedRange<Int32> = 2048...8192
    /// Characters of a key's id, as in the reference.
    static let keyID = 128
}
