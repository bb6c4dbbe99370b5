import COpenSSL

// Signatures in the form that JSON Web Signatures have (RFC 7518, 3; RFC 8037, 3.1).
extension KeyHandle {
    /// Signs a text.
    func signature(_ algorithm: TokenAlgorithm, of input: [UInt8]) throws(TokenError) -> [UInt8] {
        let made: [UInt8]? = withDigest(algorithm, EVP_DigestSignInit) { context in
            var length = 0
            guard EVP_DigestSign(context, nil, &length, input, input.count) == 1 else { return nil }
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSign(context, &signature, &length, input, input.count) == 1 else { return nil }
            return Array(signature.prefix(length))
        }
        guard let made else { throw .library("sign") }
        guard algorithm.family == .ecdsa else { return made }
        guard let halves = ECDSASignature.halves(of: made, length: algorithm.hashLength) else { throw .library("sign") }
        return halves
    }

    /// Whether a signature is this key's of a text.
    func isSignature(_ signature: [UInt8], _ algorithm: TokenAlgorithm, of input: [UInt8]) -> Bool {
        var given = signature
        if algorithm.family == .ecdsa {
            guard let encoded = ECDSASignature.encoded(halves: signature, length: algorithm.hashLength) else {
                return false
            }
            given = encoded
        }
        let isGood: Bool? = withDigest(algorithm, EVP_DigestVerifyInit) { context in
            EVP_DigestVerify(context, given, given.count, input, input.count) == 1
        }
        return isGood ?? false
    }

    private typealias Begin = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
    ) -> Int32

    /// Does something with a digest that was begun; nil when it cannot begin, or `body` gives nil.
    private func withDigest<Result>(
        _ algorithm: TokenAlgorithm, _ begin: Begin, _ body: (OpaquePointer) -> Result?
    ) -> Result? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var options: OpaquePointer?
        guard begin(context, &options, algorithm.hash, nil, key) == 1 else { return nil }
        if algorithm.family == .rsaPSS {
            // The salt is as long as the hash (RFC 7518, 3.5).
            guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return nil }
        }
        return body(context)
    }
}

/// ECDSA signatures: OpenSSL has them in DER, tokens as two numbers of full length one behind the other.
private enum ECDSASignature {
    static func halves(of encoded: [UInt8], length: Int) -> [UInt8]? {
        encoded.withUnsafeBufferPointer { buffer -> [UInt8]? in
            var position = buffer.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &position, buffer.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var halves = [UInt8](repeating: 0, count: length)
            var second = halves
            guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &halves, Int32(length)) == length,
                BN_bn2binpad(ECDSA_SIG_get0_s(signature), &second, Int32(length)) == length
            else { return nil }
            return halves + second
        }
    }

    static func encoded(halves: [UInt8], length: Int) -> [UInt8]? {
        guard halves.count == 2 * length else { return nil }
        return DER.sequence(DER.integer(Array(halves[..<length])), DER.integer(Array(halves[length...])))
    }
}

/// HMAC (RFC 7518, 3.2).
enum MessageAuthentication {
    static func code(_ algorithm: TokenAlgorithm, secret: [UInt8], of input: [UInt8]) throws(TokenError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: algorithm.hashLength)
        var length: UInt32 = 0
        guard HMAC(algorithm.hash, secret, Int32(secret.count), input, input.count, &code, &length) != nil,
            Int(length) == code.count
        else { throw .library("authenticate") }
        return code
    }

    /// Whether two codes are the same, in a time that does not tell where they differ.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
