/// A broadcast that was found. A replacement at the same path is another one: its number differs.
public struct FoundBroadcast: Hashable, Sendable {
    /// Its path below the prefix that was asked for; empty when it is the prefix itself.
    public var path: String
    /// Its path from the session's root.
    public var fullPath: String
    /// Which of the broadcasts found at this path, from 1.
    public var number: Int
}

/// `BroadcastSubscription`: the broadcasts under a prefix. That one is gone is not told: its streams end.
public final class BroadcastSubscription {
    /// As it was asked for: `live` and `live/` are two.
    public let prefix: String
    /// Whether it is over.
    public private(set) var isFinished = false
    /// What was found, in order.
    public private(set) var found: [FoundBroadcast] = []
    private let object: String
    private let session: String
    private let port: ModelPort

    init(prefix: String, session: String, as platform: KitPlatform, port: ModelPort) {
        self.prefix = prefix
        self.session = session
        self.port = port
        object = "\(session)/subscription \(port.newObject())"
        // Android's flow is cold: it starts when it is collected.
        if platform == .android { move(to: "active", by: "collect") }
    }

    private func move(to state: String, by input: String, _ values: MachineValues = [:]) {
        port.step("broadcast-subscription", object, of: session, input, values, to: state)
    }

    /// `cancel()` on iOS, `close()` on Android.
    public func cancel() {
        guard !isFinished else { return }
        finish(by: "cancel")
        port.ask(.unwatch(prefix: prefix))
    }

    func finish(by input: String, _ values: MachineValues = [:]) {
        guard !isFinished else { return }
        isFinished = true
        move(to: "finished", by: input, values)
    }

    func announced(_ fullPath: String) -> FoundBroadcast? {
        guard let below = Self.relative(fullPath, to: prefix) else { return nil }
        let path = port.isBroken(by: .pathsFromRoot) ? fullPath : below
        let number = found.count { $0.fullPath == fullPath } + 1
        if number > 1, port.isBroken(by: .replacementUnseen) { return nil }
        let broadcast = FoundBroadcast(path: path, fullPath: fullPath, number: number)
        found.append(broadcast)
        move(to: "active", by: "announced", ["path": .word(path)])
        return broadcast
    }

    /// The whole segments of a path: slashes at the ends and doubled ones say nothing.
    static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

    /// A path below a prefix, by whole segments; nil when it lies elsewhere.
    public static func relative(_ path: String, to prefix: String) -> String? {
        let (path, prefix) = (segments(path), segments(prefix))
        guard path.starts(with: prefix) else { return nil }
        return path.dropFirst(prefix.count).joined(separator: "/")
    }

    /// Whether a path that was found is the application's own broadcast: the demo's filter, by exact equality.
    public static func isOwn(_ found: String, publishing path: String, prefix: String) -> Bool {
        let found = segments(found)
        if found == segments(path) { return true }
        return relative(path, to: prefix).map { segments($0) == found } ?? false
    }
}
