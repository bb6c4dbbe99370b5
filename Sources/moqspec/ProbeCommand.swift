import MoqBase
import MoqCommandLine
import MoqDial
import MoqDrivers
import MoqEvents
import MoqProbe
import MoqQUIC
import MoqTokens
import MoqTransport

/// `moqspec probe`: asks a relay what it is, and shows it.
struct ProbeCommand {
    /// How many addresses of a host are tried until one answers.
    private static let addresses = 4

    private let arguments: ProbeArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ProbeArguments(arguments)
        try TrustFiles.check(self.arguments.trust)
    }

    /// Probes; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let interruption = Interruption()
        let started = ProcessClock.iso8601
        let errors = output.errors
        var file: OutputFile?
        if let report = arguments.report {
            file = try output.file(report.path, flag: "--report json")
        }
        let findings: ProbeFindings
        do {
            findings = try probe(interruption)
        } catch {
            errors.line("moqspec probe: \(error)")
            return ExitStatus.Reason.environment("").code
        }
        // Standard output belongs to a report that wants it.
        let screen = output.screen(isTaken: arguments.report.map { $0.path == nil } ?? false)
        if findings.hasAnswer {
            let table = ProbeTable(findings, token: token, unixTime: Int(ProcessClock.secondsSince1970))
            screen.line(table.lines.joined(separator: "\n"))
        }
        file?.write(
            ProbeDocument(findings, token: token, moqspecVersion: Moqspec.version, started: started).bytes())
        let advice = findings.advice(token: token)
        if let advice { errors.line("moqspec probe: \(advice)") }
        if let signal = interruption.signal { return 128 + signal }
        return advice == nil ? 0 : ExitStatus.Reason.environment("").code
    }

    /// The token that sessions bring, wherever it was given.
    private var token: String? { arguments.token ?? RequestToken.token(of: arguments.url.requestPath) }

    /// Probes the addresses of the host until one answers.
    private func probe(_ interruption: Interruption) throws -> ProbeFindings {
        let url = arguments.url
        let addresses = try NetworkAddress.resolve(host: url.host, port: url.port)
        var last: ProbeFindings?
        for address in addresses.prefix(Self.addresses) where interruption.signal == nil {
            let driver = try SocketDriver()
            let findings = try RelayProbe(request(at: address), on: driver) { interruption.isThere }.run()
            if findings.hasAnswer { return findings }
            last = last ?? findings
        }
        guard let last else { throw DialError.unusable("\(url.host) has no address") }
        return last
    }

    private func request(at address: NetworkAddress) throws -> ProbeRequest {
        let trust: CertificateTrust =
            switch arguments.trust {
            case .systemRoots: .systemRoots
            case .roots(let files): .roots(files)
            case .fingerprints(let digits): .pinned(digits)
            case .insecure: .insecure
            }
        var request = ProbeRequest(
            url: arguments.url, address: address, credentials: try DialCredentials(trust: trust),
            seed: ProcessClock.freshSeed())
        request.ways = ProbeWay.all.filter { arguments.transports.contains($0.kind) }
        request.versions = arguments.versions
        request.token = arguments.token
        // A machine without authorities of its own has nothing to judge by.
        request.verifier = try? DialCredentials(trust: .systemRoots)
        request.trustsToldFingerprint = arguments.url.scheme == .http && trust == .systemRoots
        if let wait = arguments.connectTimeout { request.connectTimeout = wait }
        if let wait = arguments.timeout { request.timeout = wait }
        request.keyLog = try Environment.value("SSLKEYLOGFILE").map { path in try QUICKeyLog(path: path) }
        return request
    }
}

/// The signal that ends a command early, once it has come.
private final class Interruption {
    private let signals = TerminationSignals()
    private(set) var signal: Int32?

    /// Whether it has come. Looks at each call.
    var isThere: Bool {
        if signal == nil { signal = signals.wait(for: .zero) }
        return signal != nil
    }
}
