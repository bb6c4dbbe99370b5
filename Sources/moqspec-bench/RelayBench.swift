import MoqBase
import MoqDrivers
import MoqQUIC
import MoqRelay
import MoqWire

/// The embedded relay alone in a process, until SIGTERM or SIGINT. Says `ready` with its address, as the scripts of
/// the original relay do, and `bye`.
struct RelayBench {
    private let port: UInt16

    /// How often the relay looks whether it is to end.
    private static let signalInterval = Duration.milliseconds(50)

    init(_ flags: Flags) throws(BenchError) {
        let number = try flags.number("port", default: 0)
        guard let port = UInt16(exactly: number) else { throw BenchError("--port \(number): 0 to 65535") }
        self.port = port
    }

    func run() throws(BenchError) {
        let signals = TerminationSignals()
        let driver = try SocketDriver.make()
        let identity = try BenchError.wrapping("the certificate") {
            try ServerIdentity.selfSigned(unixTime: Int(ProcessClock.secondsSince1970))
        }
        let credentials = try BenchError.wrapping("the certificate") {
            try QUICServerCredentials(identity: identity)
        }
        var configuration = RelayConfiguration(hopID: 1 + ProcessClock.freshSeed())
        configuration.publicPrefix = .empty
        configuration.defaultPath = "/"
        let relay = EmbeddedRelay(
            configuration: configuration,
            server: QUICServerConfiguration(
                protocols: Version.protocolNames(for: Version.byPreference), credentials: credentials),
            random: SeededRandom(seed: ProcessClock.freshSeed()))
        let port = port
        let address = try BenchError.wrapping("the relay's socket") {
            try driver.bind(relay, on: [NetworkAddress.loopback(port: 0).host], port: port) { [unowned driver] in
                relay.makeStream(from: $0, at: driver.now)
            }[0]
        }
        Report.say("ready", [("address", .text("\(address)")), ("fingerprint", .text(identity.fingerprint))])
        var lookedAt = driver.now
        while true {
            try driver.turn(within: Self.signalInterval)
            // Not every turn: a call into the system for each would be part of what is measured.
            guard lookedAt.duration(to: driver.now) >= Self.signalInterval else { continue }
            lookedAt = driver.now
            if signals.wait(for: .zero) != nil { break }
        }
        relay.shutdown(reason: "done", at: driver.now)
        try driver.turn(within: .milliseconds(1))
        Report.say("bye", [("cpu", .decimal(ProcessClock.processTime.inSeconds))])
    }
}
