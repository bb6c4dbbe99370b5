import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqQUIC
import MoqRelay
import MoqTransport
import MoqWire

/// From dialling to the first frame, in round trips: our client and the embedded relay in simulated time, 25 ms apart
/// each way. A publisher without any distance to the relay has the track already; the client knows its name and
/// subscribes at once. Nothing computes in simulated time, so what comes out is the waiting of the protocols alone.
struct RoundTripBench {
    /// One round trip.
    private static let roundTrip = Duration.milliseconds(50)
    /// What no transport needs.
    private static let patience = Duration.seconds(2)

    init(_ flags: Flags) {}

    /// How the relay is dialled.
    private enum Way: String, CaseIterable {
        case quic, webtransport, ws, wss, tcp, tls

        var kind: TransportKind {
            switch self {
            case .quic: .quic
            case .webtransport: .webtransport
            case .ws, .wss: .websocket
            case .tcp, .tls: .tcp
            }
        }

        var isSecure: Bool { self == .wss || self == .tls }
    }

    func run() throws(BenchError) {
        let identity = try BenchError.wrapping("the certificate") {
            try ServerIdentity.selfSigned(unixTime: Int(ProcessClock.secondsSince1970))
        }
        for way in Way.allCases {
            for version in Version.allCases.sorted() {
                try measure(way, [version], named: version.description, identity)
            }
            try measure(way, Version.byPreference, named: "all", identity)
        }
    }

    private func measure(
        _ way: Way, _ versions: [Version], named name: String, _ identity: ServerIdentity
    ) throws(BenchError) {
        let scene = try RoundTripScene(identity, versions)
        let (established, frame) = try scene.measure(
            kind: way.kind, isSecure: way.isSecure, versions, delay: Self.roundTrip / 2, patience: Self.patience)
        Report.say(
            "roundTrips",
            [
                ("transport", .text(way.rawValue)), ("version", .text(name)), ("agreed", .text(scene.agreed)),
                ("session", .decimal(established.inSeconds / Self.roundTrip.inSeconds)),
                ("firstFrame", .decimal(frame.inSeconds / Self.roundTrip.inSeconds)),
            ])
    }
}

/// A relay and a publisher without distance between them.
private final class RoundTripScene {
    private let driver = SimulatedDriver(seed: 1)
    private let relay: EmbeddedRelay
    private let address: NetworkAddress
    private let credentials: DialCredentials
    private let publisher: LiteSession
    private let publication: Publication
    private let publisherConnection: Connection
    /// The version that the client came to speak.
    private(set) var agreed = ""

    init(_ identity: ServerIdentity, _ versions: [Version]) throws(BenchError) {
        var configuration = RelayConfiguration(hopID: 1)
        configuration.publicPrefix = .empty
        configuration.defaultPath = "/"
        configuration.versions = versions
        let credentials = try BenchError.wrapping("the certificate") { try QUICServerCredentials(identity: identity) }
        let relay = EmbeddedRelay(
            configuration: configuration, server: QUICServerConfiguration(protocols: [], credentials: credentials),
            random: SeededRandom(seed: 2))
        self.relay = relay
        let driver = self.driver
        address = try BenchError.wrapping("the relay's address") {
            try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: 0) { [unowned driver] in
                relay.makeStream(from: $0, at: driver.now)
            }[0]
        }
        self.credentials = try BenchError.wrapping("trust") {
            try DialCredentials(trust: .pinned([identity.fingerprint]))
        }
        publisherConnection = try Self.connection(.quic, false, versions, address, self.credentials, seed: 3)
        publisher = LiteSession(
            transport: publisherConnection.transport,
            configuration: LiteConfiguration(versions: versions, hopID: 2, requestPath: "/"))
        publication = Publication(session: publisher)
    }

    private static func connection(
        _ kind: TransportKind, _ isSecure: Bool, _ versions: [Version], _ address: NetworkAddress,
        _ credentials: DialCredentials, seed: UInt64
    ) throws(BenchError) -> Connection {
        let route = Route(
            kind: kind, isSecure: isSecure, address: address, serverName: "localhost",
            authority: "localhost:\(address.port)", requestPath: "/", credentials: credentials)
        return try BenchError.wrapping("\(route.description)") {
            try Connection(
                DialPlan(
                    route: route, protocols: Version.protocolNames(for: versions), random: SeededRandom(seed: seed)))
        }
    }

    /// How long it took to the session and to the first frame.
    func measure(
        kind: TransportKind, isSecure: Bool, _ versions: [Version], delay: Duration, patience: Duration
    ) throws(BenchError) -> (session: Duration, frame: Duration) {
        let path = try BenchError.wrapping("a path") { try BroadcastPath("bench") }
        let store = publication.addTrack("bench", of: path)
        try BenchError.wrapping("a group") {
            let group = try store.openGroup(0, at: driver.now)
            store.append(Frame(timestamp: 0, payload: [1]), to: group, at: driver.now)
        }
        publication.announce(path)
        try BenchError.wrapping("the publisher") { try publisherConnection.attach(to: driver) }
        let settled = driver.now.advanced(by: .seconds(1))
        while driver.now < settled { try turn(until: settled) }

        let connection = try Self.connection(kind, isSecure, versions, address, credentials, seed: 4)
        let session = LiteSession(
            transport: connection.transport,
            configuration: LiteConfiguration(versions: versions, hopID: 3, requestPath: "/"))
        session.subscribe(broadcast: path, track: "bench")
        let start = driver.now
        try BenchError.wrapping("dialling") { try connection.attach(to: driver) }
        var link = LinkConditions()
        link.delay = delay
        connection.setLink(link)
        let limit = start.advanced(by: patience)
        var established: Instant?
        while driver.now < limit {
            try turn(until: limit)
            session.process(at: driver.now)
            while let event = session.poll() {
                switch event {
                case .established(let version):
                    established = driver.now
                    agreed = version.description
                case .frame: return (start.duration(to: established ?? driver.now), start.duration(to: driver.now))
                case .closed(let close): throw BenchError("\(kind): the session ended: \(close)")
                default: break
                }
            }
        }
        throw BenchError("\(kind): no frame within \(patience)")
    }

    private func turn(until limit: Instant) throws(BenchError) {
        try BenchError.wrapping("the driver") { try driver.turn(until: limit) }
        publisher.process(at: driver.now)
        while let event = publisher.poll() { _ = publication.handle(event, at: driver.now) }
        publication.pump(at: driver.now)
    }
}
