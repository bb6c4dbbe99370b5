import MoqEvents
import MoqReport
import MoqRunner
import MoqTransport
import MoqWire

/// What `moqspec probe` was asked for.
public struct ProbeArguments: Sendable {
    /// The relay.
    public var url: RelayURL
    /// What is tried, each once.
    public var transports: [TransportKind]
    /// The versions that are asked for, the newest first.
    public var versions: [Version]
    /// How its certificate is judged.
    public var trust: TargetTrust
    /// The token that sessions bring; nil for what the URL has.
    public var token: String?
    /// How long one connection may take, where that is said.
    public var connectTimeout: Duration?
    /// How long the whole probe may take, where that is said.
    public var timeout: Duration?
    /// The report to write.
    public var report: ReportRequest?

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.operands.count < 2 else {
            throw UsageError("moqspec probe takes one URL, and `\(Redaction.text(arguments.operands[1]))` is a second")
        }
        guard let text = arguments.operands.first else {
            throw UsageError("the URL of a relay is missing, such as moqt://localhost:4443/anon")
        }
        do {
            url = try RelayURL(text)
        } catch .noScheme {
            throw UsageError("\(Redaction.text(text)) is no URL; write one such as moqt://localhost:4443/anon")
        } catch {
            throw UsageError("\(error)")
        }
        transports =
            switch try arguments.transports(of: "transport") {
            case .usual: TransportKind.allCases
            case .some(let kinds): kinds
            case .race: throw UsageError("--transport: a probe races nothing; list what it is to try, or `all`")
            }
        versions = try (arguments.versions(of: "moq-version") ?? Version.byPreference).sorted(by: >)
        trust = try RunArguments.trust(arguments)
        token = try TokenArguments(arguments).token
        connectTimeout = try arguments.duration(of: "connect-timeout")
        timeout = try arguments.duration(of: "timeout")
        report = nil
        if let text = arguments.value(of: "report") {
            let request: ReportRequest
            do {
                request = try ReportRequest(parsing: text)
            } catch {
                throw UsageError("\(error)")
            }
            guard request.kind == .json else {
                throw UsageError("--report \(text): a probe has one kind of report: json=PATH")
            }
            report = request
        }
    }
}
