import MoqBase
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

/// A relay on one UDP socket: a QUIC endpoint, one session a connection, and the core that they share.
///
/// It looks only at connections to which something happened, so idle sessions cost nothing.
public final class EmbeddedRelay: DatagramMachine {
    /// The origin, for those who look inside: the HTTP service and the test harness.
    public let core: RelayCore
    /// The SHA-256 of the leaf certificate, in hexadecimal digits.
    public let fingerprint: String

    private let endpoint: QUICEndpoint
    // Only ever looked up, so that addresses decide nothing.
    private var sessions: [ObjectIdentifier: RelaySession] = [:]
    private var isShutDown = false
    /// How often a session was looked at because something had happened on its connection.
    private(set) var looks = 0

    /// A relay that draws all its chance from `random` and serves with the identity of `server`.
    public init(configuration: RelayConfiguration, server: QUICServerConfiguration, random: SeededRandom) {
        core = RelayCore(configuration: configuration)
        fingerprint = server.credentials.identity.fingerprint
        var limits = QUICEndpointLimits()
        limits.connections = configuration.limits.sessions
        endpoint = QUICEndpoint(random: random, server: server, limits: limits)
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
            looks += 1
            core.process(session, at: now)
            if session.isClosed { sessions[ObjectIdentifier(connection)] = nil }
        }
        return hasWorked
    }

    private func accept(_ connection: QUICConnection, at now: Instant) {
        let generation = core.configuration.generation
        guard !isShutDown else {
            let code = CodeTable.numberToSend(for: .goingAway, in: generation, on: .close)
            return connection.close(code: code, reason: "the relay is shutting down")
        }
        let lite = LiteSession(
            transport: NativeQUICSession(connection),
            configuration: LiteConfiguration(
                versions: core.configuration.versions, hopID: core.configuration.hopID, generation: generation))
        guard let session = core.add(lite, at: now) else { return }
        sessions[ObjectIdentifier(connection)] = session
        core.process(session, at: now)
    }

    // MARK: The owner's side

    /// One HTTP connection to the relay, accepted at `now`.
    public func makeHTTP(at now: Instant) -> RelayHTTP {
        RelayHTTP(core: core, fingerprint: fingerprint, at: now)
    }

    /// Closes every session with a session code, in order by default, and takes no more. What has to be said is given
    /// by `transmit`.
    public func shutdown(code: UInt64? = nil, reason: String, at now: Instant) {
        isShutDown = true
        let inOrder = CodeTable.numberToSend(for: .noError, in: core.configuration.generation, on: .close)
        core.shutdown(code: code ?? inOrder, reason: reason, at: now)
        work(at: now)
    }

    /// What is held at and below a path.
    public func snapshot(under path: BroadcastPath = .empty) -> RelaySnapshot {
        core.snapshot(under: path)
    }
}
