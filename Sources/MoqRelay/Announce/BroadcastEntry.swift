import MoqBase
import MoqWire

/// One session's announcement of a path.
final class AnnouncedSource {
    let session: RelaySession
    /// The full path.
    let path: BroadcastPath
    /// Counted over all announcements of the relay: the greater is the newer.
    let number: UInt64
    var route: Route

    init(session: RelaySession, path: BroadcastPath, number: UInt64, route: Route) {
        self.session = session
        self.path = path
        self.number = number
        self.route = route
    }
}

/// The content of one publisher at a path, with all the sources that lead to it and the tracks that are asked for.
final class BroadcastContent: Timed {
    let path: BroadcastPath
    let identity: ContentIdentity
    /// When it first laid claim to the path, as the number of its first announcement.
    let claim: UInt64
    /// Whether it is our own announcement come back, and waits for its turn.
    let isReflection: Bool
    var sources: [AnnouncedSource] = []
    var tracks: [TrackName: RelayTrack] = [:]
    /// The route that was last shown, for the time of the linger.
    var lastRoute: Route
    /// Until when it stays announced without a source.
    var lingersUntil: Instant?
    var queuedFor: Instant?
    private unowned let core: RelayCore

    init(source: AnnouncedSource, identity: ContentIdentity, isReflection: Bool, core: RelayCore) {
        path = source.path
        self.identity = identity
        claim = core.isBroken(by: .takeoverRefused) ? .max - source.number : source.number
        self.isReflection = isReflection
        lastRoute = source.route
        self.core = core
    }

    /// The sources, the preferred first.
    var ranked: [AnnouncedSource] {
        if core.isBroken(by: .newestRoute) { return sources.sorted { $0.number > $1.number } }
        if core.isBroken(by: .oldestRoute) { return sources.sorted { $0.number < $1.number } }
        return sources.sorted { RoutePolicy.isBetter(($0.route, $0.number), ($1.route, $1.number)) }
    }

    /// The tracks, in the order in which they were asked for.
    var tracksInOrder: [RelayTrack] {
        tracks.values.sorted { $0.number < $1.number }
    }

    func due(at now: Instant) {
        core.lingerEnded(self, at: now)
    }
}

/// A path at which something is announced: one content is active, others wait behind it.
final class BroadcastEntry {
    let path: BroadcastPath
    private(set) var contents: [BroadcastContent] = []
    /// Whether the oldest claim wins, which is wrong.
    var keepsFirst = false

    init(path: BroadcastPath) {
        self.path = path
    }

    /// The contents, the active one first: the newest claim, and reflections only behind all others.
    var ranked: [BroadcastContent] {
        contents.sorted { left, right in
            guard left.isReflection == right.isReflection else { return right.isReflection }
            return keepsFirst ? left.claim < right.claim : left.claim > right.claim
        }
    }

    func content(_ identity: ContentIdentity) -> BroadcastContent? {
        contents.first { $0.identity == identity }
    }

    func add(_ content: BroadcastContent) {
        contents.append(content)
    }

    func remove(_ content: BroadcastContent) {
        contents.removeAll { $0 === content }
    }
}
