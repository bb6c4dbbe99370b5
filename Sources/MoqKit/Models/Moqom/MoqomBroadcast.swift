import MoqBase

/// The handle of what one publishes in a room: audio or video, each by itself.
public final class MoqomBroadcast {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case unprepared, prepared, backstage, live, stopped
    }

    /// Where it stands.
    public private(set) var state = State.unprepared
    /// What it carries.
    public let medium: MoqomMedium
    /// How much of it has left.
    public private(set) var sent = 0
    private let session: String
    private let room: String
    private let user: String
    /// Its name in traces.
    public let object: String
    private let port: ModelPort
    private var nextDue: Instant?

    /// The one track of it.
    static let track = "media"
    /// Captured media come so often: often enough to see them stop, seldom enough not to fill a timeline.
    private static let interval = Duration.milliseconds(200)
    private static let wish = TrackWish(priority: 80, timescale: 1_000_000, retention: .seconds(5))

    init(_ object: String, _ medium: MoqomMedium, of session: String, room: String, user: String, port: ModelPort) {
        self.object = object
        self.medium = medium
        self.session = session
        self.room = room
        self.user = user
        self.port = port
    }

    /// The path under which it is announced; nil while it is not.
    var path: String? {
        switch state {
        case .live: MoqomRoom.path(room, .live, "\(user)/\(medium.rawValue)")
        case .backstage: MoqomRoom.path(room, .backstage, "\(user)/\(medium.rawValue)")
        case .unprepared, .prepared, .stopped: nil
        }
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("moqom-broadcast", object, of: session, input, values, to: next.rawValue)
        state = next
    }

    private func tell(_ event: String) { port.tell(object, event, [.init("kind", medium.rawValue)]) }

    // MARK: Calls

    func prepare(isGranted: Bool) throws(MoqomError) {
        guard isGranted else {
            port.step(
                "moqom-broadcast", object, of: session, "prepare", ["granted": .flag(false)], to: state.rawValue,
                isRefused: true)
            throw MoqomError(.notGranted, "\(user) may not publish")
        }
        move(to: .prepared, by: "prepare", ["granted": .flag(true)])
    }

    func start(backstage: Bool) throws(MoqomError) {
        switch state {
        case .prepared: break
        case .backstage, .live: throw MoqomError(.alreadyStarted, "the \(medium.rawValue) was started already")
        case .unprepared, .stopped: throw MoqomError(.notPrepared, "there is no handle of \(medium.rawValue)")
        }
        move(to: backstage ? .backstage : .live, by: "start", ["backstage": .flag(backstage)])
        open()
        nextDue = port.now
        tell(backstage ? "media.hosts" : "media.everyone")
    }

    func goLive() throws(MoqomError) {
        guard state == .backstage, let before = path else {
            throw MoqomError(.notPrepared, "the \(medium.rawValue) is not backstage")
        }
        move(to: .live, by: "go_live")
        open()
        close(before)
        tell("media.everyone")
    }

    func stop(by input: String) {
        guard state != .unprepared || input == "session.closed" else { return }
        let before = path
        move(to: .stopped, by: input)
        guard let before else { return }
        close(before)
        nextDue = nil
        tell("media.ended")
    }

    /// A right was taken or given.
    func demoted() {
        if state == .unprepared { move(to: .unprepared, by: "demoted") } else { stop(by: "demoted") }
    }

    func promoted() { move(to: state, by: "promoted") }

    // MARK: Media

    /// Announces it, with its track: at first, and again on every new session.
    func open() {
        guard let path else { return }
        port.ask(.announce(path: path))
        port.ask(.openTrack(path: path, name: Self.track, Self.wish))
    }

    private func close(_ path: String) {
        port.ask(.finishTrack(path: path, name: Self.track))
        port.ask(.withdraw(path: path))
    }

    /// When captured media come next.
    var deadline: Instant? { path == nil ? nil : nextDue }

    /// Sends what was captured, unless it is muted or there is no link; whether anything was captured.
    func advance(_ mute: MoqomMute, isLinked: Bool) -> Bool {
        guard let path, let due = nextDue, port.now >= due else { return false }
        nextDue = max(due.advanced(by: Self.interval), port.now)
        if nextDue == port.now { nextDue = port.now.advanced(by: Self.interval) }
        guard mute.send(), isLinked else { return true }
        sent += 1
        let time = UInt64(port.now.nanoseconds / 1000)
        let frame = OutgoingFrame(payload: Array("\(user) \(medium.rawValue) \(sent)".utf8), timestamp: time)
        port.ask(.write(path: path, name: Self.track, [frame], startsGroup: true, endsGroup: true))
        return true
    }
}
