import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// The origin that all sessions share, and the policy of the relay.
///
/// It speaks to sessions through `LiteSession`'s commands and events only. The owner adds sessions, calls `process` for
/// those to which something happened, and `advance` when `deadline` has come.
public final class RelayCore {
    /// How the relay is set up.
    public let configuration: RelayConfiguration
    /// Bytes kept of all tracks.
    public let budget: CacheBudget
    /// What a fault remembers, and what stands in the way of events because of it; nil in a right relay.
    let faultMemory = FaultMemory()
    let faultyEvents: FaultyEvents?

    let entries = PathTree<BroadcastEntry>()
    let watchers = PathTree<[Watcher]>()
    /// Contents that are announced no more but still have subscriptions in flight.
    var detached: [BroadcastContent] = []
    var timers = TimerQueue()
    private(set) var sessions: [UInt64: RelaySession] = [:]
    private var sessionNumber: UInt64 = 0
    private var announcementNumber: UInt64 = 0
    private var trackNumber: UInt64 = 0
    private var dirty: [RelaySession] = []
    private var touched: [RelaySession] = []
    /// Fetches that run upstream.
    var upstreamFetchCount = 0
    private var isPumping = false

    /// A relay without sessions.
    public init(configuration: RelayConfiguration) {
        self.configuration = configuration
        budget = CacheBudget(limit: configuration.limits.cacheBytes)
        faultyEvents = FaultyEvents(configuration.fault, faultMemory)
    }

    var limits: RelayLimits { configuration.limits }

    /// How many sessions there are.
    public var sessionCount: Int { sessions.count }

    // MARK: The owner's side

    /// Takes in a session, established or not. Nil when there are too many: it has been closed then.
    public func add(_ lite: LiteSession, at now: Instant) -> RelaySession? {
        add(lite, ownGrant: nil, at: now)
    }

    /// Takes in a session that this relay began to another one, as relays of a cluster do: what is announced below
    /// `prefix` of the other's root is announced here, and the other way round. `root` is where the other's root lies
    /// in this relay's paths. Nil when there are too many sessions.
    public func join(
        _ lite: LiteSession, root: BroadcastPath, below prefix: BroadcastPath = .empty, at now: Instant
    ) -> RelaySession? {
        add(lite, ownGrant: PathGrant(root: root, allowed: [prefix]), at: now)
    }

    private func add(_ lite: LiteSession, ownGrant: PathGrant?, at now: Instant) -> RelaySession? {
        guard sessions.count < limits.sessions else {
            lite.close(code: sessionCode(.tooManyRequests), reason: "the relay has as many sessions as it takes")
            return nil
        }
        if isBroken(by: .everyThirdRefused), faultMemory.count("arrivals") % 3 == 0 {
            lite.close(code: sessionCode(.tooManyRequests), reason: "")
            return nil
        }
        let session = RelaySession(number: sessionNumber, lite: lite, core: self, ownGrant: ownGrant)
        sessionNumber += 1
        sessions[session.number] = session
        session.feeds.onSubscriptionDone = { [unowned self, unowned session] id, feed in
            subscriptionDone(id, feed, session)
        }
        session.feeds.onFetchDone = { [unowned self, unowned session] id, _ in fetchDone(id, session) }
        session.feeds.onUpdate = { [unowned session] feed in
            session.subscribed[feed.subscription]?.demandChanged()
        }
        session.setupDeadline = now.advanced(by: limits.setupWait)
        timers.schedule(session, at: session.setupDeadline)
        return session
    }

    /// Lets a session's engine work, acts on what it reports, and sends what follows from it to anyone.
    public func process(_ session: RelaySession, at now: Instant) {
        self.now = now
        work(session, at: now)
        if !session.watchers.isEmpty { catchUp(session) }
        session.reschedule()
        settle(at: now)
    }

    /// When `advance` wants to be called.
    public var deadline: Instant? { timers.next }

    /// Lets time-driven work happen.
    public func advance(to now: Instant) {
        self.now = now
        while let member = timers.popDue(at: now) { member.due(at: now) }
        settle(at: now)
    }

    /// Does what something inside the relay wants, and what follows from it.
    func perform(at now: Instant, _ action: () -> Void) {
        self.now = now
        action()
        settle(at: now)
    }

    /// Tells every session that can hear it, from 04 on, that the relay goes away. Sessions go on as before. Returns
    /// how many were told.
    func sendGoaway(at now: Instant) -> Int {
        self.now = now
        var told = 0
        for session in sessionsInOrder where session.grant != nil && session.version.hasGoaway {
            session.lite.goaway(uri: "")
            touch(session)
            told += 1
        }
        settle(at: now)
        return told
    }

    /// Closes every session with a session code; nothing is held afterwards.
    public func shutdown(code: UInt64, reason: String, at now: Instant) {
        self.now = now
        for session in sessionsInOrder {
            session.lite.close(code: code, reason: reason)
            sessionClosed(session, at: now)
        }
        settle(at: now)
    }

    /// The instant of the present call.
    private(set) var now = Instant.origin

    /// The sessions, in the order in which they came.
    var sessionsInOrder: [RelaySession] {
        sessions.values.sorted { $0.number < $1.number }
    }

    // MARK: Inside

    func sessionCode(_ condition: ErrorCondition) -> UInt64 {
        CodeTable.numberToSend(for: condition, in: configuration.generation, on: .close)
    }

    func nextAnnouncementNumber() -> UInt64 {
        defer { announcementNumber += 1 }
        return announcementNumber
    }

    func nextTrackNumber() -> UInt64 {
        defer { trackNumber += 1 }
        return trackNumber
    }

    func forget(_ session: RelaySession) {
        sessions[session.number] = nil
    }

    /// Notes that commands to a session may have left events with it.
    func touch(_ session: RelaySession) {
        guard !session.isTouched else { return }
        session.isTouched = true
        touched.append(session)
    }

    /// Notes that a session's feeds have something to send.
    func feedsHaveWork(_ session: RelaySession) {
        guard !session.isDirty else { return }
        session.isDirty = true
        dirty.append(session)
    }

    /// Lets a session's engine work and acts on what it reports.
    func work(_ session: RelaySession, at now: Instant) {
        session.lite.process(at: now)
        poll(session, at: now)
    }

    private func poll(_ session: RelaySession, at now: Instant) {
        while let event = session.lite.poll() {
            guard let faultyEvents else {
                handle(event, session, at: now)
                continue
            }
            for event in faultyEvents.pass(event, session, self) { handle(event, session, at: now) }
        }
    }

    /// Pumps feeds and polls sessions until nothing is left to do.
    private func settle(at now: Instant) {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while !dirty.isEmpty || !touched.isEmpty {
            let pumped = dirty
            dirty.removeAll(keepingCapacity: true)
            for session in pumped {
                session.isDirty = false
                session.feeds.pump(at: now)
            }
            let polled = touched
            touched.removeAll(keepingCapacity: true)
            for session in polled {
                session.isTouched = false
                poll(session, at: now)
            }
        }
        keepBudget()
    }

    /// A frame with a timestamp: what came over 01 to 04 gets the relay's clock, in the milliseconds that stand for
    /// tracks without properties.
    func stamped(_ frame: Frame, at now: Instant) -> Frame {
        guard frame.timestamp == nil else { return frame }
        return Frame(timestamp: now.nanoseconds / 1_000_000, payload: frame.payload)
    }

    /// The same for a frame that is not whole yet.
    func stamped(_ part: FramePart, at now: Instant) -> FramePart {
        guard part.header.timestamp == nil else { return part }
        var stamped = part
        stamped.header.timestamp = now.nanoseconds / 1_000_000
        return stamped
    }

    /// When all tracks together keep too much, the one that keeps most gives its oldest groups away.
    private func keepBudget() {
        guard budget.used > budget.limit else { return }
        // Below the limit by an eighth, so that this is seldom done.
        let goal = budget.limit - budget.limit / 8
        while budget.used > goal {
            let stores = allTracks.map(\.store)
            guard let greatest = stores.max(by: { $0.storedBytes < $1.storedBytes }), greatest.storedBytes > 0 else {
                return
            }
            if !greatest.evictOldest(), !greatest.shrinkLatest() { return }
        }
    }

    /// All tracks, in the order of the paths and of the requests.
    var allTracks: [RelayTrack] {
        let contents = entries.values(under: .empty).flatMap(\.contents) + detached
        return contents.flatMap(\.tracksInOrder)
    }
}
