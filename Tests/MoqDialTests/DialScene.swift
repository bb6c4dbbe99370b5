import MoqBase
import MoqDrivers
import MoqQUIC
import MoqTLS
import MoqTransport
import Testing

@testable import MoqDial

/// A simulated network with servers on one port, and what a client on it hears.
final class DialScene {
    let driver = SimulatedDriver(seed: 11)
    let identity: ServerIdentity
    let address = NetworkAddress.loopback(port: 4443)
    private var endpoint: QUICEndpoint?
    private var waiting: [QUICConnection] = []
    private var serving: [any TransportSession] = []
    private(set) var streams: [any ByteStreamMachine] = []
    /// What the client heard.
    var events: [TransportEvent] = []

    static let protocols = ["moq-lite-06", "moq-lite-05"]

    init() throws {
        identity = try ServerIdentity.selfSigned(unixTime: 1_767_225_600)
    }

    var credentials: DialCredentials {
        get throws { try DialCredentials(trust: .pinned([identity.fingerprint])) }
    }

    func plan(
        _ kind: TransportKind, isSecure: Bool = false, protocols: [String] = DialScene.protocols,
        credentials: DialCredentials? = nil
    ) throws -> DialPlan {
        var settings = QUICTransportSettings()
        settings.handshakeTimeout = .seconds(3)
        let route = Route(
            kind: kind, isSecure: isSecure, address: address, serverName: "localhost", authority: "localhost:4443",
            requestPath: "/anon?jwt=x", credentials: try credentials ?? self.credentials)
        return DialPlan(route: route, protocols: protocols, settings: settings, random: SeededRandom(seed: 5))
    }

    // MARK: Servers

    /// QUIC, and WebTransport for those who ask for HTTP/3.
    func serveDatagrams(protocols: [String] = ["h3"] + DialScene.protocols) throws {
        let endpoint = QUICEndpoint(
            random: SeededRandom(seed: 3),
            server: QUICServerConfiguration(
                protocols: protocols, credentials: try QUICServerCredentials(identity: identity)))
        _ = try driver.bind(endpoint, to: address)
        self.endpoint = endpoint
    }

    /// Byte streams, each with a machine of its own.
    func serveStreams(_ make: @escaping (NetworkAddress) -> (any ByteStreamMachine)?) throws {
        _ = try driver.listen(on: address) { [unowned self] remote in
            guard let machine = make(remote) else { return nil }
            streams.append(machine)
            return machine
        }
    }

    /// TLS around what `make` gives.
    func protected(
        _ protocols: [String], _ make: @escaping (String?, Instant) -> (any ByteStreamMachine)?
    ) -> (any ByteStreamMachine)? {
        guard let credentials = try? TLSServerCredentials(identity: identity) else { return nil }
        return try? TLSStream(server: credentials, protocols: protocols, makeInner: make)
    }

    // MARK: The crank

    /// Dials, and turns until the client is established or closed, or virtual time is up.
    func dial(_ connection: Connection, for time: Duration = .seconds(10)) throws {
        try connection.attach(to: driver)
        try turn(connection, for: time) { scene in scene.outcome != nil }
    }

    func turn(_ connection: Connection, for time: Duration, until isDone: (DialScene) -> Bool) throws {
        let end = driver.now.advanced(by: time)
        for _ in 0..<5000 where driver.now < end && !isDone(self) {
            try driver.turn(until: end)
            serve()
            connection.advance(to: driver.now)
            while let event = connection.transport.poll() { events.append(event) }
        }
    }

    private func serve() {
        while let connection = endpoint?.pollAccepted() { waiting.append(connection) }
        for connection in waiting {
            guard let name = connection.negotiatedProtocol else { continue }
            waiting.removeAll { $0 === connection }
            serving.append(
                name == "h3"
                    ? WebTransportSession(server: connection, protocols: Self.protocols)
                    : NativeQUICSession(connection))
        }
        for session in serving { while session.poll() != nil {} }
    }

    /// How the dialling ended: the close, or nil within for a session.
    var outcome: SessionClose?? {
        for event in events {
            switch event {
            case .established: return .some(nil)
            case .closed(let close): return .some(close)
            default: continue
            }
        }
        return nil
    }

    var isEstablished: Bool { outcome.map { $0 == nil } ?? false }
    var close: SessionClose? { outcome ?? nil }
}

/// A server that says something as soon as it is asked anything, and ends.
final class Parrot: ByteStreamMachine {
    private let words: [UInt8]
    private var hasHeard = false
    private var hasSpoken = false
    private let ends: Bool

    init(_ words: String, ends: Bool = true) {
        self.words = Array(words.utf8)
        self.ends = ends
    }

    func receive(_ bytes: [UInt8], at now: Instant) { hasHeard = true }
    func receiveEnd(failure: String?, at now: Instant) { hasSpoken = true }
    func transmit(at now: Instant) -> [UInt8]? {
        guard hasHeard, !hasSpoken else { return nil }
        hasSpoken = true
        return words
    }
    var isFinished: Bool { hasSpoken && ends }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}

/// The accepting end of a WebSocket: reads the request, then is the session.
final class WebSocketDoor: ByteStreamMachine {
    private var parser = HTTPRequestParser()
    private var session: QmuxWebSocketSession?
    private let remote: NetworkAddress
    private let protocols: [String]

    init(_ remote: NetworkAddress, protocols: [String]) {
        self.remote = remote
        self.protocols = protocols
    }

    func receive(_ bytes: [UInt8], at now: Instant) {
        if let session { return session.receive(bytes, at: now) }
        guard case .request(let request) = parser.take(bytes) else { return }
        session = QmuxWebSocketSession(
            server: request, rest: parser.rest, remote: remote, protocols: protocols, settings: QmuxSettings())
    }

    func receiveEnd(failure: String?, at now: Instant) { session?.receiveEnd(failure: failure, at: now) }
    func transmit(at now: Instant) -> [UInt8]? { session?.transmit(at: now) }
    var isFinished: Bool { session?.isFinished ?? false }
    var deadline: Instant? { session?.deadline }
    func advance(to now: Instant) { session?.advance(to: now) }
}
