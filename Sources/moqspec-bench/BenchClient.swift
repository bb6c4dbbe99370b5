import MoqBase
import MoqDial
import MoqDrivers
import MoqLite
import MoqTransport
import MoqWire

/// One session as the harness makes its own: a socket, the transport of the URL and the session engine.
final class BenchClient {
    let session: LiteSession
    private let connection: Connection

    /// Where the relay is.
    struct Target {
        let url: RelayURL
        let route: Route
        let version: Version

        init(_ flags: Flags) throws(BenchError) {
            let text = try flags.text("url")
            let name = try flags.text("version", default: Version.byPreference[0].description)
            let url = try BenchError.wrapping("--url \(text)") { try RelayURL(text) }
            let addresses = try BenchError.wrapping("\(url)") {
                try NetworkAddress.resolve(host: url.host, port: url.port)
            }
            guard let address = addresses.first else { throw BenchError("\(url.host) has no address") }
            // A benchmark measures; who answers is the concern of whoever started the relay.
            let credentials = try BenchError.wrapping("trust") { try DialCredentials(trust: .insecure) }
            guard let version = Version(name: name) else { throw BenchError("--version \(name): there is none") }
            self.url = url
            route = Route(url, address: address, credentials: credentials)
            self.version = version
        }
    }

    init(_ target: Target, driver: SocketDriver, number: Int) throws(BenchError) {
        let seed = UInt64(number) &+ ProcessClock.freshSeed()
        let plan = DialPlan(
            route: target.route, protocols: [target.version.alpn], random: SeededRandom(seed: seed))
        let connection = try BenchError.wrapping("\(target.url)") { try Connection(plan) }
        self.connection = connection
        session = LiteSession(
            transport: connection.transport,
            configuration: LiteConfiguration(
                versions: [target.version], hopID: 1 + seed % (1 << 50), requestPath: target.url.requestPath,
                samplesProbe: false))
        try BenchError.wrapping("a socket") { try connection.attach(to: driver) }
    }

    /// Takes what the network brought; gives each event to `handle`, and throws when the session is over.
    func process(at now: Instant, _ handle: (LiteEvent) -> Void) throws(BenchError) {
        connection.advance(to: now)
        session.process(at: now)
        while let event = session.poll() { handle(event) }
        if let close = session.closeReason { throw BenchError("the session ended: \(connection.explained(close))") }
    }
}

extension SocketDriver {
    /// A turn of the crank that lasts at most so long.
    func turn(within limit: Duration) throws(BenchError) {
        try BenchError.wrapping("the driver") { try turn(until: now.advanced(by: limit)) }
    }

    /// A driver for a benchmark.
    static func make() throws(BenchError) -> SocketDriver {
        try BenchError.wrapping("the driver") { try SocketDriver() }
    }
}

/// The path of the broadcast under measurement.
func broadcastPath(_ flags: Flags) throws(BenchError) -> BroadcastPath {
    let name = try flags.text("broadcast", default: "bench")
    return try BenchError.wrapping("--broadcast \(name)") { try BroadcastPath(name) }
}

/// How old groups may become: nothing in a benchmark is dropped for its age. Milliseconds.
let benchmarkAge: UInt64 = 30_000
/// How long anything is waited for before a benchmark gives up.
let benchmarkPatience = Duration.seconds(20)
