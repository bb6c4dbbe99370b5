import COpenSSL
import MoqBase

extension JSONWebKey {
    /// Bits of the RSA keys that are made.
    private static let rsaBits: Int32 = 2048
    /// Of numbers drawn for a private key, all but one in 2^32 serve.
    private static let draws = 8

    /// Makes a key that signs and verifies.
    ///
    /// The same `random` gives the same key, except for RSA, whose primes OpenSSL draws from the system. Such keys are
    /// as secret as the seed: for tests, and for relays that live as long as a run.
    public static func generate(
        _ algorithm: TokenAlgorithm, id: String? = nil, random: inout SeededRandom
    ) throws(TokenError) -> JSONWebKey {
        let material: KeyMaterial =
            switch algorithm.family {
            case .hmac: .secret(random.bytes(algorithm.hashLength))
            case .eddsa: try ed25519(random.bytes(32))
            case .ecdsa: try elliptic(algorithm == .es256 ? .p256 : .p384, &random)
            case .rsa, .rsaPSS: try rsa()
            }
        return try JSONWebKey(algorithm, material, id: id)
    }

    private static func ed25519(_ d: [UInt8]) throws(TokenError) -> KeyMaterial {
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, d, d.count) else {
            throw .library("make an Ed25519 key")
        }
        return .ed25519(x: KeyHandle(key).publicBytes, d: d)
    }

    private static func elliptic(
        _ curve: EllipticCurve, _ random: inout SeededRandom
    ) throws(TokenError) -> KeyMaterial {
        for _ in 0..<draws {
            let d = random.bytes(curve.length)
            // A number beyond the order of the curve is no key; then the next one may be.
            guard let handle = try? KeyHandle(privateCurve: curve, d, point: nil),
                let x = handle.number("qx", length: curve.length), let y = handle.number("qy", length: curve.length)
            else { continue }
            return .elliptic(curve, x: x, y: y, d: d)
        }
        throw .library("make a key on \(curve.rawValue)")
    }

    private static func rsa() throws(TokenError) -> KeyMaterial {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw .library("make an RSA key") }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, rsaBits) == 1,
            EVP_PKEY_keygen(context, &made) == 1, let made
        else { throw .library("make an RSA key") }
        let handle = KeyHandle(made)
        var numbers: [[UInt8]] = []
        for name in [
            "n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
        ] {
            guard let number = handle.number(name) else { throw .library("tell the numbers of an RSA key") }
            numbers.append(number)
        }
        return .rsa(
            modulus: numbers[0], exponent: numbers[1],
            secret: KeyMaterial.RSASecret(
                d: numbers[2], p: numbers[3], q: numbers[4], dp: numbers[5], dq: numbers[6], qi: numbers[7]))
    }
}
