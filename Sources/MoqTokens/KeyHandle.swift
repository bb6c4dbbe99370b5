import COpenSSL

/// A key pair, or its public half, as OpenSSL has it: everything but HMAC.
final class KeyHandle {
    let key: OpaquePointer

    /// Takes over a key.
    init(_ key: OpaquePointer) {
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// The key of its numbers. Throws when they are no key: a point off the curve, or parts that are not of each other.
    convenience init(_ material: KeyMaterial) throws(TokenError) {
        switch material {
        case .secret: throw .library("treat a secret as a key pair")
        case .ed25519(let x, nil):
            try self.init(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, x, x.count), "Ed25519")
        case .ed25519(let x, let d?):
            try self.init(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, d, d.count), "Ed25519")
            guard publicBytes == x else { throw Self.foreignParts }
        case .elliptic(let curve, let x, let y, let d):
            let point = [4] + x + y
            if let d {
                try self.init(privateCurve: curve, d, point: point)
            } else {
                let algorithm = DER.sequence(DER.ellipticKey, curve.name)
                try self.init(der: DER.sequence(algorithm, DER.bits(point)), "EC") { d2i_PUBKEY(nil, &$0, $1) }
            }
            try check(isPrivate: d != nil)
        case .rsa(let modulus, let exponent, let secret):
            try self.init(modulus, exponent, secret)
            guard TokenLimits.modulus.contains(EVP_PKEY_get_bits(key)) else {
                let range = TokenLimits.modulus
                throw .unusableKey(
                    "its modulus has \(EVP_PKEY_get_bits(key)) bits, not \(range.lowerBound) to \(range.upperBound)")
            }
            if secret != nil { try check(isPrivate: true) }
        }
    }

    private convenience init(_ made: OpaquePointer?, _ kind: String) throws(TokenError) {
        guard let made else {
            ERR_clear_error()
            throw .unusableKey("its numbers are no \(kind) key")
        }
        self.init(made)
    }

    private convenience init(
        der: [UInt8], _ kind: String, read: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) throws(TokenError) {
        let made = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return read(&position, buffer.count)
        }
        try self.init(made, kind)
    }

    /// A private key of a curve (RFC 5915); without `point`, OpenSSL works it out.
    convenience init(privateCurve curve: EllipticCurve, _ d: [UInt8], point: [UInt8]?) throws(TokenError) {
        let open = point.map { DER.value(0xA1, DER.bits($0)) } ?? []
        let der = DER.sequence(DER.integer([1]), DER.octets(d), DER.value(0xA0, curve.name), open)
        try self.init(der: der, "EC") { d2i_PrivateKey(EVP_PKEY_EC, nil, &$0, $1) }
    }

    /// RSA keys (RFC 8017, A.1).
    private convenience init(
        _ modulus: [UInt8], _ exponent: [UInt8], _ secret: KeyMaterial.RSASecret?
    ) throws(TokenError) {
        let (n, e) = (DER.integer(modulus), DER.integer(exponent))
        guard let secret else {
            try self.init(der: DER.sequence(n, e), "RSA") { d2i_PublicKey(EVP_PKEY_RSA, nil, &$0, $1) }
            return
        }
        let numbers = [secret.d, secret.p, secret.q, secret.dp, secret.dq, secret.qi].flatMap(DER.integer)
        let der = DER.sequence(DER.integer([0]), n, e, numbers)
        try self.init(der: der, "RSA") { d2i_PrivateKey(EVP_PKEY_RSA, nil, &$0, $1) }
    }

    private func check(isPrivate: Bool) throws(TokenError) {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .library("check a key") }
        defer { EVP_PKEY_CTX_free(context) }
        let isGood = isPrivate ? EVP_PKEY_pairwise_check(context) : EVP_PKEY_public_check(context)
        guard isGood == 1 else {
            ERR_clear_error()
            throw isPrivate ? Self.foreignParts : .unusableKey("its point is not on the curve")
        }
    }

    private static let foreignParts = TokenError.unusableKey("its public part is not that of its private part")

    /// The public key of Ed25519.
    var publicBytes: [UInt8] {
        var length = 32
        var bytes = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &length) == 1 else { return [] }
        return bytes
    }

    /// One of the numbers of the key by OpenSSL's name, big-endian, at least `length` bytes. Nil when there is none.
    func number(_ name: String, length: Int = 0) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else {
            ERR_clear_error()
            return nil
        }
        defer { BN_clear_free(number) }
        var bytes = [UInt8](repeating: 0, count: max(Int(BN_num_bits(number) + 7) / 8, length))
        BN_bn2binpad(number, &bytes, Int32(bytes.count))
        return bytes
    }
}
