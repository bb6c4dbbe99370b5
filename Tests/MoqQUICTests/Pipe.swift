import MoqBase
import MoqQUIC

/// Two endpoints and the link between them, in virtual time.
final class Pipe {
    static let serverAddress = NetworkAddress.loopback(port: 4443)
    static let clientAddress = NetworkAddress.loopback(port: 50_000)

    private struct Flight {
        var due: Instant
        var order: UInt64
        var toServer: Bool
        var bytes: [UInt8]
    }

    let client: QUICEndpoint
    let server: QUICEndpoint
    var now = Instant.origin.advanced(by: .seconds(1))
    var delay = Duration.milliseconds(5)
    /// Probability that a datagram is lost.
    var loss = 0.0
    /// Nothing passes.
    var isCut = false
    /// One line a datagram: direction, size, fate.
    private(set) var trace: [String] = []
    private var flights: [Flight] = []
    private var sent: UInt64 = 0
    private var random: SeededRandom
    /// Called at every step, to let the applications act.
    var onStep: () -> Void = {}

    init(seed: UInt64 = 1, server: QUICServerConfiguration?, limits: QUICEndpointLimits = QUICEndpointLimits()) {
        let root = SeededRandom(seed: seed)
        client = QUICEndpoint(random: root.forked("client"))
        self.server = QUICEndpoint(random: root.forked("server"), server: server, limits: limits)
        random = root.forked("link")
    }

    /// Puts a datagram on the link.
    func send(_ bytes: [UInt8], toServer: Bool) {
        let isLost = isCut || random.chance(loss)
        trace.append("\(toServer ? ">" : "<") \(bytes.count)\(isLost ? " lost" : "")")
        if isLost { return }
        sent += 1
        flights.append(Flight(due: now.advanced(by: delay), order: sent, toServer: toServer, bytes: bytes))
    }

    private func collect() {
        for (endpoint, toServer) in [(client, true), (server, false)] {
            while let batch = endpoint.transmit(at: now) {
                for segment in batch.segments { send(Array(batch.bytes[segment]), toServer: toServer) }
            }
        }
    }

    /// Turns the crank until `condition` holds; false if it does not within `limit` of virtual time.
    @discardableResult
    func run(for limit: Duration = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        let end = now.advanced(by: limit)
        while true {
            onStep()
            if condition() { return true }
            collect()
            let deadline = Instant?.earlier(client.deadline, server.deadline)
            // Delay is the same for all: the flights are in the order in which they are due.
            guard let next = Instant?.earlier(deadline, flights.first?.due), next <= end else {
                now = end
                onStep()
                return condition()
            }
            now = max(now, next)
            var arrived = 0
            while arrived < flights.count, flights[arrived].due <= now {
                let flight = flights[arrived]
                let remote = flight.toServer ? Self.clientAddress : Self.serverAddress
                (flight.toServer ? server : client).receive(
                    DatagramBatch(remote: remote, datagram: flight.bytes), at: now)
                arrived += 1
            }
            flights.removeFirst(arrived)
            for endpoint in [client, server] where (endpoint.deadline ?? .distantFuture) <= now {
                endpoint.advance(to: now)
            }
        }
    }
}

/// One end of a connection, and all that it was told.
final class Peer {
    let connection: QUICConnection
    private(set) var events: [QUICEvent] = []
    private(set) var received: [QUICStreamID: [UInt8]] = [:]
    private(set) var finished: Set<QUICStreamID> = []
    private(set) var opened: [QUICStreamID] = []
    /// Streams that are left unread.
    var unread: Set<QUICStreamID> = []
    var readsEverything = true

    init(_ connection: QUICConnection) {
        self.connection = connection
    }

    func turn() {
        while let event = connection.poll() {
            events.append(event)
            switch event {
            case .streamOpened(let id): opened.append(id)
            case .readable(let id) where readsEverything && !unread.contains(id): drain(id)
            default: break
            }
        }
    }

    func drain(_ id: QUICStreamID) {
        while let read = connection.read(id, limit: 100_000) {
            received[id, default: []] += read.bytes
            if read.isFinished { finished.insert(id) }
        }
    }

    var close: QUICClose? {
        for case .closed(let close) in events { return close }
        return nil
    }

    func has(_ event: QUICEvent) -> Bool { events.contains(event) }
}

/// A pipe with one connection across it.
final class Link {
    let pipe: Pipe
    let client: Peer
    private(set) var server: Peer?

    static let identity = Result { () throws(QUICError) in
        try ServerIdentity.selfSigned(unixTime: 1_790_000_000)
    }

    init(
        seed: UInt64 = 1, trust: CertificateTrust = .insecure, offers: [String] = ["moq-lite-06"],
        accepts: [String] = ["moq-lite-06"], serverName: String = "localhost",
        clientSettings: QUICTransportSettings = QUICTransportSettings(),
        serverSettings: QUICTransportSettings = QUICTransportSettings()
    ) throws {
        let identity = try Self.identity.get()
        let configuration = QUICServerConfiguration(
            protocols: accepts, credentials: try QUICServerCredentials(identity: identity), transport: serverSettings)
        pipe = Pipe(seed: seed, server: configuration)
        let connection = pipe.client.connect(
            to: Pipe.serverAddress,
            configuration: QUICClientConfiguration(
                serverName: serverName, protocols: offers, credentials: try QUICClientCredentials(trust: trust),
                transport: clientSettings))
        client = Peer(connection)
        pipe.onStep = { [unowned self] in
            if server == nil, let accepted = pipe.server.pollAccepted() { server = Peer(accepted) }
            client.turn()
            server?.turn()
        }
    }

    /// Runs the handshake; nil if it fails.
    func establish() -> Peer? {
        pipe.run(for: .seconds(20)) { client.has(.established) && server?.has(.established) == true }
        return client.has(.established) ? server : nil
    }
}

/// Bytes that differ along the way, so that a shift shows.
func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
    (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
}
