import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqMonitor
import MoqQUIC
import MoqScenario
import MoqTokens
import MoqTransport
import MoqWire

/// One connection of an actor to the relay: a socket of its own, its transport, the session engine and what it serves.
final class Line {
    let connection: Connection
    let session: LiteSession
    let feeds: SessionFeeds
    /// Holds everything that the relay sends against the rules of the version.
    let monitor: SessionMonitor
    /// How many of its breaches the case has been told of.
    private var breachesTold = 0
    private let observed: ObservedTransport
    private let path: String

    /// What a line is to be.
    struct Wish {
        /// Over what.
        var transport: TransportChoice
        /// The versions offered, the most wanted first.
        var versions: [Version]
        /// The request path, where it is not the target's.
        var path: String?
        /// The token that goes into the request path.
        var token = TokenWish.usual
        var hopID: UInt64
        var seed: UInt64
        var generation: CodeGeneration
        /// The code table of the relay, once it is known.
        var knownGeneration: CodeGeneration?
        /// The protocol names offered, where they are not those of the versions.
        var protocols: [String]?
        /// What it says of whom it dials.
        var guise = TargetAccess.Guise()
        /// Whether it is going to vanish.
        var vanishes = false
        /// Capabilities that the relay lacks (`TargetFindings.lacks`).
        var lacking: [String] = []
        /// What the relay is held to where the draft and running code differ.
        var profile = MonitorProfile.deployed
        /// Whether the monitor watches it.
        var isWatched = true
        /// What the monitor has in common with the other sessions of the case.
        var shared: CaseMonitor?
        /// What pulling over it costs, as it says in its SETUP (06).
        var cost: UInt64?
        /// What it means to do, as it says in its SETUP (05 and later).
        var role: SetupRole?
        /// Whether it keeps its connection alive by itself.
        var keepsAlive = true
    }

    /// How long a session may be silent: shorter for an actor that is going to vanish, so that the relay notices
    /// soon (QUIC and Qmux take the smaller of both ends' limits).
    static let idleTimeout = Duration.seconds(10)
    private static let idleTimeoutOfVanishing = Duration.seconds(2)

    init(_ wish: Wish, access: TargetAccess, driver: any Driver) throws(RunnerError) {
        var settings = QUICTransportSettings()
        settings.idleTimeout = wish.vanishes ? Self.idleTimeoutOfVanishing : Self.idleTimeout
        settings.keepAlive = wish.keepsAlive ? settings.idleTimeout / 4 : nil
        settings.handshakeTimeout = access.connectTimeout * access.patience
        connection = try access.connection(
            over: wish.transport, protocols: wish.protocols ?? Version.protocolNames(for: wish.versions),
            path: wish.path, token: wish.token, at: driver.now, settings: settings, seed: wish.seed,
            guise: wish.guise)
        do {
            try connection.attach(to: driver)
        } catch {
            throw .environment(error.description)
        }
        path = connection.route.requestPath
        var watch = MonitorConfiguration()
        watch.generation = wish.knownGeneration
        watch.lacking = wish.lacking
        watch.patience = access.patience
        watch.profile = wish.profile
        watch.secrets = RequestToken.token(of: path).map { [$0] } ?? []
        monitor = SessionMonitor(configuration: watch, shared: wish.shared)
        observed = ObservedTransport(connection.transport, monitor: monitor) { [connection] in
            TransportPromises(connection.terms)
        }
        session = LiteSession(
            transport: wish.isWatched ? observed : connection.transport,
            configuration: LiteConfiguration(
                versions: wish.versions, hopID: wish.hopID, requestPath: path, samplesProbe: false,
                setupRole: wish.role, linkCost: wish.cost, generation: wish.generation))
        feeds = SessionFeeds(outlet: session, generation: wish.generation)
    }

    /// Whether it has a socket.
    var isAttached: Bool { connection.isAttached }

    func process(at now: Instant) {
        connection.advance(to: now)
        observed.advance(to: now)
        session.process(at: now)
    }

    /// What the monitor found since it was asked last.
    func takeBreaches() -> [MonitorBreach] {
        guard monitor.breaches.count > breachesTold else { return [] }
        defer { breachesTold = monitor.breaches.count }
        return Array(monitor.breaches.dropFirst(breachesTold))
    }

    /// Nothing leaves and nothing arrives any more, from one moment to the next.
    func cut() { connection.cut() }

    /// Gives the socket back.
    func detach() { connection.detach() }

    /// What was agreed on, in the words of reports: `moq-lite-06 over websocket with TLS1.3`.
    var agreement: String {
        let facts = connection.terms
        let version = session.version?.description ?? "no version"
        let isPlainKind = facts.kind.usesDatagrams || !facts.isSecure
        return "\(version) over \(facts.kind)\(isPlainKind ? "" : " with \(facts.tlsVersion ?? "TLS")")"
    }
}

extension TransportPromises {
    init(_ facts: ConnectionFacts) {
        self.init()
        datagrams = facts.peerParameters?.maximumDatagramFrame
        bidirectionalStreams = facts.peerParameters?.maximumStreamsBidirectional
        unidirectionalStreams = facts.peerParameters?.maximumStreamsUnidirectional
        idleTimeout = facts.peerParameters?.idleTimeout
        settings = facts.peerSettings
    }
}

extension MonitorProfile {
    init(_ profile: RequirementProfile) {
        switch profile {
        case .draft: self = .draft
        case .deployed: self = .deployed
        }
    }
}
