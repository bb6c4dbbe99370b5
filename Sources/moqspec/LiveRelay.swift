import Glibc
import MoqBase
import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqLite
import MoqLive
import MoqQUIC
import MoqReport
import MoqRunner
import MoqTransport

/// The relay of `moqspec publish` and `moqspec watch`: dialling it, the signals that end the command, and the screen.
final class LiveRelay {
    let driver: SocketDriver
    /// The signal that came, if any.
    private(set) var signal: Int32?
    private let arguments: LiveArguments
    private let signals: TerminationSignals

    /// How often signals are looked at, and so the longest that one waits.
    static let attention = Duration.milliseconds(50)
    /// How many addresses of a host are tried until one answers.
    private static let addresses = 4

    init(_ arguments: LiveArguments, _ signals: TerminationSignals) throws {
        self.arguments = arguments
        self.signals = signals
        driver = try SocketDriver()
    }

    /// Whether a signal has come. Looks at each call.
    var isInterrupted: Bool {
        if signal == nil { signal = signals.wait(for: .zero) }
        return signal != nil
    }

    /// Connects; nil when a signal came meanwhile.
    func connect() throws -> (session: LiveSession, events: [LiteEvent])? {
        let url = arguments.url
        let found = try NetworkAddress.resolve(host: url.host, port: url.port)
        var dial = LiveDial(url: url, addresses: Array(found.prefix(Self.addresses)), seed: ProcessClock.freshSeed())
        dial.kinds = arguments.kinds
        dial.versions = arguments.versions
        dial.token = arguments.token
        dial.trust =
            switch arguments.trust {
            case .systemRoots: .systemRoots
            case .roots(let files): .roots(files)
            case .fingerprints(let digits): .pinned(digits)
            case .insecure: .insecure
            }
        if let wait = arguments.connectTimeout { dial.connectTimeout = wait }
        dial.keyLog = try Environment.value("SSLKEYLOGFILE").map { path in try QUICKeyLog(path: path) }
        return try dial.connect(on: driver) { isInterrupted }
    }

    /// The version and the transport of a session, in words.
    static func words(of session: LiveSession) -> (version: String, transport: String) {
        (session.session.version?.description ?? "-", session.facts.transport)
    }

    /// Turns the crank until something happened, a deadline is there, or signals are to be looked at.
    func turn(until deadlines: [Instant?]) throws {
        var limit = driver.now.advanced(by: Self.attention)
        for deadline in deadlines { if let deadline { limit = min(limit, deadline) } }
        try driver.turn(until: max(limit, driver.now))
    }

    /// What is shown: without secrets, and without what would move a terminal's cursor.
    static func shown(_ lines: [String], isJSON: Bool) -> [String] {
        lines.map { line in
            let clean = Redaction.text(line)
            return isJSON ? clean : Printable.line(clean)
        }
    }
}
