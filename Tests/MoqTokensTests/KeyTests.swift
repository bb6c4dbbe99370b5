import MoqBase
import Testing

@testable import MoqTokens

struct KeyTests {
    @Test(arguments: TokenAlgorithm.allCases)
    func aKeyIsReadBackFromJSONAndFromTheLineOfAFile(_ algorithm: TokenAlgorithm) throws {
        let key = try Keys.key(algorithm)
        #expect(try JSONWebKey(reading: key.json) == key)
        #expect(try JSONWebKey(reading: Array("\n \(key.fileText)\n".utf8)) == key)
        #expect(!key.fileText.contains { "{=+/".contains($0) })
        guard algorithm.family != .hmac else { return }
        let open = try key.publicHalf()
        #expect(try JSONWebKey(reading: open.json) == open)
    }

    @Test func theSameChanceMakesTheSameKeyExceptOfRSA() throws {
        for algorithm in [TokenAlgorithm.hs384, .es256, .es384, .edDSA] {
            var (first, again, other) = (SeededRandom(seed: 1), SeededRandom(seed: 1), SeededRandom(seed: 2))
            let key = try JSONWebKey.generate(algorithm, random: &first)
            #expect(try JSONWebKey.generate(algorithm, random: &again) == key)
            #expect(try JSONWebKey.generate(algorithm, random: &other) != key)
        }
    }

    @Test func aFileOfOldHasNoKindAndPadding() throws {
        let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let key = try JSONWebKey(reading: Array(#"{"alg":"HS256","k":"\#(secret)"}"#.utf8))
        #expect(key.material == .secret(Array(0..<32)))
        #expect(key.operations == [.sign, .verify])
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("hello, world", "it is neither JSON nor the base64url of JSON"),
        ("{", "line 1, column"),
        ("[]", "it is neither JSON nor"),
        ("W10", "it is no JSON object"),
        (#"{"keys":[]}"#, "it is a set of keys"),
        (#"{"kty":"oct"}"#, "its `alg` is missing"),
        (#"{"kty":"oct","alg":"none","k":"AAAA"}"#, "its `alg` is none of HS256"),
        (#"{"kty":"oct","alg":"HS256","k":"AAAA"}"#, "its secret has 3 bytes, not 32 to 1024"),
        (#"{"kty":"oct","alg":"HS256"}"#, "its `k` is missing"),
        (#"{"kty":"oct","alg":"HS256","k":"A*"}"#, "its `k` is no base64url"),
        (#"{"kty":"EC","alg":"ES256","crv":"P-521","x":"AA","y":"AA"}"#, "its curve (`crv`) is neither"),
        (#"{"kty":"EC","alg":"ES256","crv":"P-256","x":"AA","y":"AA"}"#, "have 32 bytes each on P-256"),
        (
            #"{"kty":"EC","alg":"ES256","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#,
            "its numbers are no EC key"
        ),
        (
            #"{"kty":"OKP","alg":"EdDSA","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#,
            "its public part is not that of its private part"
        ),
        (#"{"kty":"RSA","alg":"RS256","n":"x_FEzRu9m36HLN_tue659Q","e":"AQAB"}"#, "its modulus has 128 bits"),
        (#"{"kty":"DSA","alg":"RS256"}"#, "its `kty` is none of"),
        (
            #"{"kty":"oct","alg":"RS256","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"}"#,
            "does not serve its algorithm RS256"
        ),
        (
            #"{"kty":"oct","alg":"HS256","kid":"../x","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"}"#,
            "its `kid` is not"
        ),
        (
            #"{"kty":"oct","alg":"HS256","scope":{},"k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"}"#,
            "its `scope` allows nothing"
        ),
    ])
    func whatIsNoKeyIsToldInWordsWithoutTheKey(_ text: String, _ problem: String) throws {
        let error = try #require(throws: TokenError.self) { try JSONWebKey(reading: Array(text.utf8)) }
        #expect(error.description.hasPrefix("the key cannot be used: "))
        #expect(error.description.contains(problem), "\(error)")
        #expect(!error.description.contains("AyM1"))
    }

    @Test func aKeyFileHasABound() {
        let bytes = [UInt8](repeating: UInt8(ascii: "A"), count: TokenLimits.keyFile + 1)
        #expect(throws: TokenError.self) { try JSONWebKey(reading: bytes) }
    }

    @Test func aKeyDoesOnlyWhatItMay() throws {
        let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"
        let both = try JSONWebKey(reading: Array(#"{"alg":"HS256","k":"\#(secret)"}"#.utf8))
        let signer = try JSONWebKey(reading: Array(#"{"alg":"HS256","key_ops":["sign"],"k":"\#(secret)"}"#.utf8))
        let verifier = try JSONWebKey(reading: Array(#"{"alg":"HS256","key_ops":["verify"],"k":"\#(secret)"}"#.utf8))
        let token = try signer.sign(TokenClaims(publish: [""]))
        #expect(throws: TokenError.cannot("the key may not verify (its `key_ops` say so)")) {
            try signer.verify(token, at: .zero)
        }
        #expect(throws: TokenError.cannot("the key may not sign (its `key_ops` say so)")) {
            try verifier.sign(TokenClaims(publish: [""]))
        }
        _ = try verifier.verify(token, at: .zero)
        #expect(signer.canSign && both.canSign && !verifier.canSign)
        #expect(!"\(both)".contains("AyM1"))
    }

    @Test func aScopeBoundsWhatAKeyGrants() throws {
        let scope = TokenScope(root: "project", publish: ["live"])
        let key = try JSONWebKey(.hs256, .secret([UInt8](repeating: 1, count: 32)), scope: scope)
        #expect(try JSONWebKey(reading: key.json) == key)
        let inside = TokenClaims(root: "project/live", publish: ["room"])
        #expect(try key.verify(key.sign(inside), at: .zero) == inside)
        for outside in [
            TokenClaims(root: "project/lively", publish: [""]), TokenClaims(root: "project/live", subscribe: [""]),
            TokenClaims(publish: [""]), TokenClaims(root: "project", publish: ["live/a", "other"]),
        ] {
            #expect(throws: TokenError.beyondScope) { try key.sign(outside) }
            let forged = try key.sign(payload: outside.json)
            #expect(throws: TokenError.beyondScope) { try key.verify(forged, at: .zero) }
        }
    }
}
