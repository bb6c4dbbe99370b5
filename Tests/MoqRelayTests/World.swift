import MoqBase
import MoqLite
import MoqTransport
import MoqWire

@testable import MoqRelay

/// A relay and its peers in one process, over memory, with a clock that the test turns.
final class World {
    let core: RelayCore
    private(set) var now = Instant.origin
    private(set) var peers: [Peer] = []
    private var nextHop: UInt64 = 100

    init(generation: CodeGeneration = .second, _ change: (inout RelayConfiguration) -> Void = { _ in }) {
        var configuration = RelayConfiguration(hopID: 9)
        configuration.generation = generation
        change(&configuration)
        core = RelayCore(configuration: configuration)
    }

    /// A peer on an established session. `hop` 0 sends none; nil draws a new one.
    @discardableResult
    func connect(
        _ version: Version = .lite05, path: String? = "/anon", hop: UInt64? = nil, role: SetupRole? = nil,
        sendsSetup: Bool = true, limits: InMemoryLimits = InMemoryLimits()
    ) -> Peer {
        nextHop += 1
        let ends = InMemoryTransport.pair(negotiatedProtocol: version.alpn, clientLimits: limits)
        let configuration = LiteConfiguration(
            versions: [version], hopID: hop ?? nextHop, requestPath: path, probeLevel: .none, setupRole: role,
            sendsSetup: sendsSetup, generation: core.configuration.generation)
        let lite = LiteSession(transport: ends.client, configuration: configuration)
        let served = LiteSession(
            transport: ends.server,
            configuration: LiteConfiguration(
                versions: Version.allCases, hopID: core.configuration.hopID, probeLevel: .none,
                generation: core.configuration.generation))
        let peer = Peer(
            lite: lite, served: served, session: core.add(served, at: now), transports: [ends.client, ends.server])
        peers.append(peer)
        settle()
        return peer
    }

    /// Lets everybody work until nothing happens any more.
    func settle() {
        var quiet = 0
        while quiet < 3 {
            var hasHappened = false
            for peer in peers {
                if peer.work(at: now) { hasHappened = true }
                if let session = peer.session { core.process(session, at: now) }
            }
            quiet = hasHappened ? 0 : quiet + 1
        }
    }

    /// Lets time pass, in steps that no deadline lies between.
    func advance(_ seconds: Double) {
        settle()
        let end = now.advanced(by: .seconds(seconds))
        while let deadline = core.deadline, deadline <= end {
            now = max(now, deadline)
            core.advance(to: now)
            settle()
        }
        now = end
        core.advance(to: now)
        settle()
    }

    func path(_ text: String) -> BroadcastPath { BroadcastPath(test: text) }
}

extension BroadcastPath {
    init(test text: String) {
        self = (try? BroadcastPath(text)) ?? .empty
    }
}

/// One end of a session with the relay, and what it saw.
final class Peer {
    let lite: LiteSession
    let served: LiteSession
    let session: RelaySession?
    let publication: Publication
    private let transports: [InMemoryTransport]
    /// Every announcement: `+x` and `-x`, `~x` for an update.
    private(set) var announcements: [String] = []
    private(set) var routes: [BroadcastPath: Announced] = [:]
    private(set) var subscriptions: [SubscriptionID: Received] = [:]
    private(set) var fetches: [FetchID: Fetched] = [:]
    private(set) var tracks: [TrackRequestID: TrackInfo] = [:]
    private(set) var trackEnds: [TrackRequestID: StreamEnd] = [:]
    /// SUBSCRIBE requests that came from the relay, and how they stand.
    private(set) var asked: [IncomingSubscriptionID: Subscribe] = [:]
    private(set) var askedOpen: Set<IncomingSubscriptionID> = []
    private(set) var updates: [SubscribeOptions] = []
    private(set) var trackQuestions: [String] = []
    private(set) var fetchQuestions: [Fetch] = []
    private(set) var stops: [StreamCode] = []
    private(set) var closed: SessionClose?
    private(set) var datagrams: [String] = []
    private var groupOwners: [IncomingGroupID: (SubscriptionID, Int)] = [:]
    /// Whether the peer looks at its session at all.
    var isFrozen = false

    struct Received {
        struct Group: Equatable {
            var sequence: UInt64
            var texts: [String] = []
            var timestamps: [UInt64?] = []
            var end: StreamEnd?
        }

        var isAccepted = false
        var start: UInt64?
        var end: UInt64?
        var drops: [ClosedRange<UInt64>] = []
        var groups: [Group] = []
        var ended: StreamEnd?

        /// The groups that came whole.
        var whole: [UInt64] { groups.filter { $0.end == .finished }.map(\.sequence) }
    }

    struct Fetched: Equatable {
        var texts: [String] = []
        var end: StreamEnd?
    }

    init(lite: LiteSession, served: LiteSession, session: RelaySession?, transports: [InMemoryTransport]) {
        self.lite = lite
        self.served = served
        self.session = session
        self.transports = transports
        publication = Publication(session: lite)
    }

    /// Takes what happened; false when nothing did.
    func work(at now: Instant) -> Bool {
        guard !isFrozen else { return false }
        var hasHappened = false
        lite.process(at: now)
        while let event = lite.poll() {
            hasHappened = true
            record(event)
            _ = publication.handle(event, at: now)
        }
        publication.pump(at: now)
        return hasHappened
    }

    func subscribe(_ path: String, _ track: TrackName, _ options: SubscribeOptions = SubscribeOptions())
        -> SubscriptionID
    {
        let id = lite.subscribe(broadcast: BroadcastPath(test: path), track: track, options: options)
        subscriptions[id] = Received()
        return id
    }

    /// Writes a whole group, or one that stays open.
    @discardableResult
    func write(_ store: TrackStore, _ sequence: UInt64, _ texts: [String], finished: Bool = true, at now: Instant)
        throws -> CachedGroup
    {
        let group = try store.openGroup(sequence, at: now)
        for (index, text) in texts.enumerated() {
            store.append(Frame(timestamp: 1000 + UInt64(index), payload: Array(text.utf8)), to: group, at: now)
        }
        if finished { store.finishGroup(group, at: now) }
        return group
    }

    subscript(id: SubscriptionID) -> Received { subscriptions[id] ?? Received() }

    private func record(_ event: LiteEvent) {
        switch event {
        case .announced(_, let announced, let isUpdate):
            announcements.append("\(isUpdate ? "~" : "+")\(announced.path)")
            routes[announced.path] = announced
        case .unannounced(_, let path):
            announcements.append("-\(path)")
            routes[path] = nil
        case .subscribeAccepted(let id, _): subscriptions[id]?.isAccepted = true
        case .subscribeStart(let id, let group): subscriptions[id]?.start = group
        case .subscribeEnd(let id, let group): subscriptions[id]?.end = group
        case .subscribeDrop(let id, let start, let end, _): subscriptions[id]?.drops.append(start...end)
        case .subscriptionEnded(let id, let end): subscriptions[id]?.ended = end
        case .groupOpened(let group, let id, let sequence, _):
            let index = subscriptions[id]?.groups.count ?? 0
            groupOwners[group] = (id, index)
            subscriptions[id]?.groups.append(Received.Group(sequence: sequence))
        case .frame(let group, _, let frame):
            guard let (id, index) = groupOwners[group] else { return }
            subscriptions[id]?.groups[index].texts.append(String(decoding: frame.payload, as: UTF8.self))
            subscriptions[id]?.groups[index].timestamps.append(frame.timestamp)
        case .groupEnded(let group, let end):
            guard let (id, index) = groupOwners[group] else { return }
            subscriptions[id]?.groups[index].end = end
        case .datagram(_, let sequence, let timestamp, let payload):
            datagrams.append("\(sequence)@\(timestamp) \(String(decoding: payload, as: UTF8.self))")
        case .trackInfo(let id, let info): tracks[id] = info
        case .trackEnded(let id, let end): trackEnds[id] = end
        case .fetchFrame(let id, _, let frame):
            fetches[id, default: Fetched()].texts.append(String(decoding: frame.payload, as: UTF8.self))
        case .fetchEnded(let id, let end): fetches[id, default: Fetched()].end = end
        case .subscribeRequested(let id, let request):
            asked[id] = request
            askedOpen.insert(id)
        case .subscribeUpdated(_, let update): updates.append(update.options)
        case .subscribeCancelled(let id, _): askedOpen.remove(id)
        case .trackRequested(_, _, let track): trackQuestions.append(track.text)
        case .fetchRequested(_, let request): fetchQuestions.append(request)
        case .groupStopped(_, let code): stops.append(code)
        case .closed(let close): closed = close
        default: break
        }
    }
}

/// All pairs of a publisher's and a subscriber's version.
struct Pair: CustomStringConvertible, Sendable {
    let publisher: Version
    let subscriber: Version

    static let all = Version.allCases.flatMap { publisher in
        Version.allCases.map { Pair(publisher: publisher, subscriber: $0) }
    }

    var description: String { "\(publisher.name) to \(subscriber.name)" }
}
