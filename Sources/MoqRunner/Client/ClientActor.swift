import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqLite
import MoqPlayback
import MoqScenario
import MoqTransport
import MoqWire

/// The application and the client kit behind an actor of kind `publisher` or `player`: the models, and what connects them
/// with the actor's session.
final class ClientActor: KitActor {
    let platform: KitPlatform
    let port: ModelPort
    /// The actor whose session it is, which owns this.
    unowned let actor: SessionActor
    var link: SessionActor { actor }
    let scene: Scene
    var session: SessionModel
    var publisher: PublisherModel
    var player: PlayerModel?
    /// What was sent with, by the name of the track; they outlive a publisher, as an application's do.
    var emitters: [(name: String, emitter: DataTrackEmitter)] = []
    var capture: CaptureAction?
    var isCapturing = false
    var encoders: [EncoderRun] = []
    /// The configuration of the media tracks, by label, for cameras that come later.
    var found: [WatchedBroadcast] = []
    var dataTracks: [(name: String, subscription: TrackSubscription)] = []
    var audioStream: AudioDataStream?
    /// What the application made of the samples that it read.
    var hearing = SampleHearing()
    var target: Duration
    /// In which form the catalogs of what is found are read.
    var catalogForm = CatalogFollower.Form.json
    /// What decodes for the newest player, where it decodes.
    var decoder: RenditionDecoder?
    /// Forms and records that go along with catalogs and groups of media.
    var companions = PublishedCompanions()
    var watch: MachineWatch
    /// What a step asked for that is not in the catalog that a track made.
    private(set) var sessions = 1
    private(set) var publishers = 1
    private(set) var players = 0
    /// Whether the case is over, and nothing that still happens is of interest.
    var isResting = false
    /// The session's subscriptions by the models' numbers, and the groups that are open.
    var subscriptions: [SubscriptionID: Int] = [:]
    var numbers: [Int: SubscriptionID] = [:]
    var groups: [IncomingGroupID: (id: Int, sequence: UInt64)] = [:]
    /// Ends in good order that wait for groups still on their way.
    var cleanEnds: [(id: Int, due: Instant)] = []
    /// The renditions that tracks made, as they stand in the catalog of each path.
    var listed: [String: [Rendition]] = [:]
    /// How much of what the models have was taken into the record.
    var dataTaken: [String: Int] = [:]
    var playerTaken: (samples: Int, at: Instant) = (0, .origin)
    var diagnosticsTaken: (player: String, total: Int) = ("", 0)
    var broadcastsTaken = 0

    /// A broadcast that was found, as the application has it.
    struct WatchedBroadcast {
        var broadcast: FoundBroadcast
        var catalogs: CatalogStream
        var hubs: MediaHubs
        var isClosed = false
    }

    /// How long groups may be on their way behind the end of their subscription: streams overtake each other.
    static let graceOfEnd = Duration.milliseconds(50)

    init(_ actor: SessionActor) {
        self.actor = actor
        scene = actor.scene
        platform = actor.definition.profile == .android ? .android : .ios
        port = ModelPort(at: actor.scene.driver.now, fault: actor.scene.kitFault)
        session = SessionModel("session 1", as: platform, port: port)
        publisher = PublisherModel("publisher 1", as: platform, port: port)
        publisher.packer = RenditionPacker().pack
        watch = MachineWatch(platform == .ios ? .ios : .android, since: scene.start)
        watch.meet("session", session.name)
        watch.meet("publisher", publisher.name)
        target = actor.definition.targetBuffering ?? PlayerModel.usualTarget
        actor.record.client = ClientRecord()
    }

    // MARK: New objects

    func makeSession() {
        sessions += 1
        session = SessionModel("session \(sessions)", as: platform, port: port)
        watch.meet("session", session.name)
        actor.record.client?.states[.session] = []
    }

    func makePublisher() {
        publishers += 1
        publisher = PublisherModel("publisher \(publishers)", as: platform, port: port)
        publisher.packer = RenditionPacker().pack
        watch.meet("publisher", publisher.name)
        encoders = []
        actor.record.client?.states[.publisher] = []
        actor.record.client?.trackStates = [:]
    }

    func nextPlayerName() -> String {
        players += 1
        actor.record.client?.states[.player] = []
        return "player \(players)"
    }

    // MARK: Each turn

    /// When it has something to do at the latest.
    var deadline: Instant? {
        guard !isResting else { return nil }
        port.now = scene.driver.now
        var due = player?.deadline
        if isRecording {
            for encoder in encoders where hasRunningTrack(encoder) {
                due = Instant?.earlier(due, encoder.deadline.map { max($0, port.now.advanced(by: Self.leastWait)) })
            }
        }
        for end in cleanEnds { due = Instant?.earlier(due, max(end.due, port.now.advanced(by: Self.leastWait))) }
        return due
    }

    /// Takes what is due, and passes on what the models ask for and tell. Gives whether there was anything of that.
    func process() -> Bool {
        guard !isResting else { return false }
        port.now = scene.driver.now
        if !cleanEnds.isEmpty {
            for end in cleanEnds where port.now >= end.due && !groups.values.contains(where: { $0.id == end.id }) {
                session.subscriptionEnded(end.id, .clean)
            }
            cleanEnds.removeAll { end in port.now >= end.due && !groups.values.contains { $0.id == end.id } }
        }
        runEncoders()
        player?.advance()
        return settle()
    }

    /// What is due was done: what comes next is at least so far away.
    private static let leastWait = Duration.milliseconds(1)

    /// Whether cameras and microphones have somebody to deliver to.
    private var isRecording: Bool { isCapturing && publisher.state == .publishing }

    private func hasRunningTrack(_ encoder: EncoderRun) -> Bool {
        let track = publisher.tracks.last { $0.label == encoder.label && $0.mediaKind == encoder.kind }
        return track?.state == .starting || track?.state == .active
    }

    private func runEncoders() {
        guard isRecording else { return }
        for encoder in encoders where isRecording && hasRunningTrack(encoder) {
            encoder.start(at: port.now)
            for frame in encoder.take(at: port.now) { publisher.encoded(encoder.label, encoder.kind, frame) }
        }
    }

    /// Lets go of everything: the case is over.
    func rest() {
        isResting = true
        encoders = []
    }

    // MARK: What the session brings

    /// Takes what happened on the session.
    func observe(_ event: LiteEvent) {
        guard !isResting else { return }
        port.now = scene.driver.now
        switch event {
        case .announced(let id, let announced, _):
            guard let prefix = actor.announcePrefixes[id], let path = scene.relative(announced.path) else { return }
            if let broadcast = session.announced(path, under: prefix) { take(broadcast) }
        case .announcementsEnded(let id, let end):
            // The actor has forgotten the prefix by now; only the end of all of them matters to the models.
            _ = (id, end)
        case .subscribeAccepted(let id, _), .subscribeStart(let id, _):
            if let number = subscriptions[id] { session.accepted(number) }
        case .subscriptionEnded(let id, let end): subscriptionEnded(id, end)
        case .groupOpened(let group, let id, let sequence, _):
            guard let number = subscriptions[id] else { return }
            groups[group] = (number, sequence)
            session.groupOpened(number, sequence)
        case .frame(let group, let index, let frame):
            guard let place = groups[group] else { return }
            session.frame(place.id, place.sequence, index: index, frame.payload)
        case .groupEnded(let group, let end):
            guard let place = groups.removeValue(forKey: group) else { return }
            session.groupEnded(place.id, place.sequence, UpstreamEnd(end))
        case .closed(let close):
            if session.state == .connected { session.transportEnded(close.description) }
        default: return
        }
        settle()
    }

    private func subscriptionEnded(_ id: SubscriptionID, _ end: StreamEnd) {
        guard let number = subscriptions[id] else { return }
        let end = UpstreamEnd(end)
        if end == .clean {
            cleanEnds.append((number, port.now.advanced(by: Self.graceOfEnd)))
        } else {
            subscriptions[id] = nil
            session.subscriptionEnded(number, end)
        }
    }

    /// A broadcast was found: the application asks for its catalogs.
    private func take(_ broadcast: FoundBroadcast) {
        let object = "\(session.name)/\(broadcast.path) \(found.count + 1)"
        let follower = CatalogFollower(catalogForm)
        let catalogs = session.openCatalogs(
            of: broadcast, object: "\(object) catalogs", track: catalogForm.track
        ) { follower.receive($0, group: $1, index: $2) }
        let unpacker = RenditionUnpacker()
        let hubs = session.openHubs(of: broadcast) { unpacker.unpack($0, $1) }
        found.append(WatchedBroadcast(broadcast: broadcast, catalogs: catalogs, hubs: hubs))
    }
}

extension UpstreamEnd {
    init(_ end: StreamEnd) {
        switch end {
        case .finished: self = .clean
        case .reset(.code(let code)), .stopped(.code(let code)): self = .code(code)
        case .reset(.unmapped(let raw)), .stopped(.unmapped(let raw)): self = .code(raw)
        case .malformed(let what, _): self = .undecodable(what)
        case .cancelled: self = .local
        case .unsupported: self = .undecodable("not part of this version")
        case .sessionClosed: self = .sessionLost
        }
    }
}
