import MoqLite
import MoqWire

/// One request for announcements, and what it has been told.
final class Watcher {
    /// What a watcher knows of a path.
    struct Shown: Hashable {
        var route: Route
        var identity: ContentIdentity
    }

    unowned let session: RelaySession
    let id: IncomingAnnounceID
    /// The full path below which it watches.
    let prefix: BroadcastPath
    /// The hop whose routes it does not want; 0 for none.
    let excludedHop: UInt64
    private(set) var shown: [BroadcastPath: Shown] = [:]

    init(session: RelaySession, id: IncomingAnnounceID, prefix: BroadcastPath, excludedHop: UInt64) {
        self.session = session
        self.id = id
        self.prefix = prefix
        self.excludedHop = excludedHop
    }

    /// What it should see at a path, if anything: the active content by its best route that may be shown, else the
    /// next content that has one.
    func view(of entry: BroadcastEntry) -> Shown? {
        for content in entry.ranked {
            for source in content.ranked where isVisible(source.route, isOwn: source.session === session) {
                return Shown(route: source.route, identity: content.identity)
            }
            if content.sources.isEmpty, content.lingersUntil != nil, isVisible(content.lastRoute, isOwn: false) {
                return Shown(route: content.lastRoute, identity: content.identity)
            }
        }
        return nil
    }

    private func isVisible(_ route: Route, isOwn: Bool) -> Bool {
        RoutePolicy.isVisible(route, to: session.version, excluding: excludedHop, isOwnSession: isOwn)
    }

    /// The first answer: everything that is there.
    func begin(_ entries: [BroadcastEntry]) {
        var active: [Announced] = []
        for entry in entries {
            guard let path = session.grant?.relative(entry.path), let view = view(of: entry) else { continue }
            shown[entry.path] = view
            active.append(announced(path, view))
        }
        session.lite.answerAnnounce(id, active: active)
    }

    /// Something changed at a path: says so, if it shows.
    func refresh(_ entry: BroadcastEntry) {
        guard let path = session.grant?.relative(entry.path) else { return }
        let before = shown[entry.path]
        let after = view(of: entry)
        guard before != after else { return }
        shown[entry.path] = after
        switch (before, after) {
        case (nil, let after?):
            session.lite.announce(id, announced(path, after))
        case (_?, nil):
            session.lite.unannounce(id, path)
        case (let before?, let after?):
            if before.identity != after.identity {
                session.lite.unannounce(id, path)
                session.lite.announce(id, announced(path, after))
            } else if session.version >= .lite05 {
                // Only here can a route change without the broadcast seeming to end.
                session.lite.announce(id, announced(path, after))
            }
        case (nil, nil):
            break
        }
    }

    private func announced(_ path: BroadcastPath, _ view: Shown) -> Announced {
        Announced(path: path, hops: view.route.hops, cost: view.route.cost)
    }
}
