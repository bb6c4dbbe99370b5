import MoqJSON

/// A token in its compact form (RFC 7515, 7.1), taken apart and believed in nothing yet.
struct JSONWebToken {
    /// What `alg` says; nil for anything that is no known algorithm, `none` among them.
    let algorithm: TokenAlgorithm?
    let payload: [UInt8]
    let signature: [UInt8]
    /// The text that is signed.
    let signed: [UInt8]

    init(parsing text: String) throws(TokenError) {
        guard text.utf8.count <= TokenLimits.token else {
            throw .malformed("it has more than \(TokenLimits.token) bytes")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("it has \(parts.count) parts between points, not 3") }
        guard let header = Base64URL.bytes(Substring(parts[0])) else { throw .malformed("its header is no base64url") }
        guard let payload = Base64URL.bytes(Substring(parts[1])) else {
            throw .malformed("its claims are no base64url")
        }
        guard let signature = Base64URL.bytes(Substring(parts[2])) else {
            throw .malformed("its signature is no base64url")
        }
        guard let document = try? JSONValue(parsing: header), document.members != nil else {
            throw .malformed("its header is no JSON object")
        }
        guard let name = document["alg"]?.string else { throw .malformed("its header says no algorithm (`alg`)") }
        // Extensions that must be understood (RFC 7515, 4.1.11); none is.
        guard document["crit"] == nil else { throw .malformed("its header demands an extension (`crit`)") }
        algorithm = TokenAlgorithm(rawValue: name)
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }
}

extension JSONWebKey {
    /// Signs claims into a token. Throws when the key cannot sign, or the claims grant nothing or more than its scope.
    public func sign(_ claims: TokenClaims) throws(TokenError) -> String {
        guard claims.grantsAnything else { throw .grantsNothing }
        if let scope, !scope.covers(claims) { throw .beyondScope }
        return try sign(payload: claims.json)
    }

    /// Signs claims as they are into a token that says it is of `algorithm`, with no signature at all for `none`: for
    /// tests of those who verify, which must refuse it.
    public func sign(_ claims: TokenClaims, claiming algorithm: String) throws(TokenError) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("alg", algorithm)
            writer.member("typ", "JWT")
        }
        let token = try sign(payload: claims.json, header: writer.bytes)
        guard algorithm == "none", let point = token.utf8.lastIndex(of: UInt8(ascii: ".")) else { return token }
        return String(token[...point])
    }

    /// Signs any payload, so that tests of those who verify can have what `sign` refuses.
    func sign(payload: [UInt8], header: [UInt8]? = nil) throws(TokenError) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("alg", algorithm.rawValue)
            writer.member("typ", "JWT")
            writer.member("kid", id)
        }
        let signed = "\(Base64URL.text(header ?? writer.bytes)).\(Base64URL.text(payload))"
        return try "\(signed).\(Base64URL.text(signature(of: Array(signed.utf8))))"
    }

    /// Verifies a token at a time, given as what has passed since 1970, and returns its claims.
    ///
    /// The algorithm must be the key's, the signature good, the claims legible and within the key's scope, the token
    /// not expired, and something granted. `kid` decides nothing where there is one key.
    public func verify(_ token: String, at time: Duration) throws(TokenError) -> TokenClaims {
        let parsed = try JSONWebToken(parsing: token)
        guard parsed.algorithm == algorithm else { throw .wrongAlgorithm(key: algorithm) }
        try check(parsed.signature, of: parsed.signed)
        let claims = try TokenClaims(json: parsed.payload)
        if let expires = claims.expires, .seconds(expires) < time { throw .expired(ago: time - .seconds(expires)) }
        guard claims.grantsAnything else { throw .grantsNothing }
        if let scope, !scope.covers(claims) { throw .beyondScope }
        return claims
    }
}
