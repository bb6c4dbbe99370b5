import MoqBase
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqTLS
import MoqTransport
import MoqWire

@testable import MoqRelay

/// A relay on one port of both kinds in simulated time, and clients that reach it over any transport.
final class TransportNetwork {
    let driver = SimulatedDriver(seed: 21)
    let relay: EmbeddedRelay
    let address: NetworkAddress
    private let identity: ServerIdentity
    private var random = SeededRandom(seed: 22)
    private(set) var clients: [Client] = []

    /// How a client reaches the relay.
    enum Way: CaseIterable {
        case quic, webTransport, webSocket, secureWebSocket, tcp, tls

        var kind: TransportKind {
            switch self {
            case .quic: .quic
            case .webTransport: .webtransport
            case .webSocket, .secureWebSocket: .websocket
            case .tcp, .tls: .tcp
            }
        }

        /// One for each kind.
        static let ofEachKind: [Way] = [.quic, .webTransport, .webSocket, .tcp]
    }

    /// One session and what it reported.
    final class Client {
        let lite: LiteSession
        let publication: Publication
        let stream: (any ByteStreamMachine)?
        var texts: [String] = []
        var announcements: [String] = []
        var subscriptionEnd: StreamEnd?
        var closed: SessionClose?

        init(lite: LiteSession, stream: (any ByteStreamMachine)?) {
            self.lite = lite
            self.stream = stream
            publication = Publication(session: lite)
        }

        func work(at now: Instant) {
            lite.process(at: now)
            while let event = lite.poll() {
                switch event {
                case .frame(_, _, let frame): texts.append(String(decoding: frame.payload, as: UTF8.self))
                case .announced(_, let announced, _): announcements.append("+\(announced.path)")
                case .unannounced(_, let path): announcements.append("-\(path)")
                case .subscriptionEnded(_, let end): subscriptionEnd = end
                case .closed(let close): closed = close
                default: break
                }
                _ = publication.handle(event, at: now)
            }
            publication.pump(at: now)
        }
    }

    init(
        idleTimeout: Duration? = nil, _ change: (inout RelayConfiguration) -> Void = { _ in }
    ) throws {
        var transport = QUICTransportSettings()
        if let idleTimeout { transport.idleTimeout = idleTimeout }
        identity = try .selfSigned(unixTime: 1_790_000_000)
        var configuration = RelayConfiguration(hopID: 9)
        change(&configuration)
        let relay = EmbeddedRelay(
            configuration: configuration,
            server: QUICServerConfiguration(
                protocols: [], credentials: try QUICServerCredentials(identity: identity), transport: transport),
            random: random.forked("relay"))
        self.relay = relay
        let driver = self.driver
        address = try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: 4443) {
            [unowned driver] in relay.makeStream(from: $0, at: driver.now)
        }[0]
    }

    /// A session on its way; with `bare` the names that it offers are given as they are.
    func connect(
        _ way: Way, _ version: Version = .lite05, path: String = "/anon", names: [String]? = nil
    ) throws -> Client {
        let names = names ?? [version.alpn]
        let chance = random.forked("client \(clients.count)")
        let (transport, stream) = try dial(way, names: names, path: path, chance: chance)
        let lite = LiteSession(
            transport: transport,
            configuration: LiteConfiguration(
                versions: [version], hopID: 100 + UInt64(clients.count), requestPath: path))
        let client = Client(lite: lite, stream: stream)
        clients.append(client)
        return client
    }

    private func dial(
        _ way: Way, names: [String], path: String, chance: SeededRandom
    ) throws -> (any TransportSession, (any ByteStreamMachine)?) {
        let authority = "localhost:\(address.port)"
        switch way {
        case .quic:
            return (NativeQUICSession(try connection(names, chance)), nil)
        case .webTransport:
            let connection = try connection(["h3"], chance)
            return (
                WebTransportSession(client: connection, authority: authority, path: path, protocols: names), nil
            )
        case .webSocket, .secureWebSocket:
            let session = QmuxWebSocketSession(
                client: address, authority: authority, path: path, protocols: names, settings: QmuxSettings(),
                random: chance)
            guard way == .secureWebSocket else { return (session, try connected(session)) }
            return (session, try connected(secure(session, ["http/1.1"])))
        case .tcp:
            let session = QmuxTCPSession(client: address, protocols: names, settings: QmuxSettings())
            return (session, try connected(session))
        case .tls:
            let session = QmuxTCPSession(role: .client, overTLSTo: address, settings: QmuxSettings())
            let offers = QmuxSubprotocol.offers(for: names, versions: [.draft02, .draft01]).map(\.name)
            let tls = try secure(session, offers)
            begins.append { [unowned tls] now in
                guard tls.isEstablished else { return false }
                session.begin(alpn: tls.negotiatedProtocol, at: now)
                return true
            }
            return (session, try connected(tls))
        }
    }

    private var lastEndpoint: QUICEndpoint?

    /// Sets the link of the client that was made last.
    func setLastLink(_ conditions: LinkConditions) {
        if let stream = clients.last?.stream {
            driver.setLink(conditions, of: stream)
        } else {
            cutLastEndpoint(conditions)
        }
    }

    /// Runs until something holds; gives the time that took, nil when a second does not bring it.
    func time(until condition: () -> Bool) throws -> Duration? {
        let start = driver.now
        let end = start.advanced(by: .seconds(1))
        while driver.now < end {
            begins.removeAll { $0(driver.now) }
            for client in clients { client.work(at: driver.now) }
            if condition() { return start.duration(to: driver.now) }
            try driver.turn(until: end)
        }
        return nil
    }

    /// Sets the link of the QUIC client that was made last.
    func cutLastEndpoint(_ conditions: LinkConditions) {
        if let lastEndpoint { driver.setLink(conditions, of: lastEndpoint) }
    }

    /// What has to be told to sessions once TLS is there.
    private var begins: [(Instant) -> Bool] = []

    private func connection(_ protocols: [String], _ chance: SeededRandom) throws -> QUICConnection {
        let endpoint = QUICEndpoint(random: chance)
        lastEndpoint = endpoint
        _ = try driver.bind(endpoint, to: .loopback(port: 0))
        return endpoint.connect(
            to: address,
            configuration: QUICClientConfiguration(
                serverName: "localhost", protocols: protocols,
                credentials: try QUICClientCredentials(trust: .pinned([identity.fingerprint]))))
    }

    private func secure(_ inner: any ByteStreamMachine, _ protocols: [String]) throws -> TLSStream {
        try TLSStream(
            client: inner, serverName: "localhost", protocols: protocols, trust: .pinned([identity.fingerprint]))
    }

    private func connected(_ machine: any ByteStreamMachine) throws -> any ByteStreamMachine {
        try driver.connect(machine, to: address)
        return machine
    }

    /// A client of the TCP port that says what it is told.
    func talk(_ pieces: [[UInt8]]) throws -> RawTalker {
        let talker = RawTalker(pieces)
        try driver.connect(talker, to: address)
        return talker
    }

    func run(_ seconds: Double) throws {
        let end = driver.now.advanced(by: .seconds(seconds))
        while driver.now < end {
            begins.removeAll { $0(driver.now) }
            for client in clients { client.work(at: driver.now) }
            try driver.turn(until: end)
        }
    }
}

/// Says pieces on a byte stream, one a second if it is slow, and writes down what comes back.
final class RawTalker: ByteStreamMachine {
    var outbox: [[UInt8]]
    var heard: [UInt8] = []
    var end: String?
    var isFinished = false
    /// Between two pieces; nil for no wait.
    var pause: Duration?
    private var next: Instant?

    init(_ outbox: [[UInt8]]) {
        self.outbox = outbox
    }

    var text: String { String(decoding: heard, as: UTF8.self) }

    func receive(_ bytes: [UInt8], at now: Instant) { heard += bytes }
    func receiveEnd(failure: String?, at now: Instant) { end = failure ?? "" }
    var deadline: Instant? { outbox.isEmpty || end != nil ? nil : next }
    func advance(to now: Instant) {
        if let due = next, due <= now { next = nil }
    }

    func transmit(at now: Instant) -> [UInt8]? {
        guard !outbox.isEmpty, next == nil, end == nil else { return nil }
        if let pause { next = now.advanced(by: pause) }
        return outbox.removeFirst()
    }
}
