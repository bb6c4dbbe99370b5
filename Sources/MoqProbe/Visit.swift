import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

/// One connection to the relay: it dials, hears what the relay says of itself, and closes in order.
struct Visit {
    /// What a visit is to do.
    struct Wish {
        var route: Route
        /// The versions offered, the most wanted first.
        var versions: [Version]
        /// Whether it asks how many broadcasts there are, and waits for SETUP.
        var asks = true
        /// Whether it subscribes to a broadcast that nobody announces.
        var subscribes = false
    }

    /// How it ended.
    enum Ending {
        case accepted(Version)
        /// The session was there, and was closed by something other than this side's farewell.
        case closed(Version, SessionClose)
        case refused(SessionClose)
        /// Nobody answered.
        case silent
        /// The network says that nobody listens.
        case closedPort
    }

    /// What came of it.
    struct Result {
        var ending: Ending
        var facts: ConnectionFacts
        var setup: Setup?
        var exchange: [ExchangeParameter]?
        var announcement: (hop: UInt64, count: UInt64)?
        var hasSubscribed = false
        /// Whether the peer said anything of moq-lite.
        var hasHeard = false
        /// The code with which the subscription was refused.
        var refusalCode: UInt64?
        var datagramSize: Int?
        var roundTrip: Duration?
    }

    /// How long a relay may take over an answer before it counts as none: what a session needs, and a slow path.
    private static let answerPatience = Duration.seconds(2)
    /// How long a session is watched whose version has no answer to wait for (03 and 04): a relay that denies it has
    /// said so by then. At least so much, and at least so many round trips.
    private static let quiet = Duration.milliseconds(100)
    private static let quietRoundTrips = 4
    /// How long it may go unnoticed that the probe is to stop.
    private static let attention = Duration.milliseconds(100)
    /// Silence after which the session is over, should this process vanish.
    private static let idleTimeout = Duration.seconds(10)
    /// What nobody announces.
    private static let unknownBroadcast = ".nobody-probe"

    let wish: Wish
    let driver: any Driver
    let connectTimeout: Duration
    /// When the whole probe is over.
    let limit: Instant
    let keyLog: QUICKeyLog?
    let random: SeededRandom
    let isCutShort: () -> Bool

    /// Makes the visit.
    func make() throws(ProbeError) -> Result {
        var random = random
        var settings = QUICTransportSettings()
        settings.idleTimeout = Self.idleTimeout
        settings.keepAlive = Self.idleTimeout / 4
        settings.handshakeTimeout = connectTimeout
        let connection: Connection
        do {
            connection = try Connection(
                DialPlan(
                    route: wish.route, protocols: Version.protocolNames(for: wish.versions), settings: settings,
                    keyLog: keyLog, random: random.forked("connection")))
            try connection.attach(to: driver)
        } catch {
            throw .environment(error.description)
        }
        let hopID = 1 + random.next() % ((1 << 52) - 1)
        let session = LiteSession(
            transport: connection.transport,
            configuration: LiteConfiguration(
                versions: wish.versions, hopID: hopID, requestPath: wish.route.requestPath, probeLevel: .none,
                samplesProbe: false))
        var result = Result(ending: .silent, facts: connection.facts)
        do throws(ProbeError) {
            result.ending = try watch(connection, session, &result)
        } catch {
            connection.detach()
            throw error
        }
        note(connection, &result)
        result.hasHeard = session.hasHeard
        session.close(code: CodeTable.numberToSend(for: .noError, in: .second, on: .close), reason: "")
        session.process(at: driver.now)
        connection.detach()
        return result
    }

    /// What is still to come.
    private struct Awaited {
        var setup = false
        var announcement: AnnounceRequestID?
        var subscription = false

        var isEmpty: Bool { !setup && announcement == nil && !subscription }
    }

    private func watch(
        _ connection: Connection, _ session: LiteSession, _ result: inout Result
    ) throws(ProbeError) -> Ending {
        var end = min(limit, driver.now.advanced(by: connectTimeout))
        var awaited = Awaited()
        var version: Version?
        // Until when the session is watched when nothing more is awaited.
        var settled = end
        while driver.now < end, !isCutShort() {
            do {
                let next = version != nil && awaited.isEmpty ? min(end, settled) : end
                try driver.turn(until: min(next, driver.now.advanced(by: Self.attention)))
            } catch {
                throw .environment("the sockets failed: \(error)")
            }
            connection.advance(to: driver.now)
            // What the connection knows of its peer goes with its close, which the session may hear of now.
            note(connection, &result)
            session.process(at: driver.now)
            while let event = session.poll() {
                switch event {
                case .established(let agreed):
                    version = agreed
                    note(connection, &result)
                    guard wish.asks else { return .accepted(agreed) }
                    awaited = ask(session, agreed, &result)
                    settled = driver.now.advanced(by: awaited.isEmpty ? quiet(result) : .zero)
                    end = min(limit, driver.now.advanced(by: Self.answerPatience))
                case .peerSetup(let setup):
                    result.setup = setup
                    awaited.setup = false
                case .announceAnswered(let id, let hop, let count):
                    result.announcement = (hop, count)
                    session.cancelAnnouncements(id)
                    awaited.announcement = nil
                case .announcementsEnded(let id, _) where id == awaited.announcement:
                    awaited.announcement = nil
                case .subscriptionEnded(_, let how):
                    if case .reset(.code(let number)) = how { result.refusalCode = number }
                    awaited.subscription = false
                case .announceRequested(let id, _, _):
                    session.answerAnnounce(id, active: [])
                case .closed(let told):
                    return ending(connection.explained(told), version)
                default:
                    break
                }
            }
            result.exchange = session.peerServerSetup?.parameters ?? result.exchange
            if let version, awaited.isEmpty, driver.now >= settled { return .accepted(version) }
            if version == nil, connection.isUnreachable { return .closedPort }
        }
        if let version { return .accepted(version) }
        return mute(connection.standing)
    }

    /// Asks for what the version can tell.
    private func ask(_ session: LiteSession, _ version: Version, _ result: inout Result) -> Awaited {
        var awaited = Awaited()
        awaited.setup = version.hasSetup && session.peerSetup == nil
        if version.tellsActiveCount { awaited.announcement = session.requestAnnouncements(prefix: .empty) }
        if wish.subscribes, let path = try? BroadcastPath(Self.unknownBroadcast) {
            _ = session.subscribe(broadcast: path, track: "probe")
            result.hasSubscribed = true
            awaited.subscription = true
        }
        return awaited
    }

    /// How long a session without anything to wait for is watched.
    private func quiet(_ result: Result) -> Duration {
        max(Self.quiet, min((result.roundTrip ?? .zero) * Self.quietRoundTrips, Self.answerPatience))
    }

    /// Nothing came about in time: was there somebody at all?
    private func mute(_ standing: String?) -> Ending {
        guard let standing, !standing.isEmpty else { return .silent }
        return .refused(
            SessionClose(
                initiator: .local, cause: .refused(.notSpoken("\(standing) within the time for connecting")), reason: ""
            ))
    }

    private func ending(_ close: SessionClose, _ version: Version?) -> Ending {
        if let version { return .closed(version, close) }
        switch close.cause {
        case .handshakeTimeout: return mute(close.reason)
        case .lost where Self.tellsClosedPort(close.reason): return .closedPort
        default: return .refused(close)
        }
    }

    /// Whether a byte stream's failure says that nobody listens, which it says in words only.
    static func tellsClosedPort(_ failure: String) -> Bool {
        let failure = failure.lowercased()
        return failure.contains("refused") || failure.contains("nobody listens")
    }

    /// Keeps what the connection knows: much of it is gone once it is closed.
    private func note(_ connection: Connection, _ result: inout Result) {
        let facts = connection.facts
        let before = result.facts
        result.facts = facts
        result.facts.negotiatedProtocol = facts.negotiatedProtocol ?? before.negotiatedProtocol
        result.facts.alpn = facts.alpn ?? before.alpn
        result.facts.tlsVersion = facts.tlsVersion ?? before.tlsVersion
        result.facts.cipher = facts.cipher ?? before.cipher
        result.facts.certificateFingerprint = facts.certificateFingerprint ?? before.certificateFingerprint
        result.facts.peerCertificate = facts.peerCertificate ?? before.peerCertificate
        result.facts.peerParameters = facts.peerParameters ?? before.peerParameters
        result.facts.peerSettings = facts.peerSettings ?? before.peerSettings
        result.facts.qmuxVersion = facts.qmuxVersion ?? before.qmuxVersion
        result.facts.qmuxParameters = facts.qmuxParameters ?? before.qmuxParameters
        result.datagramSize = connection.transport.maximumDatagramSize ?? result.datagramSize
        result.roundTrip = connection.transport.pathEstimate?.roundTrip ?? result.roundTrip
    }
}
