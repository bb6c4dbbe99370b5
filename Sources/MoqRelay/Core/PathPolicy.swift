import MoqWire

/// What one session may see and say, and where its paths begin.
struct PathGrant: Hashable {
    /// What is put in front of every path of the session.
    let root: BroadcastPath
    /// The prefixes, below `root`, that may be announced and subscribed to; the empty prefix allows everything.
    let allowed: [BroadcastPath]

    /// The full path of a path of the session, or nil when it is outside the grant.
    func full(_ path: BroadcastPath) -> BroadcastPath? {
        guard allowed.contains(where: { $0.isPrefix(of: path) }) else { return nil }
        return root.appending(path)
    }

    /// A full path as the session names it, or nil when it may not see it.
    func relative(_ full: BroadcastPath) -> BroadcastPath? {
        guard let path = full.suffix(after: root) else { return nil }
        return allowed.contains { $0.isPrefix(of: path) } ? path : nil
    }
}

/// Which paths a session gets.
enum PathPolicy {
    /// The path part of what a client asked for: `/anon/x?jwt=...` asks for `anon/x`. Nil for a path that is none.
    static func requested(_ text: String?) -> BroadcastPath? {
        guard let text else { return .empty }
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return try? BroadcastPath(String(decoding: path, as: UTF8.self))
    }

    /// The request path of a session. A binding with a URL has it there, 05 and later in SETUP, and what can carry
    /// none gets the default.
    static func requestPath(
        version: Version, bindingPath: String?, setupPath: String?, defaultPath: String
    ) -> String? {
        if let bindingPath { return bindingPath }
        return version.hasSetup ? setupPath : defaultPath
    }

    /// What a session that asks for `path` gets where `publicPrefix` is open to all: everything below a path inside
    /// the prefix; from a path above it, the way down to the prefix; nil anywhere else.
    static func grant(for path: BroadcastPath, publicPrefix: BroadcastPath) -> PathGrant? {
        if publicPrefix.isPrefix(of: path) { return PathGrant(root: path, allowed: [.empty]) }
        if let below = publicPrefix.suffix(after: path) { return PathGrant(root: path, allowed: [below]) }
        return nil
    }
}
