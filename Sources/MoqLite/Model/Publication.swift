import MoqBase
import MoqTransport
import MoqWire

/// A broadcast of a publication: its way to the peer and its tracks.
public final class BroadcastModel {
    /// The path below the session's root.
    public let path: BroadcastPath
    /// The hops before this side; empty for a first-hand publisher.
    public internal(set) var hops = HopList.empty
    /// What the route costs (06).
    public internal(set) var cost = RouteCost()
    /// Whether the peer is told of it.
    public internal(set) var isAnnounced = false
    /// The tracks that are there.
    public private(set) var tracks: [TrackName: TrackStore] = [:]

    init(path: BroadcastPath) {
        self.path = path
    }

    /// Adds a track, or gives the one that is there.
    @discardableResult
    public func addTrack(
        _ name: TrackName, info: TrackInfo = TrackInfo(), bounds: TrackBounds = TrackBounds()
    ) -> TrackStore {
        if let store = tracks[name] { return store }
        let store = TrackStore(info: info, bounds: bounds)
        tracks[name] = store
        return store
    }

    /// Forgets a track: later requests for it are refused. Subscriptions that run go on with its store.
    public func removeTrack(_ name: TrackName) {
        tracks[name] = nil
    }
}

/// What a peer asks of a publication.
public enum PublicationRequest: Hashable, Sendable {
    case subscribe(IncomingSubscriptionID, Subscribe)
    case track(IncomingTrackID, broadcast: BroadcastPath, track: TrackName)
    case fetch(IncomingFetchID, Fetch)

    /// The broadcast that is asked for.
    public var broadcast: BroadcastPath {
        switch self {
        case .subscribe(_, let request): request.broadcast
        case .track(_, let broadcast, _): broadcast
        case .fetch(_, let request): request.broadcast
        }
    }

    /// The track that is asked for.
    public var track: TrackName {
        switch self {
        case .subscribe(_, let request): request.track
        case .track(_, _, let track): track
        case .fetch(_, let request): request.track
        }
    }
}

/// How a publication meets a request.
public enum PublicationAnswer: Hashable, Sendable {
    /// As its contents allow: served when the track is there, else refused with `not_found`, or `unroutable` when the
    /// broadcast is not there.
    case serve
    /// Refused with this code.
    case refuse(StreamCode)
    /// Not answered until `resume`.
    case hold
}

/// What one session publishes: announcements, tracks in memory, and the answers to the peer's requests.
///
/// The owner hands over every event (`handle`) and calls `pump` after events and after writing to a store.
public final class Publication {
    /// Decides how a request is met; nil serves everything.
    public var answer: ((PublicationRequest) -> PublicationAnswer)?
    /// Requests that were not answered yet, in the order in which they came.
    public private(set) var held: [PublicationRequest] = []
    /// The feeds of the peer's subscriptions and fetches.
    public let feeds: SessionFeeds

    private let session: LiteSession
    private var broadcasts: [BroadcastPath: BroadcastModel] = [:]
    private var announceRequests: Set<IncomingAnnounceID> = []

    /// Publishes on `session`, with the numbers of its generation.
    public init(session: LiteSession) {
        self.session = session
        feeds = SessionFeeds(outlet: session, generation: session.configuration.generation)
    }

    // MARK: Contents

    /// The broadcast at a path, if there is one.
    public func broadcast(_ path: BroadcastPath) -> BroadcastModel? { broadcasts[path] }

    /// The broadcast at a path, made if need be; the peer is not told.
    @discardableResult
    public func addBroadcast(_ path: BroadcastPath) -> BroadcastModel {
        if let model = broadcasts[path] { return model }
        let model = BroadcastModel(path: path)
        broadcasts[path] = model
        return model
    }

    /// The store of a track, made with its broadcast if need be.
    @discardableResult
    public func addTrack(_ name: TrackName, of path: BroadcastPath, info: TrackInfo = TrackInfo()) -> TrackStore {
        addBroadcast(path).addTrack(name, info: info)
    }

    /// Announces a broadcast, or another way to one that is announced (05 and later).
    public func announce(_ path: BroadcastPath, hops: HopList = .empty, cost: RouteCost = RouteCost()) {
        let model = addBroadcast(path)
        model.hops = hops
        model.cost = cost
        model.isAnnounced = true
        for id in announceRequests.sorted() { session.announce(id, announced(model)) }
    }

    /// Takes an announcement back. The broadcast and its tracks stay: subscriptions that run go on.
    public func unannounce(_ path: BroadcastPath) {
        guard let model = broadcasts[path], model.isAnnounced else { return }
        model.isAnnounced = false
        for id in announceRequests.sorted() { session.unannounce(id, path) }
    }

    /// Forgets a broadcast: takes its announcement back, and refuses later requests for it.
    public func removeBroadcast(_ path: BroadcastPath) {
        unannounce(path)
        broadcasts[path] = nil
    }

    private func announced(_ model: BroadcastModel) -> Announced {
        Announced(path: model.path, hops: model.hops, cost: model.cost)
    }

    // MARK: Requests

    /// Takes an event of the session; false when it concerns no publisher.
    public func handle(_ event: LiteEvent, at now: Instant) -> Bool {
        switch event {
        case .announceRequested(let id, _, _):
            announceRequests.insert(id)
            let active = broadcasts.values.filter(\.isAnnounced).sorted { $0.path < $1.path }
            session.answerAnnounce(id, active: active.map(announced))
        case .announceCancelled(let id, _):
            announceRequests.remove(id)
            session.finishAnnounce(id)
        case .subscribeRequested(let id, let request):
            meet(.subscribe(id, request), at: now)
        case .trackRequested(let id, let broadcast, let track):
            meet(.track(id, broadcast: broadcast, track: track), at: now)
        case .fetchRequested(let id, let request):
            meet(.fetch(id, request), at: now)
        case .subscribeCancelled, .trackCancelled, .fetchCancelled:
            held.removeAll { $0.isEnded(by: event) }
            _ = feeds.handle(event)
        case .subscribeUpdated(let id, let update):
            if !feeds.handle(event) { replaceOptions(of: id, update.options) }
        case .closed:
            feeds.sessionClosed()
            held = []
            announceRequests = []
            return false
        default:
            return feeds.handle(event)
        }
        return true
    }

    /// Sends what can be sent, and lets go of groups whose retention is over.
    public func pump(at now: Instant) {
        for path in broadcasts.keys.sorted() {
            guard let model = broadcasts[path] else { continue }
            for name in model.tracks.keys.sorted() { model.tracks[name]?.expire(at: now) }
        }
        feeds.pump(at: now)
    }

    /// When `pump` wants to be called at the latest.
    public var deadline: Instant? {
        var earliest: Instant?
        for model in broadcasts.values {
            for store in model.tracks.values { earliest = .earlier(earliest, store.nextExpiry) }
        }
        return earliest
    }

    /// Answers a request that was held; does nothing when it is gone.
    public func resume(_ request: PublicationRequest, with answer: PublicationAnswer = .serve, at now: Instant) {
        guard let index = held.firstIndex(of: request), answer != .hold else { return }
        held.remove(at: index)
        give(answer, to: request, at: now)
    }

    private func meet(_ request: PublicationRequest, at now: Instant) {
        give(answer?(request) ?? .serve, to: request, at: now)
    }

    private func give(_ answer: PublicationAnswer, to request: PublicationRequest, at now: Instant) {
        switch answer {
        case .hold: held.append(request)
        case .refuse(let code): refuse(request, code)
        case .serve: serve(request, at: now)
        }
    }

    private func serve(_ request: PublicationRequest, at now: Instant) {
        guard let model = broadcasts[request.broadcast] else { return refuse(request, code(.unroutable)) }
        guard let store = model.tracks[request.track] else { return refuse(request, code(.notFound)) }
        switch request {
        case .subscribe(let id, let subscribe):
            feeds.serve(id, options: subscribe.options, store: store, at: now).accept()
        case .track(let id, _, _):
            session.answerTrack(id, store.info)
        case .fetch(let id, let fetch):
            guard let group = store.group(fetch.group), group.firstIndex <= Int(clamping: fetch.frameStart) else {
                return refuse(request, code(.notFound))
            }
            group.lastTouched = now
            _ = feeds.serve(id, fetch, group: group)
        }
    }

    private func refuse(_ request: PublicationRequest, _ code: StreamCode) {
        switch request {
        case .subscribe(let id, _): session.resetSubscription(id, code: code)
        case .track(let id, _, _): session.refuseTrack(id, code: code)
        case .fetch(let id, _): session.refuseFetch(id, code: code)
        }
    }

    private func code(_ condition: ErrorCondition) -> StreamCode {
        FeedPolicy.code(condition, session.configuration.generation, on: .reset)
    }

    private func replaceOptions(of id: IncomingSubscriptionID, _ options: SubscribeOptions) {
        for (index, request) in held.enumerated() {
            guard case .subscribe(id, var subscribe) = request else { continue }
            subscribe.options = options
            held[index] = .subscribe(id, subscribe)
        }
    }
}

extension PublicationRequest {
    fileprivate func isEnded(by event: LiteEvent) -> Bool {
        switch (self, event) {
        case (.subscribe(let id, _), .subscribeCancelled(let ended, _)): id == ended
        case (.track(let id, _, _), .trackCancelled(let ended, _)): id == ended
        case (.fetch(let id, _), .fetchCancelled(let ended, _)): id == ended
        default: false
        }
    }
}
