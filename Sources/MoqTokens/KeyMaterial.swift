/// The numbers of a key, as its JSON has them.
enum KeyMaterial: Hashable, Sendable {
    /// `oct` (RFC 7518, 6.4).
    case secret([UInt8])
    /// `RSA` (RFC 7518, 6.3), big-endian.
    case rsa(modulus: [UInt8], exponent: [UInt8], secret: RSASecret?)
    /// `EC` (RFC 7518, 6.2): the point in full-length coordinates, and the private number.
    case elliptic(EllipticCurve, x: [UInt8], y: [UInt8], d: [UInt8]?)
    /// `OKP` with Ed25519 (RFC 8037): the public key and the private one.
    case ed25519(x: [UInt8], d: [UInt8]?)

    /// The private numbers of an RSA key.
    struct RSASecret: Hashable, Sendable {
        var d: [UInt8]
        var p: [UInt8]
        var q: [UInt8]
        var dp: [UInt8]
        var dq: [UInt8]
        var qi: [UInt8]
    }

    /// Whether it can sign.
    var isPrivate: Bool {
        switch self {
        case .secret: true
        case .rsa(_, _, let secret): secret != nil
        case .elliptic(_, _, _, let d), .ed25519(_, let d): d != nil
        }
    }

    /// Whether keys of this sort serve an algorithm.
    func serves(_ algorithm: TokenAlgorithm) -> Bool {
        switch (self, algorithm.family) {
        case (.secret, .hmac), (.rsa, .rsa), (.rsa, .rsaPSS), (.ed25519, .eddsa): true
        case (.elliptic(let curve, _, _, _), .ecdsa): curve.algorithm == algorithm
        default: false
        }
    }
}

/// The curves of ECDSA keys.
enum EllipticCurve: String, Hashable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"

    /// Bytes of a coordinate, of the private number, and of half a signature.
    var length: Int { self == .p256 ? 32 : 48 }
    /// The one algorithm that takes it.
    var algorithm: TokenAlgorithm { self == .p256 ? .es256 : .es384 }
    /// Its object identifier.
    var name: [UInt8] { self == .p256 ? DER.p256 : DER.p384 }
}
