/// Why a key cannot be used, or a token is refused. No case holds a token, a key or a part of one.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A text is no JSON Web Key that can be used; the problem in words.
    case unusableKey(String)
    /// The key may not or cannot do what was asked: it has no private part, or its `key_ops` say so.
    case cannot(String)
    /// A text is no token at all; the problem in words.
    case malformed(String)
    /// The token says another algorithm than its key has, `none` among them.
    case wrongAlgorithm(key: TokenAlgorithm)
    /// The signature is not that of the key.
    case wrongSignature
    /// The claims cannot be understood; the problem in words.
    case unusableClaims(String)
    /// The token expired this long ago.
    case expired(ago: Duration)
    /// The claims allow neither to publish nor to subscribe.
    case grantsNothing
    /// The claims go beyond what the key may grant (its `scope`).
    case beyondScope
    /// The claims are for another root than this request path.
    case otherRoot(path: String)
    /// The root fits, and nothing that the claims allow lies at this request path.
    case noAccess(path: String)
    /// OpenSSL failed at something that cannot fail with good input.
    case library(String)

    public var description: String {
        switch self {
        case .unusableKey(let problem): "the key cannot be used: \(problem)"
        case .cannot(let problem): problem
        case .malformed(let problem): "the token is no JSON Web Token: \(problem)"
        case .wrongAlgorithm(let key): "the token is not signed as its key demands (\(key.rawValue))"
        case .wrongSignature: "the token is not signed by this key"
        case .unusableClaims(let problem): "the claims of the token cannot be used: \(problem)"
        case .expired(let ago): "the token expired \(ago.components.seconds) s ago; mint a new one"
        case .grantsNothing: "the token allows neither to publish (`put`) nor to subscribe (`get`)"
        case .beyondScope: "the token grants more than its key may grant"
        case .otherRoot(let path): "the token is for another root than \(path.isEmpty ? "/" : path)"
        case .noAccess(let path): "the token allows nothing at \(path.isEmpty ? "/" : path)"
        case .library(let what): "OpenSSL could not \(what)"
        }
    }
}
