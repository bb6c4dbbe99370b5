import MoqBase
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

/// Where the relay under test is, and what is shown to it.
struct TargetAccess {
    /// Its UDP address.
    var address: NetworkAddress
    /// What its certificate must be for, and the name sent as SNI unless it is an address.
    var serverName: String
    /// The request path of sessions that name no other.
    var requestPath: String
    /// How its certificate is judged.
    var credentials: QUICClientCredentials
    /// Where TLS secrets go.
    var keyLog: QUICKeyLog?
    /// The deadline of a handshake.
    var connectTimeout: Duration
    /// Mixed into the connection ids of sessions. Over sockets it differs from run to run: a relay that still
    /// remembers a connection takes a new one with the same ids for the old one. In simulated time it is 0.
    var nonce: UInt64
}

/// One connection of an actor to the relay: a socket of its own, QUIC, the session engine and what it serves.
final class Line {
    let endpoint: QUICEndpoint
    let connection: QUICConnection
    let transport: NativeQUICSession
    let session: LiteSession
    let feeds: SessionFeeds
    /// Whether the endpoint has a socket.
    private(set) var isAttached = true

    /// How long a session may be silent: shorter for an actor that is going to vanish, so that the relay notices
    /// soon (QUIC takes the smaller of both ends' limits).
    private static let idleTimeout = Duration.seconds(10)
    private static let idleTimeoutOfVanishing = Duration.seconds(2)

    init(
        access: TargetAccess, driver: any Driver, versions: [Version], path: String?, hopID: UInt64, seed: UInt64,
        generation: CodeGeneration, vanishes: Bool
    ) throws(RunnerError) {
        var settings = QUICTransportSettings()
        settings.idleTimeout = vanishes ? Self.idleTimeoutOfVanishing : Self.idleTimeout
        settings.keepAlive = settings.idleTimeout / 4
        settings.handshakeTimeout = access.connectTimeout
        endpoint = QUICEndpoint(random: SeededRandom(seed: seed ^ access.nonce))
        connection = endpoint.connect(
            to: access.address,
            configuration: QUICClientConfiguration(
                serverName: access.serverName, protocols: Version.protocolNames(for: versions),
                credentials: access.credentials,
                transport: settings, keyLog: access.keyLog))
        do {
            _ = try driver.bind(endpoint, to: .any(like: access.address))
        } catch {
            throw .environment("a socket for a session could not be had: \(error)")
        }
        transport = NativeQUICSession(connection)
        session = LiteSession(
            transport: transport,
            configuration: LiteConfiguration(
                versions: versions, hopID: hopID, requestPath: path ?? access.requestPath, samplesProbe: false,
                generation: generation))
        feeds = SessionFeeds(outlet: session, generation: generation)
    }

    func process(at now: Instant) {
        session.process(at: now)
    }

    func linkStatistics(_ driver: any Driver) -> LinkStatistics {
        driver.linkStatistics(of: endpoint)
    }

    /// Nothing leaves and nothing arrives any more, from one moment to the next.
    func cut(_ driver: any Driver) {
        guard isAttached else { return }
        var conditions = LinkConditions.perfect
        conditions.isCut = true
        driver.setLink(conditions, of: endpoint)
        detach(driver)
    }

    /// Gives the socket back.
    func detach(_ driver: any Driver) {
        guard isAttached else { return }
        isAttached = false
        driver.unbind(endpoint)
    }
}

extension NetworkAddress {
    /// The address from which a peer at `remote` is reached: loopback where the peer is, else any.
    static func any(like remote: NetworkAddress) -> NetworkAddress {
        switch remote.host {
        case .v4: NetworkAddress(host: remote.isLoopback ? .v4(0x7F00_0001) : .v4(0), port: 0)
        case .v6: NetworkAddress(host: .v6(high: 0, low: remote.isLoopback ? 1 : 0), port: 0)
        }
    }
}
