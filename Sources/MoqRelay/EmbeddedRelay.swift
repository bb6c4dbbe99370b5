import MoqBase
import MoqLite
import MoqQUIC
import MoqTLS
import MoqTransport
import MoqWire

/// A relay on one UDP socket and one TCP port: QUIC with moq-lite itself or HTTP/3 on the one, and on the other
/// whatever `makeStream` finds there. All sessions share one core.
///
/// It looks only at sessions to which something happened, so idle ones cost nothing.
public final class EmbeddedRelay: DatagramMachine {
    /// The ALPN of HTTP/3, in which WebTransport is.
    static let http3Protocol = "h3"

    /// The origin, for those who look inside: the HTTP service and the test harness.
    public let core: RelayCore
    /// The SHA-256 of the leaf certificate, in hexadecimal digits.
    public let fingerprint: String

    let server: QUICServerConfiguration
    /// How Qmux behaves here: as QUIC does.
    let qmux: QmuxSettings
    /// The same identity for TLS over TCP; nil where OpenSSL does not take it.
    lazy var tlsCredentials = try? TLSServerCredentials(identity: server.credentials.identity)
    /// TCP connections, as far as the driver still has them.
    var streams: [WeakStream] = []
    private(set) var isShutDown = false
    /// Whether nobody looks after it between what it is given: it needs nobody, unless it has sessions of its own to others.
    public var isOnItsOwn = false
    private var isLeaving = false
    /// Whether no more sessions are taken.
    var isGoing: Bool { isShutDown || isLeaving }
    /// How often a session was looked at because something had happened on its connection.
    private(set) var looks = 0

    private let endpoint: QUICEndpoint
    // Only ever looked up, so that addresses decide nothing.
    private var sessions: [ObjectIdentifier: RelaySession] = [:]

    /// A relay that draws all its chance from `random` and serves with the identity, the settings and the key log of
    /// `server`; the protocols are those of `configuration`.
    public init(configuration: RelayConfiguration, server: QUICServerConfiguration, random: SeededRandom) {
        let configuration = configuration.broken
        core = RelayCore(configuration: configuration)
        fingerprint = server.credentials.identity.fingerprint
        var server = server
        server.protocols = configuration.quicProtocols
        server.earlyStreams[Self.http3Protocol] = WebTransportSession.controlStreamBeginning
        if case .settings(let change) = configuration.fault?.means { change(&server.transport) }
        self.server = server
        var qmux = QmuxSettings(like: server.transport)
        qmux.flaw = configuration.fault?.flaw
        self.qmux = qmux
        var limits = QUICEndpointLimits()
        limits.connections = configuration.limits.sessions
        endpoint = QUICEndpoint(
            random: random, server: server.protocols.isEmpty ? nil : server, limits: limits)
        endpoint.tellsNews = true
    }

    // MARK: The machine

    public func receive(_ batch: DatagramBatch, at now: Instant) {
        endpoint.receive(batch, at: now)
        work(at: now)
    }

    public func transmit(at now: Instant) -> DatagramBatch? {
        repeat {
            if let batch = endpoint.transmit(at: now) { return batch }
            // Sending may have made room for more.
        } while work(at: now)
        return nil
    }

    public var deadline: Instant? { .earlier(endpoint.deadline, core.deadline) }

    public func advance(to now: Instant) {
        endpoint.advance(to: now)
        work(at: now)
        core.advance(to: now)
    }

    /// Looks at what happened; false when nothing did.
    @discardableResult
    private func work(at now: Instant) -> Bool {
        var hasWorked = false
        while let connection = endpoint.pollAccepted() {
            hasWorked = true
            accept(connection, at: now)
        }
        while let connection = endpoint.pollNews() {
            guard let session = sessions[ObjectIdentifier(connection)] else { continue }
            hasWorked = true
            look(at: session, now)
            if session.isClosed { sessions[ObjectIdentifier(connection)] = nil }
        }
        return hasWorked
    }

    private func accept(_ connection: QUICConnection, at now: Instant) {
        let generation = core.configuration.generation
        guard !isGoing else {
            let code = CodeTable.numberToSend(for: .goingAway, in: generation, on: .close)
            return connection.close(code: code, reason: "the relay is shutting down")
        }
        let names = core.configuration.protocolNames
        let transport: any TransportSession =
            connection.negotiatedProtocol == Self.http3Protocol
            ? WebTransportSession(server: connection, protocols: names, flaw: qmux.flaw) : NativeQUICSession(connection)
        guard let session = add(transport, at: now) else { return }
        sessions[ObjectIdentifier(connection)] = session
        core.process(session, at: now)
    }

    /// Takes in a session of any binding. Nil when there are too many: it has been closed then.
    func add(_ transport: any TransportSession, at now: Instant) -> RelaySession? {
        let configuration = core.configuration
        var settings = LiteConfiguration(
            versions: configuration.versions, hopID: configuration.hopID, generation: configuration.generation)
        settings.doesAsDeployed = true
        settings.tellsFrameParts = configuration.fault?.takesFramesWhole != true
        guard let fault = configuration.fault else {
            return core.add(LiteSession(transport: transport, configuration: settings), at: now)
        }
        if case .session(let change) = fault.means { change(&settings) }
        let faulty = FaultyTransport(transport, fault, core.faultMemory)
        let lite = LiteSession(transport: faulty ?? transport, configuration: settings)
        faulty?.lite = lite
        return core.add(lite, at: now)
    }

    /// Looks at a session to which something happened.
    func look(at session: RelaySession, _ now: Instant) {
        looks += 1
        core.process(session, at: now)
    }

    // MARK: The owner's side

    /// Says GOAWAY to every session that can hear it, and takes no more. The sessions go on until `shutdown`, which may
    /// follow at once when there is nobody to wait for (nil), else at the instant that is returned or as soon as
    /// `isDeserted`.
    public func leave(at now: Instant) -> Instant? {
        guard !isGoing else { return nil }
        isLeaving = true
        let told = core.sendGoaway(at: now)
        work(at: now)
        return told == 0 ? nil : now.advanced(by: core.limits.goawayWait)
    }

    /// Whether nobody is here any more.
    public var isDeserted: Bool { core.sessionCount == 0 }

    /// Closes every session with a session code, in order by default, and takes no more. What has to be said is given
    /// by `transmit`.
    public func shutdown(code: UInt64? = nil, reason: String, at now: Instant) {
        isShutDown = true
        let inOrder = CodeTable.numberToSend(for: .noError, in: core.configuration.generation, on: .close)
        core.shutdown(code: code ?? inOrder, reason: reason, at: now)
        for stream in streams { stream.value?.shutdown(at: now) }
        work(at: now)
    }

    /// Lets a session work that the relay began itself (`RelayCore.join`) and that is carried by a connection of the
    /// owner's: to be called whenever something may have happened on it.
    public func process(joined session: RelaySession, at now: Instant) {
        look(at: session, now)
    }

    /// What is held at and below a path.
    public func snapshot(under path: BroadcastPath = .empty) -> RelaySnapshot {
        core.snapshot(under: path)
    }
}
