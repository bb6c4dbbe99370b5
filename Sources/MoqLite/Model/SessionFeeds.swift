import MoqBase
import MoqTransport
import MoqWire

/// All that one session is being served: its subscription feeds and fetch feeds, and who among them an event concerns.
///
/// The owner hands over every event of the session (`handle` says whether it was one of these) and calls `pump` when
/// `onWork` said so.
public final class SessionFeeds {
    /// Is called when there is something to pump, once until the next `pump`.
    public var onWork: (() -> Void)?
    /// Is called when a subscription is over and has been forgotten.
    public var onSubscriptionDone: ((IncomingSubscriptionID, SubscriptionFeed) -> Void)?
    /// Is called when a fetch is over and has been forgotten.
    public var onFetchDone: ((IncomingFetchID, FetchFeed) -> Void)?
    /// Is called when a subscriber changed what it wants.
    public var onUpdate: ((SubscriptionFeed) -> Void)?

    private let outlet: any SubscriptionOutlet & FetchOutlet
    private let generation: CodeGeneration
    private let backlog: SessionBacklog
    private let tellsEndAfterDelivery: Bool
    private let doesAsDeployed: Bool
    let registry = GroupRegistry()
    var subscriptions: [IncomingSubscriptionID: SubscriptionFeed] = [:]
    private var fetches: [IncomingFetchID: FetchFeed] = [:]
    private var feedsToPump: [SubscriptionFeed] = []
    private var fetchesToPump: [FetchFeed] = []
    private var isQueued = false

    /// Serves `outlet`; `backlogLimit` bounds the bytes written for it that its peer has not acknowledged.
    /// `tellsEndAfterDelivery` and `doesAsDeployed` are the feeds' own.
    public init(
        outlet: any SubscriptionOutlet & FetchOutlet, generation: CodeGeneration, backlogLimit: Int = 64 << 20,
        tellsEndAfterDelivery: Bool = false, doesAsDeployed: Bool = false
    ) {
        self.tellsEndAfterDelivery = tellsEndAfterDelivery
        self.doesAsDeployed = doesAsDeployed
        self.outlet = outlet
        self.generation = generation
        backlog = SessionBacklog(limit: backlogLimit)
    }

    /// How many subscriptions are served.
    public var subscriptionCount: Int { subscriptions.count }
    /// How many fetches are served.
    public var fetchCount: Int { fetches.count }

    /// The feed of a subscription.
    public func feed(of id: IncomingSubscriptionID) -> SubscriptionFeed? { subscriptions[id] }

    /// Begins to serve a subscription; nothing is said to the peer before the feed's `accept`.
    public func serve(
        _ id: IncomingSubscriptionID, options: SubscribeOptions, store: TrackStore, at now: Instant
    ) -> SubscriptionFeed {
        let feed = SubscriptionFeed(
            outlet: outlet, subscription: id, options: options, store: store, generation: generation,
            backlog: backlog, at: now)
        feed.registry = registry
        feed.tellsEndAfterDelivery = tellsEndAfterDelivery
        feed.doesAsDeployed = doesAsDeployed
        feed.onWork = { [weak self] feed in self?.queue(feed) }
        subscriptions[id] = feed
        return feed
    }

    /// Serves a fetch from a group that is kept or is being fetched.
    public func serve(_ id: IncomingFetchID, _ request: Fetch, group: CachedGroup) -> FetchFeed {
        let feed = FetchFeed(
            outlet: outlet, fetch: id, group: group, frameStart: request.frameStart, frameEnd: request.frameEnd,
            generation: generation)
        feed.onWork = { [weak self] feed in self?.queue(feed) }
        fetches[id] = feed
        feed.wake()
        return feed
    }

    /// Takes an event of the session; false when it concerns none of the feeds.
    public func handle(_ event: LiteEvent) -> Bool {
        switch event {
        case .groupDelivered(let id):
            registry.feeds[id]?.groupDelivered(id)
        case .groupStopped(let id, _):
            registry.feeds[id]?.groupStopped(id)
        case .writable(let id):
            registry.feeds[id]?.writable(id)
        case .fetchWritable(let id):
            fetches[id]?.wake()
        case .streamsAvailable:
            wakeThoseWithoutStream()
        case .subscribeUpdated(let id, let update):
            guard let feed = subscriptions[id] else { return false }
            feed.update(update.options)
            onUpdate?(feed)
        case .subscribeCancelled(let id, let end):
            guard let feed = subscriptions[id] else { return false }
            feed.cancelled(end)
        case .fetchCancelled(let id, _):
            guard let feed = fetches[id] else { return false }
            feed.cancel()
        default:
            return false
        }
        return true
    }

    /// The session is over: everything is forgotten, in order.
    public func sessionClosed() {
        for id in subscriptions.keys.sorted() { subscriptions[id]?.cancelled(.sessionClosed) }
        for id in fetches.keys.sorted() { fetches[id]?.cancel() }
        sweep()
    }

    /// Sends what can be sent and forgets what is over.
    public func pump(at now: Instant) {
        isQueued = false
        while !feedsToPump.isEmpty || !fetchesToPump.isEmpty {
            let feeds = feedsToPump
            feedsToPump.removeAll(keepingCapacity: true)
            for feed in feeds where !feed.isDone { feed.pump(at: now) }
            for feed in feeds where feed.isDone { forget(feed) }
            let fetches = fetchesToPump
            fetchesToPump.removeAll(keepingCapacity: true)
            for fetch in fetches where !fetch.isDone { fetch.pump() }
            for fetch in fetches where fetch.isDone { forget(fetch) }
        }
    }

    // Credit for streams goes to the most wanted group first, whatever subscription it belongs to.
    private func wakeThoseWithoutStream() {
        let waiting = subscriptions.sorted { $0.key < $1.key }.map(\.value).filter(\.awaitsStream)
        let ranked = waiting.map { feed in (feed: feed, rank: feed.rankOfNext) }.sorted { $0.rank > $1.rank }
        for entry in ranked { entry.feed.wake() }
    }

    private func queue(_ feed: SubscriptionFeed) {
        feedsToPump.append(feed)
        tellWork()
    }

    private func queue(_ fetch: FetchFeed) {
        fetchesToPump.append(fetch)
        tellWork()
    }

    private func tellWork() {
        guard !isQueued else { return }
        isQueued = true
        onWork?()
    }

    private func forget(_ feed: SubscriptionFeed) {
        guard subscriptions[feed.subscription] === feed else { return }
        subscriptions[feed.subscription] = nil
        onSubscriptionDone?(feed.subscription, feed)
    }

    private func forget(_ fetch: FetchFeed) {
        guard fetches[fetch.fetch] === fetch else { return }
        fetches[fetch.fetch] = nil
        onFetchDone?(fetch.fetch, fetch)
    }

    private func sweep() {
        for id in subscriptions.keys.sorted() {
            if let feed = subscriptions[id], feed.isDone { forget(feed) }
        }
        for id in fetches.keys.sorted() {
            if let fetch = fetches[id], fetch.isDone { forget(fetch) }
        }
        feedsToPump = []
        fetchesToPump = []
    }
}

/// Which feed a group stream belongs to.
final class GroupRegistry {
    var feeds: [OutgoingGroupID: SubscriptionFeed] = [:]
}
