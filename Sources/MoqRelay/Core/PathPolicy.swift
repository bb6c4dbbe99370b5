import MoqWire

/// What one session may see and say, and where its paths begin.
struct PathGrant: Hashable {
    /// What is put in front of every path of the session.
    let root: BroadcastPath
    /// The prefixes, below `root`, under which it may announce broadcasts; the empty prefix allows everything.
    private(set) var publish: [BroadcastPath]
    /// The prefixes, below `root`, under which it may see and subscribe; the empty prefix allows everything.
    private(set) var subscribe: [BroadcastPath]

    /// A grant of its parts.
    init(root: BroadcastPath, publish: [BroadcastPath], subscribe: [BroadcastPath]) {
        self.root = root
        self.publish = publish
        self.subscribe = subscribe
    }

    /// A grant of the same prefixes in both directions.
    init(root: BroadcastPath, allowed: [BroadcastPath]) {
        self.init(root: root, publish: allowed, subscribe: allowed)
    }

    /// Which way something goes.
    enum Direction {
        case publish
        case subscribe
    }

    private func allows(_ path: BroadcastPath, _ direction: Direction) -> Bool {
        (direction == .publish ? publish : subscribe).contains { $0.isPrefix(of: path) }
    }

    /// The full path of a path of the session, or nil when it may not do that there.
    func full(_ path: BroadcastPath, to direction: Direction) -> BroadcastPath? {
        allows(path, direction) ? root.appending(path) : nil
    }

    /// A full path as the session names it, or nil when it may not do that there.
    func relative(_ full: BroadcastPath, to direction: Direction) -> BroadcastPath? {
        guard let path = full.suffix(after: root) else { return nil }
        return allows(path, direction) ? path : nil
    }

    /// What is left for a session that says in its SETUP which way it goes: one direction. Nil when that is nothing,
    /// which relays of the original stack refuse like a token that allows nothing.
    func narrowed(to role: SetupRole?) -> PathGrant? {
        var grant = self
        switch role {
        case .publisher: grant.subscribe = []
        case .subscriber: grant.publish = []
        default: break
        }
        return grant.publish.isEmpty && grant.subscribe.isEmpty ? nil : grant
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
