import MoqJSON

/// The most that a key may grant, part of the key (`scope` of the reference's keys).
public struct TokenScope: Hashable, Sendable {
    /// What the prefixes are relative to.
    public var root: String
    /// Prefixes that its tokens may allow to publish under.
    public var publish: [String]
    /// Prefixes that its tokens may allow to subscribe under.
    public var subscribe: [String]

    /// A scope of its parts.
    public init(root: String = "", publish: [String] = [], subscribe: [String] = []) {
        self.root = root
        self.publish = publish
        self.subscribe = subscribe
    }

    /// Whether all that claims grant lies under what the scope allows, each direction by itself.
    public func covers(_ claims: TokenClaims) -> Bool {
        covers(publish, claims.root, claims.publish) && covers(subscribe, claims.root, claims.subscribe)
    }

    private func covers(_ allowed: [String], _ root: String, _ wanted: [String]) -> Bool {
        let own = TokenPath(self.root)
        return wanted.allSatisfy { prefix in
            let full = TokenPath(root).appending(TokenPath(prefix))
            return allowed.contains { full.suffix(after: own.appending(TokenPath($0))) != nil }
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.name("scope")
        writer.object { writer in
            if !root.isEmpty { writer.member("root", root) }
            if !publish.isEmpty { writer.member("put", publish) }
            if !subscribe.isEmpty { writer.member("get", subscribe) }
        }
    }
}
