import MoqBase
import Testing

@testable import MoqTokens

struct SignatureTests {
    @Test(arguments: Vectors.signed)
    func signaturesOfTheStandardsAreGood(_ vector: Vectors.Signed) throws {
        let key = try JSONWebKey(reading: Array(vector.key.utf8))
        let token = try JSONWebToken(parsing: vector.token)
        #expect(token.algorithm == key.algorithm)
        try key.check(token.signature, of: token.signed)
        #expect(throws: TokenError.wrongSignature) { try key.check(token.signature, of: token.signed + [0]) }
        var changed = token.signature
        changed[changed.count / 2] ^= 1
        #expect(throws: TokenError.wrongSignature) { try key.check(changed, of: token.signed) }
        #expect(throws: TokenError.wrongSignature) { try key.check([], of: token.signed) }
    }

    @Test func whatIsSignedWithoutChanceIsSignedAsTheStandardsHaveIt() throws {
        for vector in Vectors.signed where vector.token.contains("JIUzI1NiJ9") || vector.token.contains("ZERTQSJ9") {
            let key = try JSONWebKey(reading: Array(vector.key.utf8))
            let token = try JSONWebToken(parsing: vector.token)
            #expect(try key.signature(of: token.signed) == token.signature)
        }
    }

    @Test(arguments: TokenAlgorithm.allCases)
    func whatAKeySignsItVerifies(_ algorithm: TokenAlgorithm) throws {
        let key = try Keys.key(algorithm)
        let claims = TokenClaims(root: "room", publish: ["a", "b"], subscribe: [""], expires: 2000, issued: 1000)
        let token = try key.sign(claims)
        #expect(try key.verify(token, at: .seconds(1500)) == claims)
        if algorithm.family != .hmac {
            let open = try key.publicHalf()
            #expect(!open.canSign)
            #expect(try open.verify(token, at: .seconds(1500)) == claims)
            #expect(throws: TokenError.self) { try open.sign(claims) }
        }
        let other = try Keys.other(algorithm)
        #expect(throws: TokenError.wrongSignature) { try other.verify(token, at: .seconds(1500)) }
    }

    @Test func aKeyTakesNoTokenOfAnotherAlgorithm() throws {
        let claims = TokenClaims(publish: [""])
        for algorithm in TokenAlgorithm.allCases {
            let key = try Keys.key(algorithm)
            for other in TokenAlgorithm.allCases where other != algorithm {
                let token = try Keys.key(other).sign(claims)
                #expect(throws: TokenError.wrongAlgorithm(key: algorithm)) { try key.verify(token, at: .zero) }
            }
        }
    }

    @Test(arguments: ["none", "None", "NONE", "", "HS256 ", "hs256"])
    func noAndUnknownAlgorithmsAreRefused(_ name: String) throws {
        let key = try Keys.key(.hs256)
        let header = Array(#"{"alg":"\#(name)"}"#.utf8)
        let signed = try key.sign(payload: TokenClaims(publish: [""]).json, header: header)
        let unsigned = signed.split(separator: ".")[..<2].joined(separator: ".") + "."
        #expect(throws: TokenError.wrongAlgorithm(key: .hs256)) { try key.verify(signed, at: .zero) }
        #expect(throws: TokenError.wrongAlgorithm(key: .hs256)) { try key.verify(unsigned, at: .zero) }
    }

    @Test func aPublicKeyIsNoSecret() throws {
        // The old trick: a token of HMAC whose secret is the public key of the relay.
        let relay = try Keys.key(.rs256).publicHalf()
        let secret = Base64URL.text(Array(relay.json.prefix(512)))
        let forger = try JSONWebKey(reading: Array(#"{"kty":"oct","alg":"HS256","k":"\#(secret)"}"#.utf8))
        let token = try forger.sign(TokenClaims(publish: [""]))
        #expect(throws: TokenError.wrongAlgorithm(key: .rs256)) { try relay.verify(token, at: .zero) }
        let claimed = try forger.sign(
            payload: TokenClaims(publish: [""]).json, header: Array(#"{"alg":"RS256"}"#.utf8))
        #expect(throws: TokenError.wrongSignature) { try relay.verify(claimed, at: .zero) }
    }
}

/// One key of each algorithm, made once; the RSA algorithms share one, as those keys take a while.
enum Keys {
    static func key(_ algorithm: TokenAlgorithm) throws -> JSONWebKey {
        if algorithm.family == .rsa || algorithm.family == .rsaPSS {
            return try JSONWebKey(algorithm, #require(made["RS256"]).material)
        }
        return try #require(made[algorithm.rawValue])
    }

    /// A key that has nothing to do with the first.
    static func other(_ algorithm: TokenAlgorithm) throws -> JSONWebKey {
        if algorithm.family == .rsa || algorithm.family == .rsaPSS {
            let standard = try JSONWebKey(reading: Array(Vectors.signed[1].key.utf8))
            return try JSONWebKey(algorithm, standard.material)
        }
        var random = SeededRandom(seed: 8)
        return try JSONWebKey.generate(algorithm, random: &random)
    }

    private static let made: [String: JSONWebKey] = {
        var keys: [String: JSONWebKey] = [:]
        var random = SeededRandom(seed: 7)
        for algorithm in TokenAlgorithm.allCases
        where algorithm == .rs256 || "RP".contains(algorithm.rawValue.prefix(1)) == false {
            keys[algorithm.rawValue] = try? JSONWebKey.generate(algorithm, id: "k7", random: &random)
        }
        return keys
    }()
}
