import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// One track of one content, as long as somebody wants it and a little longer.
///
/// It keeps one upstream subscription whatever the number of viewers, begins it with the first and ends it with the
/// last. `drive` brings what runs upstream in line with what is wanted; it is called after every change.
final class RelayTrack: Timed {
    unowned let core: RelayCore
    let content: BroadcastContent
    let name: TrackName
    /// Counted over all tracks of the relay.
    let number: UInt64
    /// The groups. A new store begins when a viewer comes after the track had lain idle.
    private(set) var store: TrackStore
    /// The properties, once the publisher has said them or cannot.
    var info: TrackInfo?
    /// The viewers.
    private(set) var demands: [any TrackDemand] = []
    /// Those who asked for the properties.
    var infoWaiters: [(session: RelaySession, id: IncomingTrackID)] = []
    /// Fetches that run upstream.
    var fetches: [FetchJob.Key: FetchJob] = [:]
    /// The source that serves the track.
    var current: Upstream?
    /// A better source of the same content that has not delivered yet.
    var candidate: Upstream?
    /// A source that was replaced and still sends groups.
    var draining: Upstream?
    /// Announcements whose sessions have said the properties: each is asked before it is subscribed to (0.4.18,
    /// observed), and what the first one said stands.
    var described: Set<UInt64> = []
    /// Announcements whose sessions refused the track.
    var refused: Set<UInt64> = []
    var lastRefusal: StreamCode?
    /// Where the track ends, once its publisher has finished the subscription.
    var tailEnd: UInt64?
    /// Until when missing groups are waited for behind the end; nil then means no longer.
    var tailDeadline: Instant?
    /// Until when the publisher may say where it starts while groups wait for that.
    var startDeadline: Instant?
    /// Until when the track is kept although nobody wants it.
    var holdUntil: Instant?
    /// Whether the content has let go of the track.
    private(set) var isOver = false
    var queuedFor: Instant?

    init(core: RelayCore, content: BroadcastContent, name: TrackName, number: UInt64) {
        self.core = core
        self.content = content
        self.name = name
        self.number = number
        store = TrackStore(info: .unknown, bounds: core.limits.track, budget: core.budget)
    }

    var generation: CodeGeneration { core.configuration.generation }

    /// Whether nobody has anything to do with the track.
    var isIdle: Bool { demands.isEmpty && infoWaiters.isEmpty && fetches.isEmpty }

    // MARK: Demand

    /// What must be done before a viewer attaches: groups from before an idle time are no live edge.
    func prepareForDemand() {
        guard demands.isEmpty, current == nil, store.ending == .live, store.latest != nil,
            !core.isBroken(by: .staleAfterIdle)
        else { return }
        store = TrackStore(info: info ?? .unknown, bounds: core.limits.track, budget: core.budget)
    }

    func add(_ demand: any TrackDemand, at now: Instant) {
        demands.append(demand)
        if store.ending != .live || current?.isAccepted == true { demand.accept() }
        drive(at: now)
    }

    func remove(_ demand: any TrackDemand, at now: Instant) {
        let count = demands.count
        demands.removeAll { $0 === demand }
        if demands.count != count { drive(at: now) }
    }

    /// Brings what runs upstream in line with what is wanted.
    func drive(at now: Instant) {
        guard !isOver else { return }
        if isIdle, !core.isBroken(by: .upstreamKept) {
            leaveUpstream()
            // Nobody can ask for a track of what is announced no more.
            if content.sources.isEmpty, content.lingersUntil == nil { return close() }
            holdUntil = holdUntil ?? now.advanced(by: core.limits.idleTrackHold)
            core.timers.schedule(self, at: holdUntil)
            return
        }
        if !core.isBroken(by: .idleHoldCuts) { holdUntil = nil }
        guard store.ending == .live else { return }
        if demands.isEmpty, case .subscribed = current?.stage, !core.isBroken(by: .upstreamKept) { leaveUpstream() }
        guard !demands.isEmpty || !infoWaiters.isEmpty else { return }
        guard let current else { return attachBest(at: now) }
        if case .subscribed(let id) = current.stage, tailEnd == nil { update(current, id) }
    }

    /// A viewer wants something else.
    func demandChanged() {
        drive(at: core.now)
    }

    /// Whether viewers are being served from upstream.
    var isRunning: Bool {
        if case .subscribed = current?.stage { !demands.isEmpty } else { false }
    }

    /// Whether viewers get from the cache what is left of a finished track.
    var isComplete: Bool {
        if case .finished = store.ending { !demands.isEmpty } else { false }
    }

    private func update(_ upstream: Upstream, _ id: SubscriptionID) {
        if core.isBroken(by: .updatesNotTold) { return }
        var merged = merged(for: upstream.version, isUpdate: true)
        if core.isBroken(by: .lateStartForAll) {
            merged.groupStart = upstream.sent.groupStart
        } else if store.latest == nil, merged.groupStart == nil, upstream.sent.groupStart != nil {
            // Somebody wants what comes next, and the publisher still waits for a later group.
            merged.groupStart = 0
        }
        guard DemandPolicy.needsUpdate(from: upstream.sent, to: merged, version: upstream.version) else { return }
        upstream.sent = merged
        upstream.session.lite.update(id, SubscribeUpdate(options: merged))
    }

    /// What all viewers together want.
    func merged(for version: Version, isUpdate: Bool) -> SubscribeOptions {
        let wanted = demands.map(\.wanted)
        var merged = DemandPolicy.merge(wanted, for: version, retention: store.info.maxAge, isUpdate: isUpdate)
        if core.isBroken(by: .orderAlwaysAsked), version.hasOrdered {
            merged.ordered = wanted.contains(where: \.options.ordered)
        }
        return merged
    }

    /// Tells everybody that the track is there.
    func acceptAll() {
        for demand in demands { demand.accept() }
    }

    // MARK: End

    /// The track cannot be had, or is lost: everybody hears `code`, and the next request begins anew.
    func fail(_ code: StreamCode) {
        guard !isOver else { return }
        close()
        store.holdsArrivals = false
        store.abort(code)
        let left = demands
        demands = []
        // Those who were accepted hear it from the store, behind what is complete.
        for demand in left { demand.fail(code) }
        let waiters = infoWaiters
        infoWaiters = []
        for waiter in waiters { waiter.session.refuse(waiter.id, code) }
        for key in fetches.keys.sorted() { fetches[key].map { core.cut($0, code) } }
    }

    /// Lets go of the track.
    private func close() {
        isOver = true
        leaveUpstream()
        if content.tracks[name] === self { content.tracks[name] = nil }
        core.trackClosed(content)
    }

    /// Ends everything that runs upstream for viewers. Groups that are not whole are of no use to anyone.
    func leaveUpstream() {
        for upstream in [current, candidate, draining].compactMap(\.self) {
            upstream.leave()
            cutGroups(of: upstream, .cancelled)
        }
        current = nil
        candidate = nil
        draining = nil
        tailEnd = nil
        tailDeadline = nil
        startDeadline = nil
    }

    func cutGroups(of upstream: Upstream, _ condition: ErrorCondition) {
        let code = RelayPolicy.code(condition, generation)
        for id in upstream.groups.keys.sorted() {
            if let group = upstream.groups[id] { store.abortGroup(group, code: code) }
            upstream.session.groups[id] = nil
        }
        upstream.groups = [:]
    }

    // MARK: Time

    /// When `due` wants to be called.
    private var nextDeadline: Instant? {
        var next = core.isBroken(by: .expiryOff) ? nil : store.nextExpiry
        let deadlines = [
            holdUntil, tailDeadline, startDeadline, current?.deadline, candidate?.deadline, draining?.deadline,
        ]
        for deadline in deadlines { next = Instant?.earlier(next, deadline) }
        return next
    }

    func reschedule() {
        guard !isOver else { return }
        core.timers.schedule(self, at: nextDeadline)
    }

    func due(at now: Instant) {
        guard !isOver else { return }
        // A deadline that has passed is forgotten here, or it would be due for ever.
        if let deadline = holdUntil, deadline <= now {
            if isIdle || core.isBroken(by: .idleHoldCuts) { return close() }
            holdUntil = nil
        }
        if let deadline = startDeadline, deadline <= now { releaseArrivals() }
        expire(at: now)
        if let deadline = tailDeadline, deadline <= now {
            tailDeadline = nil
            concludeTail(at: now)
        }
        upstreamsDue(at: now)
        reschedule()
    }

    private func expire(at now: Instant) {
        if core.isBroken(by: .expiryOff) { return }
        store.expire(at: now)
        for upstream in [current, candidate, draining].compactMap(\.self) { stopRemovedGroups(of: upstream) }
    }
}
