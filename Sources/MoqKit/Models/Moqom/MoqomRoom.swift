import MoqBase

/// A room that a session has joined: what it says and publishes there itself. What it sees of others is beside this
/// (`MoqomRoom+Others`), and so are the calls about them (`MoqomRoom+Stage`).
public final class MoqomRoom {
    /// What lies below the path of a room.
    public enum Area: String, CaseIterable, Hashable, Sendable {
        /// `people/NAME`: what participants say of themselves.
        case people
        /// `live/NAME/KIND`: media for everyone.
        case live
        /// `backstage/NAME/KIND`: media for hosts; the tokens of others do not reach it.
        case backstage
    }

    /// Its path.
    public let path: String
    /// Names this entry into it towards others: the session, and from the second entry on which one it is.
    public let id: String
    /// What one says of oneself.
    public internal(set) var report: MoqomReport
    /// Whether one's own media may leave, audio first.
    public let mutes: [MoqomMute]
    /// The handles of what one publishes, newest last of each kind.
    public private(set) var broadcasts: [MoqomBroadcast] = []
    /// Invitations and requests that concern this session, newest last.
    public internal(set) var invitations: [MoqomInvitation] = []
    /// Those who are or were there, in the order in which they came.
    public internal(set) var people: [MoqomPerson] = []
    var incoming: [MoqomIncoming] = []
    /// Whose audio or video is muted here.
    var localMutes: [(name: String, medium: MoqomMedium)] = []
    /// Whose video has a tile; nil while the application has not said what it shows.
    var tiles: [String]?
    /// What is tapped here.
    var taps: [MoqomTap] = []
    /// Whom this session has banned, and until when.
    var bans: [MoqomBan] = []
    /// Orders that were carried out, by moderator's entry.
    var ordersDone: [String: Int] = [:]
    /// What hosts said last of the whole room.
    var spotlight: String?
    /// Whether nobody may ask for the stage.
    public internal(set) var isLocked = false
    /// When what was announced on an earlier link must have been announced again.
    var checkAt: Instant?
    unowned let session: MoqomSession
    let object: String
    let port: ModelPort
    private var handles = 0
    private var leavingUntil: Instant?
    private(set) var isGone = false
    private var isClosed = false

    private static let wish = TrackWish(priority: 90, timescale: 1_000_000, retention: .seconds(5))

    /// A room that is being joined, for the `entry`th time by its session.
    init(_ path: String, of session: MoqomSession, as role: MoqomRole, entry: Int) {
        self.path = path
        self.session = session
        port = session.port
        // Who joins again is a new participant, and what they have there is new.
        let again = entry == 1 ? "" : " entry \(entry)"
        let object = "\(session.name)\(again)/\(path)"
        self.object = object
        id = session.id + again
        let (user, port) = (session.settings.user, session.port)
        report = MoqomReport(name: user, entry: id, role: role)
        mutes = MoqomMedium.allCases.map { MoqomMute("\(object)/\($0.rawValue) mute", $0, of: user, port: port) }
        for medium in MoqomMedium.allCases { newBroadcast(medium) }
    }

    /// A path below that of a room.
    static func path(_ room: String, _ area: Area, _ rest: String) -> String { "\(room)/\(area.rawValue)/\(rest)" }

    /// The path at which a participant of a room is announced.
    public static func path(of user: String, in room: String) -> String { path(room, .people, user) }

    var user: String { session.settings.user }
    private var ownPath: String { Self.path(path, .people, user) }
    /// Whether it was left and only says goodbye.
    public var isLeaving: Bool { leavingUntil != nil || isClosed }

    @discardableResult
    private func newBroadcast(_ medium: MoqomMedium) -> MoqomBroadcast {
        handles += 1
        let broadcast = MoqomBroadcast(
            "\(object)/\(medium.rawValue) \(handles)", medium, of: session.name, room: path, user: user,
            port: port)
        broadcasts.append(broadcast)
        return broadcast
    }

    // MARK: Life

    /// Asks for the others, and announces what one is and publishes: at first, and on every new link.
    func restore() {
        guard !isLeaving else { return }
        port.ask(.watch(prefix: path))
        port.ask(.announce(path: ownPath))
        port.ask(.openTrack(path: ownPath, name: MoqomReport.track, Self.wish))
        say()
        // Relays tell a session of its own broadcasts in some versions only.
        if port.isBroken(by: .ownFedBack) { announced(ownPath) }
        for broadcast in broadcasts { broadcast.open() }
        checkAt = port.now.advanced(by: Self.replayGrace)
    }

    /// The whole of what one says of oneself goes out.
    func say() {
        report.revision += 1
        report.selfMuted = mutes.filter(\.isSelfMuted).map(\.medium)
        report.forceMuted = mutes.filter { $0.state != .free }.map(\.medium)
        guard session.isLinked else { return }
        let frame = OutgoingFrame(payload: report.json, timestamp: UInt64(port.now.nanoseconds / 1000))
        port.ask(.write(path: ownPath, name: MoqomReport.track, [frame], startsGroup: true, endsGroup: true))
    }

    /// One leaves it, of one's own accord or not.
    func leave(_ how: MoqomLeave) {
        guard !isLeaving else { return }
        close(how)
        leavingUntil = port.now.advanced(by: MoqomSession.goodbye)
        isClosed = false
    }

    /// The goodbye was said: nothing of the room is kept on the link.
    func endGoodbye() {
        leavingUntil = nil
        isClosed = true
        isGone = true
        port.ask(.unwatch(prefix: path))
        port.ask(.withdraw(path: ownPath))
    }

    /// The session is over, or the room is left: what is published ends, and the others are told.
    func close(_ how: MoqomLeave) {
        guard !isLeaving else { return }
        for broadcast in broadcasts where !port.isBroken(by: .broadcastOutlives) {
            broadcast.stop(by: "session.closed")
        }
        report.leave = how
        say()
        isClosed = true
        if session.isLinked {
            port.ask(.finishTrack(path: ownPath, name: MoqomReport.track))
            for entry in incoming { entry.unsubscribe() }
        }
    }

    /// How long what is withdrawn may take to be announced again, by another session of the same publisher.
    static let grace = Duration.seconds(1)
    /// How long a relay may take to tell on a new link what is announced.
    private static let replayGrace = Duration.seconds(3)

    var deadline: Instant? {
        var due = Instant?.earlier(leavingUntil, checkAt)
        for broadcast in broadcasts { due = Instant?.earlier(due, broadcast.deadline) }
        for entry in incoming {
            due = Instant?.earlier(due, entry.deadline)
            due = Instant?.earlier(due, entry.goneAt.map { $0.advanced(by: Self.grace) })
        }
        for person in people {
            due = Instant?.earlier(due, person.lostAt.map { $0.advanced(by: session.settings.window) })
        }
        for invitation in invitations where invitation.isOpen { due = Instant?.earlier(due, invitation.deadline) }
        return due
    }

    func advance() {
        if let until = leavingUntil, port.now >= until { endGoodbye() }
        guard !isLeaving else { return }
        for broadcast in broadcasts {
            let isCaptured = broadcast.advance(mute(broadcast.medium), isLinked: session.isLinked)
            if isCaptured, broadcast.medium == .audio { tellTap(of: .ownAudio, from: user) }
        }
        for invitation in invitations where invitation.isOpen && port.now >= invitation.deadline {
            invitation.move(to: .expired, by: "expire")
            note(invitation)
        }
        advanceOthers()
    }

    // MARK: One's own media

    /// Whether one's own media of a kind may leave.
    public func mute(_ medium: MoqomMedium) -> MoqomMute { mutes[medium == .audio ? 0 : 1] }

    /// The newest handle of a kind.
    public func broadcast(_ medium: MoqomMedium) -> MoqomBroadcast {
        broadcasts.last { $0.medium == medium } ?? newBroadcast(medium)
    }

    /// `startBroadcast(video source)`, `startAudio(source)`: a handle, which is still to be started.
    public func prepare(_ medium: MoqomMedium) throws(MoqomError) {
        var broadcast = broadcast(medium)
        switch broadcast.state {
        case .unprepared: break
        case .stopped: broadcast = newBroadcast(medium)
        case .prepared, .backstage, .live:
            throw MoqomError(.alreadyStarted, "there is a handle of \(medium.rawValue)")
        }
        try broadcast.prepare(isGranted: report.grants.contains(.publish))
    }

    /// `start()` of a handle.
    public func start(_ medium: MoqomMedium, backstage: Bool) throws(MoqomError) {
        try broadcast(medium).start(backstage: backstage)
    }

    /// From backstage to everyone, with the same token.
    public func goLive(_ medium: MoqomMedium) throws(MoqomError) { try broadcast(medium).goLive() }

    /// `stopBroadcast`, `stopAudio`.
    public func stop(_ medium: MoqomMedium) { broadcast(medium).stop(by: "stop") }

    /// `muteSelf`, `unmuteSelf`.
    public func setSelfMuted(_ medium: MoqomMedium, _ isMuted: Bool) {
        if mute(medium).setSelfMuted(isMuted) { say() }
    }

    /// `resumeAfterForceMute()`.
    public func resumeAfterForceMute() throws(MoqomError) {
        let changed = mutes.filter { $0.resume() }
        guard !changed.isEmpty else { throw MoqomError(.notOpen, "nothing is listed as resumable") }
        say()
    }

    // MARK: One's own rights

    /// Rights were given or taken. Taking acts at once, giving starts nothing.
    func setGrants(_ grants: [MoqomGrant]) {
        let before = report.grants
        report.grants = MoqomGrant.allCases.filter(grants.contains)
        guard report.grants != before else { return }
        port.tell(
            object, "grantsChanged",
            [.init("who", user), .init("grants", report.grants.map(\.rawValue).joined(separator: ","))])
        let newest = MoqomMedium.allCases.map(broadcast)
        if before.contains(.publish), !report.grants.contains(.publish) { for one in newest { one.demoted() } }
        if !before.contains(.publish), report.grants.contains(.publish) { for one in newest { one.promoted() } }
    }
}
