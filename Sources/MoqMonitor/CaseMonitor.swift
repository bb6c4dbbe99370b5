import MoqBase
import MoqTransport
import MoqWire

/// What the sessions of one case have in common: what publishers announce and send, so that what watchers and
/// subscribers get can be held against it.
///
/// Sessions that take part and are not watched (bytes written beneath a session, another root of paths) make the
/// picture partial: then nothing is judged that needs it to be whole.
public final class CaseMonitor {
    /// Whether something takes part that is not watched.
    public private(set) var isPartial = false
    /// The path under which everything of the case is; empty where it has no path of its own.
    let prefix: BroadcastPath
    /// Whether what is under way may be lost, so that a relay may learn late of what a client said.
    let losesPackets: Bool
    /// The sessions, in the order in which they joined.
    private(set) var sessions: [SessionMonitor] = []
    let content = ContentBook()
    /// Codes with which clients reset or stopped streams.
    private var clientCodes: Set<UInt64> = []
    /// What clients have asked for.
    private var wanted: Set<TrackID> = []
    private var routes: [String: [PublishedRoute]] = [:]
    private var routeCount = 0
    private var withdrawals: [String: Instant] = [:]

    /// Who announces a path.
    struct PublishedRoute {
        /// The number of the session among those of the case.
        var session: Int
        var stream: StreamID
        /// The hops that a receiver knows of, the publisher's own included; empty where they are not known.
        var hops: [UInt64]
    }

    /// The monitor of a case under a path, over links that may lose packets.
    public init(prefix: BroadcastPath = .empty, losesPackets: Bool = false) {
        self.prefix = prefix
        self.losesPackets = losesPackets
    }

    /// Something takes part that is not watched.
    public func becomePartial() {
        isPartial = true
        for session in sessions { session.routes.removeAll() }
    }

    /// Takes in a session. Returns its number.
    func join(_ session: SessionMonitor) -> Int {
        sessions.append(session)
        return sessions.count - 1
    }

    /// Whether a path is one of those that only the watched sessions can announce.
    func isOwn(_ path: BroadcastPath) -> Bool { !isPartial && !prefix.isEmpty && prefix.isPrefix(of: path) }

    // MARK: Announcements

    /// Who announces a path.
    func publishers(of path: BroadcastPath) -> [PublishedRoute] { routes[path.text] ?? [] }

    /// When the last publisher of a path withdrew it; nil when that never happened.
    func withdrawal(of path: BroadcastPath) -> Instant? { withdrawals[path.text] }

    /// A session announces a path.
    func publish(_ path: BroadcastPath, _ route: PublishedRoute) {
        guard !isPartial else { return }
        guard routeCount < MonitorLimits.published else { return becomePartial() }
        let isNew = routes[path.text]?.isEmpty ?? true
        routes[path.text, default: []].append(route)
        routeCount += 1
        for other in sessions {
            other.forget(path, isEnd: true)
            guard isNew, other.number != route.session else { continue }
            other.expectTold(path, .activeToWatchers, by: route)
        }
    }

    /// A session withdraws a path, by itself or because it closes. Without a rule nothing is expected of the relay.
    func withdraw(_ path: BroadcastPath, by session: SessionMonitor, on stream: StreamID, _ rule: MonitorRule?) {
        guard !isPartial, var left = routes[path.text],
            let index = left.firstIndex(where: { $0.session == session.number && $0.stream == stream })
        else { return }
        left.remove(at: index)
        routeCount -= 1
        routes[path.text] = left.isEmpty ? nil : left
        guard left.isEmpty else { return }
        withdrawals[path.text] = session.now
        for other in sessions {
            other.forget(path, isEnd: false)
            if let rule, other !== session { other.expectEnded(path, rule, by: session.number) }
        }
    }

    /// Every path that is announced below a prefix, by others than a session, in order.
    func live(below prefix: BroadcastPath, besides session: SessionMonitor) -> [(BroadcastPath, PublishedRoute)] {
        guard !isPartial else { return [] }
        return routes.keys.sorted().compactMap { text in
            guard let path = try? BroadcastPath(text), prefix.isPrefix(of: path),
                let route = routes[text]?.first(where: { $0.session != session.number })
            else { return nil }
            return (path, route)
        }
    }

    // MARK: What clients say

    func note(clientCode code: StreamCode) {
        if case .code(let number) = code, number >= ErrorCondition.appOffset,
            clientCodes.count < MonitorLimits.published
        {
            clientCodes.insert(number)
        }
    }

    func hasClientSent(code number: UInt64) -> Bool { clientCodes.contains(number) }

    func note(wanted track: TrackID) {
        if wanted.count < MonitorLimits.published { wanted.insert(track) } else { becomePartial() }
    }

    func isWanted(_ track: TrackID) -> Bool { wanted.contains(track) }
}

extension MonitorRule {
    /// Whether it is about the end of an announcement.
    var isEndOfAnnouncement: Bool { self == .endOnWithdrawal || self == .endOnDisconnect }
}

/// A track of a broadcast.
struct TrackID: Hashable {
    var broadcast: BroadcastPath
    var track: TrackName
}
