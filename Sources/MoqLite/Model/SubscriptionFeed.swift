import MoqBase
import MoqTransport
import MoqWire

/// Serves one subscription of a peer from one track's store.
///
/// A late subscriber begins with the newest group, from its first frame; one with a start gets what is kept from there
/// on. Newer groups go first. What the peer does not take waits within bounds: groups that leave the cache meanwhile
/// are reset (`old`, `evicted`, `lagged`), and so the reader comes back to the live edge without slowing anyone.
///
/// The owner hands over what the session reports (`groupDelivered`, `groupStopped`, `writable`) and calls `pump` after
/// `onWork`; `isDone` says when the feed can be forgotten.
public final class SubscriptionFeed: TrackReader {
    /// The subscription as the session knows it.
    public let subscription: IncomingSubscriptionID
    /// What the peer wants at present.
    public internal(set) var options: SubscribeOptions
    /// Where the groups come from.
    public let store: TrackStore
    /// Is called when there is something to pump, once until the next `pump`.
    public var onWork: ((SubscriptionFeed) -> Void)?
    /// Whether the end of the track is told only when everything before it was acknowledged. Receivers of the original
    /// stack (0.3.19 and 0.4.18, observed) cut at an END what is still under way; its own publishers wait.
    public var tellsEndAfterDelivery = false
    /// Whether it does as relays of the original stack do where the draft says otherwise (0.3.19 and 0.4.18, observed):
    /// newer groups go first also where the subscriber wants them in order, and lost groups are not named.
    public var doesAsDeployed = false
    /// Whether the subscription is over for this side.
    public private(set) var isDone = false
    /// Whether a group waits for a stream that the peer does not allow yet.
    public internal(set) var awaitsStream = false

    let outlet: any SubscriptionOutlet
    let generation: CodeGeneration
    let backlog: SessionBacklog?
    /// Where the feed of a group stream is looked up.
    var registry: GroupRegistry?
    /// The first group of the subscription, once known.
    var start: UInt64?
    var isStartTold = false
    /// The arrival number of the next group to look at.
    var cursor: Int
    /// Groups with something to send that have no stream, the next to open last.
    var pending: [FeedGroup] = []
    /// Groups without a first frame, by arrival.
    var unready: [Int: FeedGroup] = [:]
    /// Groups with a stream that is not finished.
    var sending: [OutgoingGroupID: FeedGroup] = [:]
    /// Those of `sending` that wait for room.
    var blocked: Set<OutgoingGroupID> = []
    /// Groups finished here and not acknowledged, with their charge to the backlog.
    var undelivered: [OutgoingGroupID: FeedGroup] = [:]
    /// Groups past the end of the subscription.
    var held: [CachedGroup] = []
    /// Groups that changed since the last pump.
    var touched: [FeedGroup] = []

    private var isAccepted = false
    private var isQueued = false
    private var isEndTold = false

    /// Starts serving. Nothing is said to the peer before `accept`.
    public init(
        outlet: any SubscriptionOutlet, subscription: IncomingSubscriptionID, options: SubscribeOptions,
        store: TrackStore, generation: CodeGeneration, backlog: SessionBacklog? = nil, at now: Instant
    ) {
        self.outlet = outlet
        self.subscription = subscription
        self.options = options
        self.store = store
        self.generation = generation
        self.backlog = backlog
        cursor = store.arrivalRange.lowerBound
        if let latest = store.latestGroup {
            join(latest: latest, at: now)
        } else {
            start = options.groupStart
        }
        store.attach(self)
        // What was noted so far is looked at when the feed is accepted.
        isQueued = false
    }

    /// The version decides what can be said; a session without one has no subscriptions.
    var version: Version { outlet.version ?? .lite03 }

    /// Whether the start of `options` is a floor (06).
    public var startIsFloor: Bool { version.startIsFloor }

    private func join(latest: CachedGroup, at now: Instant) {
        let first = FeedPolicy.firstGroup(
            options, isFloor: version.startIsFloor, groups: store.groups, latest: latest.sequence, at: now)
        // Older versions say nothing about the start, so late groups are welcome there.
        start = version.subscribeAnswerIsOK && options.groupStart == nil ? 0 : first
        guard first == latest.sequence, !startIsFloor || options.maxAge == 0, options.groupStart == nil else { return }
        // Of what is kept only the latest is wanted, however late the others arrived.
        cursor = store.arrivalRange.upperBound
        take(latest)
    }

    // MARK: What the owner reports

    /// The track is there: the subscription will be served.
    public func accept() {
        guard !isAccepted, !isDone else { return }
        isAccepted = true
        outlet.acceptSubscription(subscription)
        wake()
    }

    /// The track cannot be had, or is lost: the peer hears `code`, unchanged.
    public func fail(_ code: StreamCode) {
        guard !isDone else { return }
        abandonGroups(code)
        outlet.resetSubscription(subscription, code: code)
        close()
    }

    /// The peer left.
    public func cancelled(_ end: StreamEnd) {
        guard !isDone else { return }
        let code = FeedPolicy.code(.cancelled, generation, on: .reset)
        if end != .sessionClosed {
            abandonGroups(code)
            if end == .finished {
                outlet.finishSubscription(subscription, awaitingDelivery: true)
            } else {
                outlet.resetSubscription(subscription, code: code)
            }
        }
        close()
    }

    /// The peer acknowledged a whole group.
    public func groupDelivered(_ id: OutgoingGroupID) {
        guard let group = undelivered.removeValue(forKey: id) else { return }
        registry?.feeds[id] = nil
        release(group)
        if store.ending != .live { wake() }
    }

    /// The peer does not want a group; the subscription goes on.
    public func groupStopped(_ id: OutgoingGroupID) {
        guard let group = sending.removeValue(forKey: id) ?? undelivered.removeValue(forKey: id) else { return }
        blocked.remove(id)
        registry?.feeds[id] = nil
        group.group.detach(group)
        release(group)
        if store.ending != .live { wake() }
    }

    /// A group has room again.
    public func writable(_ id: OutgoingGroupID) {
        guard blocked.remove(id) != nil, let group = sending[id] else { return }
        touch(group)
    }

    /// Asks for a pump.
    public func wake() {
        guard !isQueued, !isDone else { return }
        isQueued = true
        onWork?(self)
    }

    /// The rank of the group that is opened next.
    var rankOfNext: SendPriority {
        pending.last.map { priority(of: $0) } ?? SendPriority(urgency: 0)
    }

    /// The rank of a group among all that is sent.
    func priority(of group: FeedGroup) -> SendPriority {
        var options = options
        if doesAsDeployed { options.ordered = false }
        return FeedPolicy.priority(of: group.group.sequence, options)
    }

    // MARK: What the store reports

    public func trackChanged() {
        wake()
    }

    public func trackDatagram(sequence: UInt64, timestamp: UInt64, payload: [UInt8]) {
        guard isAccepted, !isDone, version.hasDatagrams else { return }
        guard sequence >= start ?? 0, sequence <= options.groupEnd ?? .max else { return }
        outlet.sendDatagram(for: subscription, sequence: sequence, timestamp: timestamp, payload: payload)
    }

    // MARK: Work

    /// Sends what can be sent.
    public func pump(at now: Instant) {
        isQueued = false
        guard isAccepted, !isDone else { return }
        takeArrivals(at: now)
        serveTouched()
        openPending(at: now)
        conclude()
    }

    private func conclude() {
        switch store.ending {
        case .live:
            return
        case .aborted(let code):
            fail(code)
        case .finished(let end, let lost):
            guard !store.holdsArrivals, cursor >= store.arrivalRange.upperBound else { return }
            let isDelivered = pending.isEmpty && unready.isEmpty && sending.isEmpty && undelivered.isEmpty
            if !isEndTold, isDelivered || !tellsEndAfterDelivery {
                isEndTold = true
                tellLost(lost)
                if !version.subscribeAnswerIsOK { outlet.endSubscription(subscription, group: end) }
            }
            guard isDelivered else { return }
            outlet.finishSubscription(subscription, awaitingDelivery: true)
            close()
        }
    }

    private func tellLost(_ lost: [ClosedRange<UInt64>]) {
        for range in FeedPolicy.clip(lost, from: start ?? 0, through: options.groupEnd) {
            tellDropped(range, .dropped)
        }
    }

    /// Says that groups will not be delivered.
    func tellDropped(_ range: ClosedRange<UInt64>, _ condition: ErrorCondition) {
        if doesAsDeployed { return }
        let code = CodeTable.numberToSend(for: condition, in: generation, on: .reset)
        outlet.dropGroups(subscription, start: range.lowerBound, end: range.upperBound, code: code)
    }

    private func abandonGroups(_ code: StreamCode) {
        for id in sending.keys.sorted() { outlet.resetGroup(id, code: code) }
    }

    private func close() {
        isDone = true
        store.detach(self)
        for id in sending.keys { registry?.feeds[id] = nil }
        for id in undelivered.keys { registry?.feeds[id] = nil }
        let all = pending + unready.values + sending.values + undelivered.values
        for group in all {
            group.group.detach(group)
            release(group)
        }
        backlog?.forget(self)
        pending = []
        unready = [:]
        sending = [:]
        undelivered = [:]
        blocked = []
        held = []
        touched = []
        awaitsStream = false
        // The owner forgets the feed when it sees `isDone` at its next pump.
        isQueued = true
        onWork?(self)
        onWork = nil
    }
}
