import MoqBase

/// A key that signs and verifies tokens (RFC 7517): HMAC secrets, RSA keys, P-256 and P-384 keys, and Ed25519 keys.
///
/// A key has one algorithm; a token that says another one is refused. Its description shows no secret.
public struct JSONWebKey: Hashable, Sendable, CustomStringConvertible {
    /// The one algorithm that it is for.
    public let algorithm: TokenAlgorithm
    /// Its name, put into the header of what it signs: up to 128 letters, digits, `-` and `_`.
    public let id: String?
    /// What it may do (`key_ops`).
    public let operations: [Operation]
    /// What it may grant at most; nil for anything.
    public let scope: TokenScope?
    let material: KeyMaterial

    /// What a key may do.
    public enum Operation: String, CaseIterable, Sendable {
        /// Sign tokens.
        case sign
        /// Verify tokens.
        case verify
    }

    init(
        _ algorithm: TokenAlgorithm, _ material: KeyMaterial, id: String? = nil,
        operations: [Operation] = Operation.allCases, scope: TokenScope? = nil
    ) throws(TokenError) {
        guard material.serves(algorithm) else {
            throw .unusableKey("its sort of key (`kty`, `crv`) does not serve its algorithm \(algorithm.rawValue)")
        }
        if let id {
            let isGood = id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isGood, !id.isEmpty, id.utf8.count <= TokenLimits.keyID else {
                throw .unusableKey("its `kid` is not 1 to \(TokenLimits.keyID) letters, digits, `-` and `_`")
            }
        }
        if let scope, scope.publish.isEmpty, scope.subscribe.isEmpty {
            throw .unusableKey("its `scope` allows nothing")
        }
        if case .secret(let secret) = material {
            guard TokenLimits.secret.contains(secret.count) else {
                let range = TokenLimits.secret
                throw .unusableKey(
                    "its secret has \(secret.count) bytes, not \(range.lowerBound) to \(range.upperBound)")
            }
        } else {
            _ = try KeyHandle(material)
        }
        self.algorithm = algorithm
        self.material = material
        self.id = id
        self.operations = operations
        self.scope = scope
    }

    /// Whether it can sign: the private part is there, and it may.
    public var canSign: Bool { material.isPrivate && operations.contains(.sign) }

    /// The half that only verifies. Throws for HMAC secrets, which have none.
    public func publicHalf() throws(TokenError) -> JSONWebKey {
        let open: KeyMaterial
        switch material {
        case .secret: throw .cannot("a secret key (HMAC) has no public half")
        case .rsa(let modulus, let exponent, _): open = .rsa(modulus: modulus, exponent: exponent, secret: nil)
        case .elliptic(let curve, let x, let y, _): open = .elliptic(curve, x: x, y: y, d: nil)
        case .ed25519(let x, _): open = .ed25519(x: x, d: nil)
        }
        return try JSONWebKey(algorithm, open, id: id, operations: [.verify], scope: scope)
    }

    public var description: String {
        "\(algorithm.rawValue) key" + (id.map { " \($0)" } ?? "") + (material.isPrivate ? "" : " (public half)")
    }

    // MARK: Signatures of any text

    /// Signs a text, whatever it is.
    func signature(of input: [UInt8]) throws(TokenError) -> [UInt8] {
        guard operations.contains(.sign) else { throw .cannot("the key may not sign (its `key_ops` say so)") }
        guard material.isPrivate else { throw .cannot("the key has no private part, so it cannot sign") }
        if case .secret(let secret) = material {
            return try MessageAuthentication.code(algorithm, secret: secret, of: input)
        }
        return try KeyHandle(material).signature(algorithm, of: input)
    }

    /// Throws unless a signature is this key's of a text.
    func check(_ signature: [UInt8], of input: [UInt8]) throws(TokenError) {
        guard operations.contains(.verify) else { throw .cannot("the key may not verify (its `key_ops` say so)") }
        let isGood: Bool
        if case .secret(let secret) = material {
            let code = try MessageAuthentication.code(algorithm, secret: secret, of: input)
            isGood = MessageAuthentication.areEqual(code, signature)
        } else {
            isGood = try KeyHandle(material).isSignature(signature, algorithm, of: input)
        }
        guard isGood else { throw .wrongSignature }
    }
}
