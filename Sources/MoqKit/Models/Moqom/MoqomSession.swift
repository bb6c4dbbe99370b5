import MoqBase

/// A session of MoqomKit: one connection for many rooms, which comes back by itself.
///
/// Whoever drives it dials when it asks for `.connect` and says what came of it. It asks so also while it is established:
/// a fresh token needs another transport session, which takes over before the old one is let go of.
public final class MoqomSession {
    /// Where it stands.
    public enum State: String, CaseIterable, Hashable, Sendable {
        case idle, connecting, established, reconnecting, away, closed
    }

    /// Why a link did not come up, or is gone.
    public enum Loss: Hashable, Sendable {
        /// The relay does not take the token.
        case unauthorized
        /// Anything else.
        case other
    }

    /// What an application sets.
    public struct Settings: Hashable, Sendable {
        /// Who.
        public var user: String
        /// As what they join rooms.
        public var role = MoqomRole.speaker
        /// How long before it lapses a token is renewed.
        public var renewBefore = Duration.seconds(30)
        /// What becomes of it then.
        public var service = MoqomToken.Service.none
        /// How long it tries to come back. The documentation does not say how long it is.
        public var window = Duration.seconds(30)
        /// After which it shows that the connection is lost. The documentation does not say how long it is.
        public var awayAfter = Duration.seconds(10)

        /// The usual settings.
        public init(user: String) { self.user = user }
    }

    /// Its name in traces.
    public let name: String
    /// What the application set.
    public let settings: Settings
    /// Where it stands.
    public private(set) var state = State.idle
    /// Why it is over; nil while it is not, and where the application closed it.
    public private(set) var terminal: MoqomTerminal?
    /// Its token.
    public let token: MoqomToken
    /// What becomes of a token that is about to lapse.
    public var service: MoqomToken.Service
    /// The rooms that it has joined.
    public private(set) var rooms: [MoqomRoom] = []
    /// How often each room was joined.
    private var entries: [String: Int] = [:]
    /// Names this session towards others, also after it came back.
    public let id: String
    let port: ModelPort
    var statistics = MoqomStatistics()
    /// Whether something can be sent.
    private(set) var isLinked = false
    private var isHandingOver = false
    private var isDialling = false
    private var lostAt: Instant?
    private var nextAttempt: Instant?
    private var attemptUntil: Instant?
    private var pause = MoqomSession.firstPause
    private var goodbyeUntil: Instant?

    /// Between attempts to come back: at first, and at most.
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(2)
    /// An attempt that nobody answers is given up for the next.
    private static let attemptLimit = Duration.seconds(5)
    private static let firstLimit = Duration.seconds(10)
    /// How long the last words have to reach the others before the link is closed.
    static let goodbye = Duration.milliseconds(300)

    /// A session that has not connected; `number` tells the sessions of one user apart.
    public init(number: Int, _ settings: Settings, port: ModelPort) {
        name = "session \(number)"
        id = "\(settings.user)-\(number)"
        self.settings = settings
        self.port = port
        service = settings.service
        token = MoqomToken("session \(number)/token", lead: settings.renewBefore, port: port)
    }

    private func move(to next: State, by input: String, _ values: MachineValues = [:]) {
        port.step("moqom-session", name, input, values, to: next.rawValue)
        state = next
    }

    // MARK: Calls

    /// `connect(to relay)`.
    public func connect() throws(MoqomError) {
        guard state == .idle else {
            throw state == .closed
                ? MoqomError(.alreadyClosed, "the session is closed")
                : MoqomError(.alreadyConnected, "the session connects once")
        }
        move(to: .connecting, by: "connect")
        dial()
    }

    /// `join(room)`.
    public func join(_ path: String) throws(MoqomError) { try enter(path, as: settings.role) }

    /// `goLive()`: the channel of one's own, as its host. What is published there is still to be started.
    public func goLive() throws(MoqomError) { try enter(Self.channel(of: settings.user), as: .host) }

    /// `watch(username)`: somebody's channel, as one of its audience.
    public func watch(_ user: String) throws(MoqomError) { try enter(Self.channel(of: user), as: .audience) }

    /// The room that is somebody's channel.
    public static func channel(of user: String) -> String { "channels/\(user)" }

    private func enter(_ path: String, as role: MoqomRole) throws(MoqomError) {
        guard state == .established else { throw closedOr(.notConnected) }
        guard room(path) == nil else { throw MoqomError(.alreadyJoined, "\(settings.user) is in \(path)") }
        move(to: .established, by: "join")
        // Who comes back at once: what is left of the room before must not take the new one along.
        for room in rooms where room.path == path { room.endGoodbye() }
        rooms.removeAll { $0.isGone }
        let entry = entries[path, default: 0] + 1
        entries[path] = entry
        let room = MoqomRoom(path, of: self, as: role, entry: entry)
        rooms.append(room)
        room.restore()
    }

    private func closedOr(_ reason: MoqomError.Reason) -> MoqomError {
        MoqomError(state == .closed ? .alreadyClosed : reason, "the session is \(state.rawValue)")
    }

    /// Leaves a room; the others stay.
    public func leave(_ path: String?) throws(MoqomError) {
        try joined(path).leave(.left)
    }

    /// The room of a name, or the only one.
    public func joined(_ path: String?) throws(MoqomError) -> MoqomRoom {
        guard state != .closed else { throw MoqomError(.alreadyClosed, "the session is closed") }
        guard let room = path.map(room) ?? rooms.last(where: { !$0.isLeaving }) else {
            throw MoqomError(.notInRoom, "\(settings.user) is not in \(path ?? "a room")")
        }
        return room
    }

    /// Whether a room was left so shortly ago that the others may not have heard of it.
    public func isLeaving(_ path: String) -> Bool { rooms.contains { $0.path == path && $0.isLeaving } }

    private func room(_ path: String) -> MoqomRoom? { rooms.first { $0.path == path && !$0.isLeaving } }

    /// The application leaves.
    public func close() {
        guard state != .closed else { return }
        for room in rooms { room.close(.left) }
        move(to: .closed, by: "close")
        letGo()
    }

    // MARK: The link

    /// Whether it dials for the sake of a fresh token.
    public var wantsFreshToken: Bool { isHandingOver }

    private func dial() {
        isDialling = true
        attemptUntil = port.now.advanced(by: state == .connecting ? Self.firstLimit : Self.attemptLimit)
        port.ask(.connect)
    }

    /// When the token lapses that was dialled with.
    public func dialled(tokenExpires: Instant?) {
        if isHandingOver { freshExpiry = tokenExpires } else { token.expires = tokenExpires }
    }
    private var freshExpiry: Instant?

    /// What it dialled is up and serves.
    public func linkUp() {
        isDialling = false
        switch state {
        case .connecting:
            isLinked = true
            move(to: .established, by: "connected")
        case .established:
            takeFreshToken()
            restore()
        case .reconnecting, .away:
            takeFreshToken()
            isLinked = true
            lostAt = nil
            pause = Self.firstPause
            move(to: .established, by: "link.back")
            restore()
            port.tell(name, "restored")
        case .idle, .closed: port.ask(.close)
        }
    }

    private func takeFreshToken() {
        guard isHandingOver else { return }
        isHandingOver = false
        token.renewed(expires: freshExpiry)
        move(to: state, by: "token.renewed")
    }

    private func restore() {
        for room in rooms {
            room.linkLost()
            room.restore()
        }
    }

    /// What it dialled did not come up.
    public func linkFailed(_ loss: Loss) {
        isDialling = false
        switch state {
        case .connecting:
            if loss == .unauthorized, token.hasLapsed {
                lapse()
            } else {
                end(.networkFailure, by: "refused")
            }
        case .established where isHandingOver:
            isHandingOver = false
            token.renewalFailed()
        case .reconnecting, .away:
            if isHandingOver {
                isHandingOver = false
                token.renewalFailed()
            } else if loss == .unauthorized {
                return lapse()
            }
            waitForNextAttempt()
        case .idle, .established, .closed: break
        }
    }

    /// The link that it uses is gone without having been asked to.
    public func linkLost(_ loss: Loss) {
        isLinked = false
        switch state {
        case .connecting: linkFailed(loss)
        case .established:
            if loss == .unauthorized { return lapse() }
            move(to: .reconnecting, by: "link.lost")
            lostAt = port.now
            for room in rooms { room.linkLost() }
            if !isHandingOver { waitForNextAttempt() }
        case .idle, .reconnecting, .away: break
        case .closed: goodbyeUntil = nil
        }
    }

    private func waitForNextAttempt() {
        nextAttempt = port.now.advanced(by: pause)
        pause = min(pause * 2, Self.longestPause)
    }

    // MARK: The end

    private func lapse() {
        token.lapse()
        end(.tokenExpired, by: "token.expired")
    }

    /// It is over for good: what is published ends first, and nothing is told after the reason.
    func end(_ terminal: MoqomTerminal, by input: String) {
        guard state != .closed, !isEnding else { return }
        isEnding = true
        if case .moderated = terminal {
            for room in rooms { room.close(.evicted) }
        } else {
            for room in rooms { room.close(.left) }
        }
        let code = terminal.code
        move(to: .closed, by: input, code.map { ["code": .word($0)] } ?? [:])
        self.terminal = terminal
        port.tell(name, "terminal", [.init("reason", terminal.reason)] + (code.map { [.init("code", $0)] } ?? []))
        letGo()
    }
    private var isEnding = false

    /// Lets go of the link, once the last words had time to reach the others.
    private func letGo() {
        isHandingOver = false
        nextAttempt = nil
        if isLinked, !rooms.isEmpty {
            goodbyeUntil = port.now.advanced(by: Self.goodbye)
        } else {
            isLinked = false
            port.ask(.close)
        }
    }

    // MARK: Time

    /// When something is due.
    public var deadline: Instant? {
        if state == .closed { return goodbyeUntil }
        var due: Instant?
        if state != .idle, state != .connecting { due = token.deadline }
        if state == .connecting || isHandingOver { due = Instant?.earlier(due, attemptUntil) }
        if state == .reconnecting || state == .away {
            due = Instant?.earlier(due, isDialling ? attemptUntil : nextAttempt)
            due = Instant?.earlier(due, lostAt.map { $0.advanced(by: settings.window) })
            if state == .reconnecting {
                due = Instant?.earlier(due, lostAt.map { $0.advanced(by: settings.awayAfter) })
            }
        }
        for room in rooms { due = Instant?.earlier(due, room.deadline) }
        return Instant?.earlier(due, statistics.due)
    }

    /// Does what is due.
    public func advance() {
        if state == .closed {
            if let until = goodbyeUntil, port.now >= until {
                goodbyeUntil = nil
                isLinked = false
                port.ask(.close)
            }
            return
        }
        advanceToken()
        advanceAttempts()
        for room in rooms where state != .closed { room.advance() }
        if state != .closed { rooms.removeAll { $0.isGone } }
        if state != .closed, statistics.isDue(at: port.now) { tellStatistics() }
    }

    private func advanceToken() {
        guard state != .idle, state != .connecting, state != .closed else { return }
        if token.hasLapsed { return lapse() }
        guard token.isDue(canRenew: service != .none) else { return }
        if service == .refuses { return token.renewalFailed() }
        isHandingOver = true
        dial()
    }

    private func advanceAttempts() {
        if isDialling, state == .connecting || state == .established, let attemptUntil, port.now >= attemptUntil {
            return linkFailed(.other)
        }
        guard state == .reconnecting || state == .away, let lostAt else { return }
        if port.now >= lostAt.advanced(by: settings.window) { return end(.networkFailure, by: "window.passed") }
        if state == .reconnecting, settings.awayAfter < settings.window,
            port.now >= lostAt.advanced(by: settings.awayAfter)
        {
            move(to: .away, by: "still.lost")
        }
        if isDialling, let attemptUntil, port.now >= attemptUntil { return dial() }
        if !isDialling, let nextAttempt, port.now >= nextAttempt {
            self.nextAttempt = nil
            dial()
        }
    }

    // MARK: What the link brings

    /// A broadcast under a room's prefix.
    public func announced(_ path: String) {
        for room in rooms where state != .closed { room.announced(path) }
    }

    /// It is gone.
    public func unannounced(_ path: String) {
        for room in rooms where state != .closed { room.unannounced(path) }
    }

    /// A frame of a subscription.
    public func frame(_ id: Int, _ payload: [UInt8]) {
        for payload in port.frames(id, payload) {
            for room in rooms where state != .closed { room.frame(id, payload) }
        }
    }

    /// The end of a subscription.
    public func subscriptionEnded(_ id: Int, _ end: UpstreamEnd) {
        guard let end = port.end(id, end) else { return }
        for room in rooms where state != .closed { room.subscriptionEnded(id, end) }
    }
}
