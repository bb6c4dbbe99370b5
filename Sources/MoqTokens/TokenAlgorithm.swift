import COpenSSL

/// How a token is signed: the values of `alg` (RFC 7518, RFC 8037) that the reference knows. `none` is not among them.
public enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// Ed25519.
    case edDSA = "EdDSA"

    /// What sort of key it takes.
    enum Family: Equatable {
        case hmac
        case rsa
        case rsaPSS
        case ecdsa
        case eddsa
    }

    var family: Family {
        switch self {
        case .hs256, .hs384, .hs512: .hmac
        case .rs256, .rs384, .rs512: .rsa
        case .ps256, .ps384, .ps512: .rsaPSS
        case .es256, .es384: .ecdsa
        case .edDSA: .eddsa
        }
    }

    /// Bytes of its hash; Ed25519 brings its own.
    var hashLength: Int {
        switch self {
        case .hs256, .rs256, .ps256, .es256: 32
        case .hs384, .rs384, .ps384, .es384: 48
        case .hs512, .rs512, .ps512, .edDSA: 64
        }
    }

    /// OpenSSL's name of the hash; nil for Ed25519.
    var hash: OpaquePointer? {
        switch self {
        case .hs256, .rs256, .ps256, .es256: EVP_sha256()
        case .hs384, .rs384, .ps384, .es384: EVP_sha384()
        case .hs512, .rs512, .ps512: EVP_sha512()
        case .edDSA: nil
        }
    }
}
