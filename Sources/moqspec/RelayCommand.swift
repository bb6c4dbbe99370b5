import Glibc
import MoqBase
import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqJSON
import MoqQUIC
import MoqRelay
import MoqTransport
import MoqWire

/// `moqspec relay`: runs the embedded relay by itself until a signal ends it.
struct RelayCommand {
    /// How often signals are looked at, and so the longest that one waits.
    private static let signalInterval = Duration.milliseconds(50)
    /// How long closes may take to leave at the end: they fit into one packet a session.
    private static let farewell = Duration.milliseconds(100)

    private let arguments: RelayArguments
    /// What `--tls-cert` and `--tls-key` hold.
    private let identity: ServerIdentity?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try RelayArguments(arguments)
        let longest = RelayLimits().longestLinger
        guard self.arguments.linger <= longest else {
            throw UsageError("--linger: it is at most \(longest.secondsText(decimals: 0)) s")
        }
        identity = try self.arguments.identity.map { files throws(UsageError) in try Self.read(files) }
    }

    /// The certificate and key in files. What cannot be used is a mistake of the command line, and nothing is served.
    private static func read(_ files: RelayArguments.Identity) throws(UsageError) -> ServerIdentity {
        try InputFile.check(files.certificate, flag: "tls-cert", mustBeRegular: true)
        try InputFile.check(files.key, flag: "tls-key", mustBeRegular: true)
        do {
            let identity = try ServerIdentity.load(certificateFile: files.certificate, keyFile: files.key)
            // Whether the two belong together shows when TLS takes them.
            _ = try QUICServerCredentials(identity: identity)
            return identity
        } catch {
            throw UsageError("--tls-cert \(files.certificate) --tls-key \(files.key): \(error)")
        }
    }

    /// Serves until a signal; gives the exit status.
    func execute(_ output: CommandOutput) -> Int32 {
        let signals = TerminationSignals()
        do {
            try serve(signals, output.standard)
            return 0
        } catch {
            output.errors.line("moqspec relay: \(error)")
            return ExitStatus.Reason.environment("").code
        }
    }

    private func serve(_ signals: TerminationSignals, _ screen: OutputFile) throws {
        let identity = try makeIdentity()
        let driver = try SocketDriver()
        let relay = EmbeddedRelay(
            configuration: configuration(on: driver),
            server: QUICServerConfiguration(
                protocols: Version.protocolNames(for: arguments.versions),
                credentials: try QUICServerCredentials(identity: identity),
                keyLog: try Environment.value("SSLKEYLOGFILE").map { path in try QUICKeyLog(path: path) }),
            random: SeededRandom(seed: ProcessClock.freshSeed()))
        let hosts = try arguments.hosts.flatMap { host in
            try NetworkAddress.resolve(host: host, port: arguments.url.port).map(\.host)
        }
        let addresses = try driver.bind(relay, on: hosts, port: arguments.url.port) {
            [unowned driver] remote in relay.makeStream(from: remote, at: driver.now)
        }
        announce(addresses, identity.fingerprint, on: screen)
        try turn(driver, until: signals, screen)
        try seeOff(relay, driver, signals)
        relay.shutdown(reason: "the relay is stopped", at: driver.now)
        let end = driver.now.advanced(by: Self.farewell)
        while driver.now < end { try driver.turn(until: end) }
    }

    /// Sends sessions away, and waits for them until a second signal says that it has to be now.
    private func seeOff(_ relay: EmbeddedRelay, _ driver: SocketDriver, _ signals: TerminationSignals) throws {
        guard let end = relay.leave(at: driver.now) else { return }
        while driver.now < end, !relay.isDeserted, signals.wait(for: .zero) == nil {
            try driver.turn(until: min(end, driver.now.advanced(by: Self.signalInterval)))
        }
    }

    /// Turns the crank until a signal arrives.
    private func turn(_ driver: SocketDriver, until signals: TerminationSignals, _ screen: OutputFile) throws {
        var nextLook = driver.now
        while true {
            try driver.turn(until: nextLook)
            // Under load there are many turns between two looks.
            guard driver.now >= nextLook else { continue }
            if let signal = signals.wait(for: .zero) {
                say(
                    "stopped by \(signal == SIGINT ? "SIGINT" : "SIGTERM")",
                    [("event", "stopped"), ("signal", signal == SIGINT ? "SIGINT" : "SIGTERM")], on: screen)
                return
            }
            nextLook = driver.now.advanced(by: Self.signalInterval)
        }
    }

    private func makeIdentity() throws -> ServerIdentity {
        if let identity { return identity }
        var names = ["localhost", "127.0.0.1", "::1"]
        if !names.contains(arguments.url.host) { names.append(arguments.url.host) }
        return try ServerIdentity.selfSigned(unixTime: Int(ProcessClock.secondsSince1970), names: names)
    }

    private func configuration(on driver: SocketDriver) -> RelayConfiguration {
        var configuration = RelayConfiguration(hopID: ProcessClock.freshSeed())
        configuration.generation = arguments.generation
        configuration.versions = arguments.versions
        configuration.transports = Set(arguments.transports)
        configuration.publicPrefix = arguments.publicPrefix
        configuration.tokenKey = arguments.tokenKey
        configuration.epoch = ProcessClock.since1970 - Instant.origin.duration(to: driver.now)
        configuration.defaultPath = arguments.url.path
        configuration.linger = arguments.linger
        configuration.fault = arguments.fault
        return configuration
    }

    private func announce(_ addresses: [NetworkAddress], _ fingerprint: String, on screen: OutputFile) {
        if let open = addresses.first(where: { !$0.isLoopback }) {
            OutputFile.standardError().line(
                "moqspec relay: warning: whoever can reach \(open) can use this relay; without --bind it keeps to loopback"
            )
        }
        var url = arguments.url
        url.port = addresses.first?.port ?? url.port
        let served = RelayArguments.servedURLs(url: url, transports: arguments.transports).map(\.description)
        let fault = arguments.fault.map { ["wrong on purpose: \($0.name): \($0.about)"] } ?? []
        say(
            ([RelayArguments.readyLine(url: url, fingerprint: fingerprint)] + served.map { "serves \($0)" } + fault)
                .joined(separator: "\n"),
            [
                ("event", "ready"), ("url", url.description), ("serves", served.joined(separator: " ")),
                ("addresses", addresses.map(\.description).joined(separator: " ")), ("sha256", fingerprint),
            ] + (arguments.fault.map { [("fault", $0.name)] } ?? []), on: screen)
    }

    /// Says one thing, at once: to people, or to programs.
    private func say(_ text: String, _ members: [(String, String)], on screen: OutputFile) {
        guard arguments.isJSON else {
            screen.line(text)
            return
        }
        var writer = JSONWriter()
        writer.object { writer in for member in members { writer.member(member.0, member.1) } }
        screen.write(writer.bytes + [UInt8(ascii: "\n")])
    }
}
