import MoqBase
import MoqLite
import MoqTransport
import MoqWire

/// One session of the relay and everything that hangs on it, in both directions.
public final class RelaySession: Timed {
    /// Counted over all sessions of the relay.
    public let number: UInt64
    /// The engine.
    public let lite: LiteSession
    /// Whether it is over.
    public internal(set) var isClosed = false

    /// What it may do, once known; before, its requests wait.
    var grant: PathGrant?
    /// What a session may do that the relay began itself, to another relay; nil for all others.
    let ownGrant: PathGrant?
    /// Whether it has said GOAWAY, so that nothing new is asked of it.
    var isLeaving = false
    /// When its grant became known.
    var admitted: Instant?
    /// Events that came before the grant was known.
    var waiting: [LiteEvent] = []
    /// When its token expires; nil for never.
    var expires: Instant?
    /// Until when its SETUP may come.
    var setupDeadline: Instant?
    var queuedFor: Instant?
    /// Stands in the core's list of sessions whose feeds have work.
    var isDirty = false
    /// Stands in the core's list of sessions to poll.
    var isTouched = false

    // As a publisher towards the relay.
    /// What it announces, by full path.
    var sources: [BroadcastPath: AnnouncedSource] = [:]
    var asking: [TrackRequestID: Upstream] = [:]
    var upstreams: [SubscriptionID: Upstream] = [:]
    var groups: [IncomingGroupID: Upstream] = [:]
    var upstreamFetches: [FetchID: FetchJob] = [:]

    // As a subscriber of the relay.
    var watchers: [IncomingAnnounceID: Watcher] = [:]
    let feeds: SessionFeeds
    /// The tracks behind its subscriptions.
    var subscribed: [IncomingSubscriptionID: RelayTrack] = [:]
    /// The tracks behind its questions.
    var questions: [IncomingTrackID: RelayTrack] = [:]
    /// The full paths of its fetches.
    var fetchPaths: [IncomingFetchID: BroadcastPath] = [:]
    /// The upstream fetches behind its fetches.
    var fetchJobs: [IncomingFetchID: FetchJob] = [:]

    private unowned let core: RelayCore

    init(number: UInt64, lite: LiteSession, core: RelayCore, ownGrant: PathGrant? = nil) {
        self.number = number
        self.ownGrant = ownGrant
        self.lite = lite
        self.core = core
        feeds = SessionFeeds(
            outlet: lite, generation: core.configuration.generation, backlogLimit: core.limits.sessionBacklog,
            tellsEndAfterDelivery: true, doesAsDeployed: true)
        feeds.onWork = { [unowned self] in self.core.feedsHaveWork(self) }
    }

    /// Whether it is up, and may exchange what it is for.
    public var isAdmitted: Bool { grant != nil && !isClosed }

    /// Whether something new may be asked of it.
    var takesRequests: Bool { !isClosed && !isLeaving }

    /// The version of an established session.
    var version: Version { lite.version ?? .lite03 }

    /// The peer's own hop id, 0 when it says none: it is in SETUP (05+); before, a peer that passes on what others
    /// announced stands last in the lists that it sends.
    var peerHop: UInt64 { version.hasSetup ? lite.peerSetup?.hop ?? 0 : passingHop }
    /// The hop under which the peer passes on what others announced; 0 as long as it does not.
    private(set) var passingHop: UInt64 = 0

    /// Notes under which hop the peer passes on a broadcast that is not its own.
    func noteHop(of hops: HopList) {
        if hops.count > 1, let last = hops.ids.last, last != 0 { passingHop = last }
    }

    /// Answers a question for the properties of a track.
    func answer(_ id: IncomingTrackID, _ info: TrackInfo) {
        questions[id] = nil
        lite.answerTrack(id, info)
    }

    /// Refuses a question for the properties of a track.
    func refuse(_ id: IncomingTrackID, _ code: StreamCode) {
        questions[id] = nil
        lite.refuseTrack(id, code: code)
    }

    func due(at now: Instant) {
        guard !isClosed else { return }
        if grant == nil, let deadline = setupDeadline, deadline <= now {
            return core.refuse(self, .controlTimeout, "no SETUP within \(core.limits.setupWait)")
        }
        if let expires, expires <= now { return core.refuse(self, .unauthorized, "the token has expired") }
        if let deadline = lite.deadline, deadline <= now { core.work(self, at: now) }
        reschedule()
    }

    /// Asks to be called when something of the session is due.
    func reschedule() {
        guard !isClosed else { return }
        core.timers.schedule(self, at: Instant?.earlier(lite.deadline, grant == nil ? setupDeadline : expires))
    }
}
