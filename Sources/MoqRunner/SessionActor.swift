import MoqBase
import MoqConformance
import MoqLite
import MoqMonitor
import MoqQUIC
import MoqScenario
import MoqTransport
import MoqWire

/// An actor of kind `session`: one session at a time at the relay, as publisher and subscriber.
///
/// It keeps a record of all that it sees. Steps act on it and read the record; `process` takes what the network
/// brought since the last turn.
final class SessionActor {
    let name: String
    let definition: ActorDefinition
    let scene: Scene
    /// What it has seen.
    var record = SessionRecord() { didSet { recordState += 1 } }
    /// Grows with every change of it.
    private(set) var recordState = 1
    /// Its connection, as long as the endpoint lives (also after a close, so that the close can be repeated).
    private(set) var line: Line?
    /// The connection of a raw actor, which has no session.
    var rawLine: RawLine?
    /// The version and the transport of its last session that came up, and both in the words of reports.
    var negotiated: Version?
    var binding: TransportKind?
    var agreement: String?
    /// How often it connected.
    private(set) var incarnation = 0
    /// What it publishes.
    var broadcasts: [PublishedBroadcast] = []
    /// The relay's requests for announcements.
    var announceRequests: [(id: IncomingAnnounceID, prefix: BroadcastPath)] = []
    /// The streams of these requests, those among them that steps answer.
    var announceStreams: [AnnounceStream] = []
    /// The relay's hop id, once it has said it.
    var relayHop: UInt64?
    /// Requests of the relay that wait for a step.
    var pending: [(request: PendingRequest, broadcast: String, track: String)] = []
    /// Answers given in advance to the next request for a track.
    var answers: [(target: TrackReference, answer: PreparedAnswer)] = []
    /// Tracks whose requests of a kind wait, whether published or not.
    var held: [(target: TrackReference, request: MoqScenario.RequestKind)] = []
    /// The next group of each track, across incarnations.
    var nextGroups: [TrackKey: UInt64] = [:]
    /// The catalogs that it keeps.
    var catalogs: [TrackKey: CatalogDocument] = [:]
    /// Bookkeeping of what was asked for: ids of the session to places in the record.
    var subscriptions: [SubscriptionID: Int] = [:]
    var groups: [IncomingGroupID: (subscription: Int, group: Int)] = [:]
    var fetches: [FetchID: Int] = [:]
    var trackRequests: [TrackRequestID: Int] = [:]
    var announcePrefixes: [AnnounceRequestID: String] = [:]
    /// Its requests for announcements, as the model of the case numbers them.
    var watches: [AnnounceRequestID: Int] = [:]
    var requests: [IncomingSubscriptionID: Int] = [:]
    var requestedFetches: [IncomingFetchID: Int] = [:]
    var requestedTracks: [IncomingTrackID: Int] = [:]
    /// Groups written past the end of their tracks.
    var forced: [OutgoingGroupID: (track: PublishedTrack, group: UInt64)] = [:]
    /// Proofs of life under way: subscriptions to what nobody publishes.
    var fences: [SubscriptionID: Fence] = [:]
    var fenceCount = 0
    /// Raw streams opened by hand, by label.
    var rawStreams: [(label: String, stream: StreamID)] = []
    var rawCount = 0
    /// Subscriptions that asked for a part of a group only, and the frame at which each fetch begins.
    var partialLabels: Set<String> = []
    var fetchOffsets: [Int: Int] = [:]
    /// What each subscription asks for at present.
    var subscriptionOptions: [Int: SubscribeOptions] = [:]
    /// The moment of the case at which each was made.
    var subscriptionMoments: [Int: Int] = [:]
    /// The groups of each subscription that came whole, and the subscriptions of which a group was cut.
    var wholeGroups: [Int: Set<UInt64>] = [:]
    var cutSubscriptions: Set<Int> = []
    /// Whether it has stopped reading everything, and the subscriptions that it has stopped reading.
    var isPaused = false
    var pausedSubscriptions: Set<Int> = []
    /// What `record.active` and the datagrams of each subscription hold, to be found at once.
    var activePaths: Set<String> = []
    var datagramsSeen: [Int: Set<UInt64>] = [:]
    /// How much was noted, against a relay that floods.
    var noted = Noted()
    /// How far it was behind its publishers at most, in bytes, and what it has received.
    var mostBehind = 0
    private var newsOfBacklog = 0
    var bytesReceived: [Int: Int] = [:]
    var bytesAtSubscribe: [Int: Int] = [:]
    /// What its links did, summed over its incarnations.
    var linkBefore = LinkTotals()
    var link: LinkChoice
    /// The client kit in front of it; nil for an actor that is a session itself.
    private(set) var client: ClientActor?
    /// The session of MoqomKit that it is the link of; nil for any other actor.
    private(set) var moqom: MoqomActor?
    /// Either of them.
    var kit: (any KitActor)? { client ?? moqom }
    /// The one whose second link it is.
    weak var follower: MoqomActor? { didSet { isFollowed = follower != nil } }
    private var isFollowed = false

    /// An answer prepared before its request came.
    enum PreparedAnswer {
        case accept(startGroup: UInt64?)
        case refuse(UInt64, MoqScenario.RequestKind)
    }

    /// One subscription to an unknown broadcast: any answer proves that the session is served.
    final class Fence {
        var isAnswered = false
        var isLost = false
        /// The moment of the case at which it was asked.
        let begun: Int

        init(begun: Int = 0) {
            self.begun = begun
        }
    }

    init(_ definition: ActorDefinition, scene: Scene) {
        name = definition.name
        self.definition = definition
        self.scene = scene
        link = LinkChoice(definition.link ?? scene.scenario.network)
        if let settings = definition.moqom {
            moqom = MoqomActor(self, settings)
        } else if definition.kind.isClient {
            client = ClientActor(self)
        }
    }

    /// The session, while there is one that is not closed.
    var session: LiteSession? {
        guard let line, !line.session.isClosed, line.isAttached else { return nil }
        return line.session
    }

    /// Whether it can act: connected and not gone.
    var isConnected: Bool {
        if case .connected = record.state { true } else { false }
    }

    /// The path that it gives to the relay, where that differs from the target's.
    var ownPath: String? { currentPath ?? definition.path }
    private var currentPath: String?
    /// Where it dialled last, in words.
    private(set) var dialledPlace = "no address"

    // MARK: Coming and going

    /// Begins to connect. Throws when not even a socket can be had.
    func connect(
        path: String? = nil, version: String? = nil, transport: String? = nil, protocols: [String]? = nil,
        token: ActorToken? = nil
    ) throws(RunnerError) {
        modelEnds()
        detach()
        currentPath = path
        let offered = version ?? definition.version ?? scene.scenario.version
        guard let version = Version(name: offered) else { throw .unusable("`\(offered)` cannot be spoken") }
        let wanted = transport ?? definition.transport ?? scene.scenario.transport
        guard let choice = TransportChoice(name: wanted) else { throw .unusable("`\(wanted)` cannot be dialled") }
        dialledPlace = scene.access(of: definition).place(choice)
        record.state = .connecting
        record.wasEstablished = false
        forgetSession()
        let vanishes = scene.scenario.steps.contains { $0.mentions(vanishOf: name) }
        let names = protocols ?? definition.protocols
        // Of bytes beneath a session nobody watches what they say, and other roots give other names to paths.
        let isPlain = definition.level == nil && path == nil && definition.path == nil && definition.token == nil
        let isUnderTest = definition.relay == nil
        if !isPlain { scene.monitor.becomePartial() }
        let wish = Line.Wish(
            transport: choice, versions: names.map(Version.spoken(under:)) ?? [version],
            path: path ?? definition.path,
            token: (token ?? definition.token).map { TokenWish.own($0, prefix: scene.prefix) } ?? .usual,
            hopID: hopID,
            seed: scene.seed ^ StableHash.of("\(scene.scenario.id)/\(name)#\(incarnation)"),
            generation: scene.codes.generation ?? .second, knownGeneration: isUnderTest ? scene.codes.generation : nil,
            protocols: names,
            guise: TargetAccess.Guise(
                serverName: definition.serverName, authority: definition.authority, isSecure: definition.tls),
            vanishes: vanishes, lacking: isUnderTest ? scene.lacking : [], profile: scene.profile,
            isWatched: scene.isWatched, shared: isPlain ? scene.monitor : nil, cost: definition.cost,
            role: definition.role.map { $0 == .publisher ? .publisher : .subscriber },
            keepsAlive: definition.keepsAlive)
        incarnation += 1
        if let level = definition.level { return try connectRaw(at: level, wish) }
        let line = try Line(wish, access: scene.access(of: definition), driver: scene.driver)
        self.line = line
        line.feeds.onSubscriptionDone = { [weak self] id, _ in self?.forget(id, .finished) }
        if let conditions = link.current { line.connection.setLink(conditions) }
        let offer = names.map { $0.isEmpty ? "no name" : $0.joined(separator: ", ") } ?? "\(version)"
        scene.note(.session, name, "connects over \(choice), offering \(offer)")
    }

    /// Closes the session with a code.
    func close(code: UInt64, reason: String) {
        if let rawLine { return closeRaw(rawLine, code: code, reason: reason) }
        guard let line, !line.session.isClosed else { return }
        modelEnds()
        line.session.close(code: code, reason: reason)
        line.session.process(at: scene.driver.now)
        scene.note(.session, name, "closes with \(scene.codes.describe(code, on: .close))")
        process()
    }

    /// Is gone without a word.
    func vanish() {
        if let rawLine { return vanishRaw(rawLine) }
        guard let line else { return }
        modelEnds()
        line.cut()
        record.state = .vanished
        scene.note(.session, name, "vanishes: no close, no more packets")
        endEverything(.local)
        linkBefore.add(line.connection.linkStatistics)
        scene.conclude(line.monitor)
        self.line = nil
    }

    /// Gives the socket back.
    func detach() {
        detachRaw()
        guard let line else { return }
        linkBefore.add(line.connection.linkStatistics)
        line.detach()
        scene.conclude(line.monitor)
        self.line = nil
    }

    /// The monitor of its session, while it has a connection.
    var monitor: SessionMonitor? { line?.monitor }

    /// What its links did so far.
    var linkTotals: LinkTotals {
        var totals = linkBefore
        if let line { totals.add(line.connection.linkStatistics) }
        if let rawLine { totals.add(rawLine.connection.linkStatistics) }
        return totals
    }

    /// Changes its link.
    func setLink(_ change: NetworkAction.Change) {
        link.apply(change)
        line?.connection.setLink(link.current ?? .perfect)
        rawLine?.connection.setLink(link.current ?? .perfect)
        moqom?.spare?.setLink(change)
        scene.note(.network, name, "link: \(link.description)")
    }

    /// Stable over reconnects, so that a relay can tell that it is the same publisher; unless the scenario says it, below
    /// 2^53 as the running implementations have it.
    var hopID: UInt64 {
        definition.hop ?? 1 + (StableHash.of("\(scene.scenario.id)/\(name)") ^ scene.seed) % ((1 << 52) - 1)
    }

    private func forgetSession() {
        announceRequests = []
        announceStreams = []
        relayHop = nil
        pending = []
        subscriptions = [:]
        groups = [:]
        fetches = [:]
        trackRequests = [:]
        announcePrefixes = [:]
        requests = [:]
        requestedFetches = [:]
        requestedTracks = [:]
        forced = [:]
        fences = [:]
        rawStreams = []
        broadcasts = []
        record.active = []
        activePaths = []
        noted.isFlooded = false
    }

    // MARK: Each turn

    /// Takes what happened since the last turn, and sends what can be sent. Gives whether anything happened that may
    /// concern others: where nothing did, to be asked again at the same instant changes nothing.
    @discardableResult
    func process() -> Bool {
        // What is written beneath a session, and what several links have to do with each other, is not told apart here.
        var hasNews = rawLine != nil || moqom != nil || isFollowed
        processRaw()
        guard let line, line.isAttached else {
            if client?.process() == true { hasNews = true }
            moqom?.process()
            return hasNews
        }
        let now = scene.driver.now
        line.process(at: now)
        while let event = line.session.poll() {
            hasNews = true
            guard admits(event, line) else { continue }
            handle(event, line)
            client?.observe(event)
            if moqom != nil || isFollowed { (moqom ?? follower)?.observe(event, on: self) }
        }
        if client?.process() == true { hasNews = true }
        moqom?.process()
        for broadcast in broadcasts {
            for track in broadcast.tracks { track.store.expire(at: now) }
        }
        line.feeds.pump(at: now)
        noteBacklog()
        scene.take(line.takeBreaches(), of: name)
        return hasNews
    }

    /// Whether everything written has been handed to the transport.
    var isBacklogged: Bool { line?.feeds.isBacklogged ?? false }

    private func noteBacklog() {
        // It falls behind by what others write once it has subscribed, and by nothing else.
        let news = scene.writings + record.subscriptions.count
        guard news != newsOfBacklog else { return }
        newsOfBacklog = news
        for index in record.subscriptions.indices where record.subscriptions[index].end == nil {
            mostBehind = max(mostBehind, bytesBehind(index))
        }
    }

    private func bytesBehind(_ index: Int) -> Int {
        let subscription = record.subscriptions[index]
        let key = TrackKey(broadcast: subscription.broadcast, track: subscription.track)
        return (scene.bytesWritten[key] ?? 0) - (bytesAtSubscribe[index] ?? 0) - (bytesReceived[index] ?? 0)
    }

    /// Whether it has subscribed to a track, reads it, and has had no group of it.
    func awaitsFirstGroup(of track: PublishedTrack) -> Bool {
        guard !isPaused, session != nil else { return false }
        return record.subscriptions.enumerated().contains { index, subscription in
            subscription.end == nil && subscription.groups.isEmpty && subscription.broadcast == track.broadcast
                && subscription.track == track.name && !pausedSubscriptions.contains(index)
        }
    }

    /// How many bytes of a track it has still to receive, where it reads it.
    func bytesBehind(_ track: PublishedTrack) -> Int {
        guard !isPaused, session != nil else { return 0 }
        var most = 0
        for (index, subscription) in record.subscriptions.enumerated()
        where subscription.end == nil && subscription.broadcast == track.broadcast && subscription.track == track.name {
            // A group that was cut will bring no more: what is missing of it is not on its way.
            if pausedSubscriptions.contains(index) || cutSubscriptions.contains(index) { continue }
            most = max(most, bytesBehind(index))
        }
        return most
    }

    // MARK: Proofs of life

    /// Begins a proof that this session is served: a subscription to a broadcast that nobody announces, which every
    /// version answers with a reset.
    func startFence() -> Fence {
        let fence = Fence(begun: scene.model.moment)
        fenceCount += 1
        guard let session, let path = scene.path(".nobody-\(name)-\(fenceCount)") else {
            fence.isLost = true
            return fence
        }
        let id = session.subscribe(broadcast: path, track: "alive")
        fences[id] = fence
        return fence
    }

    // MARK: The end of everything

    func endEverything(_ end: RecordedEnd) {
        for index in record.subscriptions.indices {
            if record.subscriptions[index].end == nil { record.subscriptions[index].end = end }
            for group in record.subscriptions[index].groups.indices
            where record.subscriptions[index].groups[group].end == nil {
                record.subscriptions[index].groups[group].end = end
            }
        }
        for index in record.fetches.indices where record.fetches[index].end == nil { record.fetches[index].end = end }
        for index in record.trackInfos.indices where record.trackInfos[index].end == nil {
            record.trackInfos[index].end = end
        }
        for index in record.requests.indices where record.requests[index].end == nil {
            record.requests[index].end = end
        }
        for fence in fences.values { fence.isLost = true }
        fences = [:]
        record.active = []
        activePaths = []
        broadcasts = []
        pending = []
    }
}
