import MoqBase
import MoqJSON

/// What a token says: where its holder may publish and subscribe, and until when.
///
/// The names are those of the reference: `root`, `put`, `get`, `exp` and `iat`. Others are ignored, `cluster` of old
/// tokens and `nbf` among them; a token with `aud` is meant for somebody else and refused, as the reference refuses it.
public struct TokenClaims: Hashable, Sendable {
    /// What the prefixes are relative to; empty for the root of the relay.
    public var root: String
    /// Prefixes, below `root`, under which its holder may publish (`put`). The empty one allows everything.
    public var publish: [String]
    /// Prefixes, below `root`, under which its holder may subscribe (`get`). The empty one allows everything.
    public var subscribe: [String]
    /// Seconds since 1970 after which the token is no good (`exp`); nil for never.
    public var expires: Int64?
    /// Seconds since 1970 at which it was made (`iat`); nobody acts on it.
    public var issued: Int64?

    /// Claims of their parts.
    public init(
        root: String = "", publish: [String] = [], subscribe: [String] = [], expires: Int64? = nil,
        issued: Int64? = nil
    ) {
        self.root = root
        self.publish = publish
        self.subscribe = subscribe
        self.expires = expires
        self.issued = issued
    }

    /// Whether anything is allowed at all.
    public var grantsAnything: Bool { !publish.isEmpty || !subscribe.isEmpty }

    /// What the claims allow on a session with this request path, relative to it.
    ///
    /// Path and root must lie on one line, by whole parts: below the root, what is allowed narrows to what lies below
    /// the path; above it, the way down to the root is put in front. Throws `otherRoot` or `noAccess` otherwise.
    public func permissions(at path: String) throws(TokenError) -> TokenPermissions {
        let (path, root) = (TokenPath(path), TokenPath(root))
        let below: TokenPath
        let above: TokenPath
        if let suffix = path.suffix(after: root) {
            (below, above) = (suffix, .empty)
        } else if let prefix = root.suffix(after: path) {
            (below, above) = (.empty, prefix)
        } else {
            throw .otherRoot(path: path.text)
        }
        let allowed = { (prefixes: [String]) -> [String] in
            let paths = prefixes.compactMap { prefix -> TokenPath? in
                let full = above.appending(TokenPath(prefix))
                return full.suffix(after: below) ?? (below.suffix(after: full) == nil ? nil : .empty)
            }
            return TokenPath.withoutCovered(paths).map(\.text)
        }
        let permissions = TokenPermissions(publish: allowed(publish), subscribe: allowed(subscribe))
        guard !permissions.publish.isEmpty || !permissions.subscribe.isEmpty else { throw .noAccess(path: path.text) }
        return permissions
    }

    // MARK: JSON

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if !root.isEmpty { writer.member("root", root) }
            if !publish.isEmpty { writer.member("put", publish) }
            if !subscribe.isEmpty { writer.member("get", subscribe) }
            if let expires { writer.member("exp", expires) }
            if let issued { writer.member("iat", issued) }
        }
        return writer.bytes
    }

    init(json bytes: [UInt8]) throws(TokenError) {
        guard let document = try? JSONValue(parsing: bytes), document.members != nil else {
            throw .unusableClaims("they are no JSON object")
        }
        guard document["aud"] == nil else {
            throw .unusableClaims("they have an audience (`aud`), which relays take for that of somebody else")
        }
        self.init(
            root: try ClaimReader.text("root", of: document) ?? "",
            publish: try ClaimReader.prefixes("put", of: document),
            subscribe: try ClaimReader.prefixes("get", of: document),
            expires: try ClaimReader.seconds("exp", of: document),
            issued: try ClaimReader.seconds("iat", of: document))
    }
}

/// What a session may do, as prefixes relative to its request path; the empty prefix allows everything.
public struct TokenPermissions: Hashable, Sendable {
    /// Under which it may publish.
    public var publish: [String]
    /// Under which it may subscribe.
    public var subscribe: [String]

    /// Permissions of their parts.
    public init(publish: [String], subscribe: [String]) {
        self.publish = publish
        self.subscribe = subscribe
    }
}

/// Reads single claims.
enum ClaimReader {
    static func text(_ name: String, of document: JSONValue) throws(TokenError) -> String? {
        guard let value = document[name] else { return nil }
        guard let text = value.string else { throw .unusableClaims("`\(name)` is no string") }
        return text
    }

    /// A string, or a list of strings.
    static func prefixes(_ name: String, of document: JSONValue) throws(TokenError) -> [String] {
        guard let value = document[name] else { return [] }
        if let text = value.string { return [text] }
        guard let elements = value.elements, elements.allSatisfy({ $0.string != nil }) else {
            throw .unusableClaims("`\(name)` is neither a string nor a list of strings")
        }
        guard elements.count <= TokenLimits.prefixes else {
            throw .unusableClaims("`\(name)` has more than \(TokenLimits.prefixes) prefixes")
        }
        return elements.compactMap(\.string)
    }

    /// A whole number of seconds; `null` is none.
    static func seconds(_ name: String, of document: JSONValue) throws(TokenError) -> Int64? {
        switch document[name] {
        case nil, .null: return nil
        case .integer(let seconds): return seconds
        default: throw .unusableClaims("`\(name)` is no whole number of seconds")
        }
    }
}
