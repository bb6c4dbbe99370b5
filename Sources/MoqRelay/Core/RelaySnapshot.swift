import MoqWire

/// What a relay holds, below some path: enough to see that everything of a case was released.
public struct RelaySnapshot: Hashable, Sendable, CustomStringConvertible {
    /// Sessions whose root lies there, or that hold something there.
    public var sessions = 0
    /// Broadcasts that are announced.
    public var broadcasts: [BroadcastPath] = []
    /// Requests for announcements that are open.
    public var watchers = 0
    /// Tracks whose state is kept, watched or not.
    public var tracks = 0
    /// Subscriptions that run upstream.
    public var upstreamSubscriptions = 0
    /// Subscriptions that are served.
    public var downstreamSubscriptions = 0
    /// Fetches that run upstream.
    public var upstreamFetches = 0
    /// Fetches that are served.
    public var downstreamFetches = 0
    /// Questions for track properties that wait.
    public var trackQuestions = 0
    /// Bytes kept of tracks.
    public var cachedBytes = 0

    /// Nothing is held.
    public init() {}

    /// Whether nothing at all is held.
    public var isEmpty: Bool { self == RelaySnapshot() }

    public var description: String {
        """
        sessions \(sessions), broadcasts \(broadcasts.count), watchers \(watchers), tracks \(tracks), \
        upstream subscriptions \(upstreamSubscriptions), downstream subscriptions \(downstreamSubscriptions), \
        upstream fetches \(upstreamFetches), downstream fetches \(downstreamFetches), \
        track questions \(trackQuestions), cached bytes \(cachedBytes)
        """
    }
}

extension RelayCore {
    /// What is held at and below `prefix`.
    public func snapshot(under prefix: BroadcastPath = .empty) -> RelaySnapshot {
        var result = RelaySnapshot()
        let found = entries.values(under: prefix)
        result.broadcasts = found.filter { entry in entry.contents.contains { !$0.sources.isEmpty } }.map(\.path)
        let contents = found.flatMap(\.contents) + detached.filter { prefix.isPrefix(of: $0.path) }
        let tracks = contents.flatMap(\.tracksInOrder)
        result.tracks = tracks.count
        for track in tracks {
            result.cachedBytes += track.store.storedBytes
            result.upstreamFetches += track.fetches.count
            for case .subscribed in [track.current, track.candidate, track.draining].map({ $0?.stage }) {
                result.upstreamSubscriptions += 1
            }
        }
        for session in sessionsInOrder { count(session, under: prefix, in: &result) }
        return result
    }

    private func count(_ session: RelaySession, under prefix: BroadcastPath, in result: inout RelaySnapshot) {
        let watching = session.watchers.values.filter { prefix.isPrefix(of: $0.prefix) }.count
        let subscribed = session.subscribed.values.filter { prefix.isPrefix(of: $0.content.path) }.count
        let questions = session.questions.values.filter { prefix.isPrefix(of: $0.content.path) }.count
        let fetches = session.fetchPaths.values.filter { prefix.isPrefix(of: $0) }.count
        let announcing = session.sources.keys.contains { prefix.isPrefix(of: $0) }
        result.watchers += watching
        result.downstreamSubscriptions += subscribed
        result.trackQuestions += questions
        result.downstreamFetches += fetches
        let isRootedHere = session.grant.map { prefix.isPrefix(of: $0.root) } ?? prefix.isEmpty
        if isRootedHere || announcing || watching + subscribed + questions + fetches > 0 { result.sessions += 1 }
    }

    /// The broadcasts that are announced at and below `prefix`, as paths relative to it.
    public func announced(under prefix: BroadcastPath) -> [BroadcastPath] {
        entries.values(under: prefix).compactMap { entry in
            entry.contents.contains { !$0.sources.isEmpty || $0.lingersUntil != nil }
                ? entry.path.suffix(after: prefix) : nil
        }
    }
}
