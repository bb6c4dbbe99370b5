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
    /// Paths at which something changed while the peer was not reading. What it sees in the end is what is there then,
    /// so a peer that does not read costs no more than this.
    private var overdue: Set<BroadcastPath> = []
    /// Paths of which a relay that is wrong on purpose will not tell the end.
    private var takenOver: Set<BroadcastPath> = []

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
            guard let path = session.grant?.relative(entry.path, to: .subscribe), let view = view(of: entry) else {
                continue
            }
            shown[entry.path] = view
            active.append(announced(path, view))
        }
        session.lite.answerAnnounce(id, active: active)
    }

    /// Whether something could not be said yet.
    var isBehind: Bool { !overdue.isEmpty }

    private var canSpeak: Bool { session.lite.transport.canWrite(id.stream) }

    /// Says what could not be said before, as far as the peer reads. `entry` gives what is at a path now.
    func catchUp(_ entry: (BroadcastPath) -> BroadcastEntry?) {
        for path in overdue.sorted() {
            guard canSpeak else { return }
            overdue.remove(path)
            refresh(entry(path) ?? BroadcastEntry(path: path))
        }
    }

    /// Something changed at a path: says so, if it shows.
    func refresh(_ entry: BroadcastEntry, keepingBack fault: RelayFault? = nil) {
        guard canSpeak else {
            overdue.insert(entry.path)
            return
        }
        guard let path = session.grant?.relative(entry.path, to: .subscribe) else { return }
        let before = shown[entry.path]
        let after = view(of: entry)
        guard before != after else { return }
        shown[entry.path] = after
        if let fault, keepsBack(entry.path, before, after, fault) { return }
        switch (before, after) {
        case (nil, let after?):
            session.lite.announce(id, announced(path, after))
        case (_?, nil):
            session.lite.unannounce(id, path)
        case (let before?, let after?):
            if before.identity != after.identity {
                session.lite.unannounce(id, path)
                session.lite.announce(id, announced(path, after))
            } else if session.version.announcementsCanChange {
                // Only here can a route change without the broadcast seeming to end.
                session.lite.announce(id, announced(path, after))
            }
        case (nil, nil):
            break
        }
    }

    /// Whether a relay that is wrong on purpose says nothing of a change.
    private func keepsBack(_ path: BroadcastPath, _ before: Shown?, _ after: Shown?, _ fault: RelayFault) -> Bool {
        let isTakeover = before != nil && after != nil && before?.identity != after?.identity
        if isTakeover, fault === RelayFault.takeoverUntold { return true }
        guard fault === RelayFault.endLostAfterTakeover else { return false }
        if isTakeover { takenOver.insert(path) }
        return after == nil && takenOver.contains(path)
    }

    private func announced(_ path: BroadcastPath, _ view: Shown) -> Announced {
        Announced(path: path, hops: view.route.hops, cost: view.route.cost)
    }
}
