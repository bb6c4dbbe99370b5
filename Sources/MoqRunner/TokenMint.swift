import MoqBase
import MoqScenario
import MoqTokens
import MoqWire

/// What token a session wants.
enum TokenWish {
    /// What the run gives to all that want nothing else.
    case usual
    /// One of its own, for a case with this path.
    case own(ActorToken, prefix: BroadcastPath)
}

/// Puts tokens into request paths: those that the run was given, and those that scenarios describe.
struct TokenMint: Sendable {
    /// The key of the relay under test, where it is known.
    var key: JSONWebKey?
    /// The token that the run was given for all sessions.
    var usual: String?
    /// Whether sessions that want nothing else get a token that allows everything below their request path.
    var mintsForAll = false
    /// What had passed since 1970 at the origin of the driver's clock.
    var epoch = Duration.zero

    /// A text that no relay may take for a token.
    private static let nonsense = "nonsense"

    /// A key that nobody else has; the same seed gives the same one. Of HMAC, whose signatures are no work.
    static func freshKey(seed: UInt64) throws(TokenError) -> JSONWebKey {
        var random = SeededRandom(seed: seed).forked("token key")
        return try JSONWebKey.generate(.hs256, random: &random)
    }

    /// The request path with the token in it that a session wants, as it connects. Tokens that a scenario has written
    /// into the path itself stay in front of it.
    func request(
        _ path: String, for wish: TokenWish, isOfScenario: Bool = false, at now: Instant
    ) throws(RunnerError) -> String {
        do {
            switch wish {
            case .own(.none, _): return RequestToken.request(path, with: nil)
            case .own(.nonsense, _): return RequestToken.request(path, with: Self.nonsense)
            case .own(.minted(let token), let prefix):
                let minted = try mint(token, path, prefix, now)
                return isOfScenario
                    ? RequestToken.request(path, adding: minted) : RequestToken.request(path, with: minted)
            case .usual:
                // What the URL of the relay brings is left where nothing else is given.
                if isOfScenario, RequestToken.names(path) { return path }
                if let usual { return RequestToken.request(path, with: usual) }
                guard mintsForAll, let key, key.canSign, RequestToken.token(of: path) == nil else { return path }
                let claims = TokenClaims(root: RequestToken.path(of: path), publish: [""], subscribe: [""])
                return RequestToken.request(path, with: try key.sign(claims))
            }
        } catch {
            throw .unusable("no token could be minted: \(error)")
        }
    }

    private func mint(
        _ token: TokenDefinition, _ path: String, _ prefix: BroadcastPath, _ now: Instant
    ) throws(TokenError) -> String {
        guard let key else { throw .cannot("the key of the relay is not known; --token-key FILE gives it") }
        let claims = claims(token, path, prefix, now)
        let signer = token.key == .right ? key : try Self.another(than: key)
        switch token.algorithm {
        case .right: return try signer.sign(claims)
        case .wrong: return try signer.sign(claims, claiming: Self.anotherName(than: signer.algorithm))
        case .none: return try signer.sign(claims, claiming: "none")
        }
    }

    /// What a token says. Without a root of its own, its paths are those of the case, as in steps.
    private func claims(
        _ token: TokenDefinition, _ path: String, _ prefix: BroadcastPath, _ now: Instant
    ) -> TokenClaims {
        let isOfCase = token.root == nil
        func paths(_ grant: TokenDefinition.Grant) -> [String] {
            switch grant {
            case .none: []
            case .all: [isOfCase ? prefix.text : ""]
            case .prefixes(let prefixes): isOfCase && !prefix.isEmpty ? prefixes.map { "\(prefix)/\($0)" } : prefixes
            }
        }
        let time = epoch + Instant.origin.duration(to: now)
        let expires: Int64? =
            switch token.expires {
            case nil: nil
            case .after(let wait): (time + wait + .nanoseconds(999_999_999)).components.seconds
            case .before(let past): (time - past).components.seconds
            }
        return TokenClaims(
            root: token.root ?? RequestToken.path(of: path), publish: paths(token.publish),
            subscribe: paths(token.subscribe), expires: expires, issued: time.components.seconds)
    }

    /// A key of the same algorithm that the relay does not know.
    private static func another(than key: JSONWebKey) throws(TokenError) -> JSONWebKey {
        var random = SeededRandom(seed: StableHash.of(key.json)).forked("another key")
        return try JSONWebKey.generate(key.algorithm, random: &random)
    }

    private static func anotherName(than algorithm: TokenAlgorithm) -> String {
        algorithm == .hs256 ? TokenAlgorithm.hs512.rawValue : TokenAlgorithm.hs256.rawValue
    }
}
