import MoqBase
import MoqEvents
import MoqKit
import MoqRelay
import MoqReport
import MoqRunner
import MoqScenario
import MoqTransport
import MoqWire

/// What `moqspec run` was asked for.
public struct RunArguments: Sendable {
    /// Enough for two cores: most cases wait for the relay most of the time.
    public static let usualJobs = 4
    /// On the embedded relay every worker has one of its own, and cases that wait are in nobody's way.
    public static let usualJobsOnEmbedded = 96
    /// More threads than this only cost memory.
    static let mostJobs: UInt64 = 256
    /// More rounds than any run sees the end of.
    static let mostRounds: UInt64 = 1_000_000
    /// Beyond it a deadline of a few seconds is none any more.
    static let mostPatience: UInt64 = 100
    /// The path that relays of the original stack leave open to anyone.
    static let usualRelayPath = "/anon"
    static let usualRelayOutput = "reports/relay.log"

    /// Scenario files and folders; empty for the usual folder.
    public var paths: [String]
    /// Registries besides those that stand beside the scenarios.
    public var registries: [String]
    /// Which cases of them.
    public var selection: CaseSelection
    /// The relay under test.
    public var target: TargetChoice
    /// URLs of the same relay for further transports.
    public var furtherURLs: [RelayURL]
    /// Whether transports are compared.
    public var comparesTransports: Bool
    /// Whether nothing is to be run, only said what would be.
    public var explains: Bool
    /// What it is held to where the draft and running code differ.
    public var profile: RequirementProfile
    /// The file with the list of known failures, if there is one.
    public var known: String?
    /// The release of the relay, where it was said.
    public var release: String?
    /// How its certificate is judged.
    public var trust: TargetTrust
    /// The commands of outside programs.
    public var programs: [ProgramCommand]
    /// The reports to write.
    public var reports: [ReportRequest]
    /// The seed, when one is given.
    public var seed: UInt64?
    /// How much is said on the console.
    public var verbosity: ConsoleReport.Verbosity
    /// Whether colours were declined.
    public var noColor: Bool
    private var settings: Settings
    private let tokens: TokenArguments
    private let given: ParsedArguments

    private struct Settings: Sendable {
        var isSimulated: Bool
        var jobs: UInt64?
        var deadline: Duration?
        var caseDeadline: Duration?
        var connectTimeout: Duration?
        var patience: UInt64?
        var generation: CodeGeneration?
        var capabilitiesAdded: [String]
        var capabilitiesRemoved: [String]
        var isStrict: Bool
        var protectsStreams: Bool
        var rounds: UInt64?
        var stopsAtFailure: Bool
        var fault: RelayFault?
        var kitFault: KitFault?
    }

    /// Understands the flags, and refuses those that do not go together.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        given = arguments
        paths = arguments.operands
        registries = arguments.values(of: "registry")
        selection = try CaseSelection(arguments)
        (target, furtherURLs) = try Self.target(arguments)
        comparesTransports = arguments.has("compare-transports")
        explains = arguments.has("explain")
        if target != .embedded { selection.versionsOnAllTransports = [] }
        if case .url(let url) = target {
            selection.usualTransports = ([url] + furtherURLs).map(\.scheme.kind)
            selection.racedTransports = url.scheme.raced
        }
        if comparesTransports, selection.transports == .usual { selection.transports = .some(TransportKind.allCases) }
        trust = try Self.trust(arguments)
        programs = try ProgramArguments.commands(arguments)
        profile = try arguments.profile()
        known = arguments.value(of: "known")
        release = arguments.value(of: "relay-release")
        do {
            reports = try ReportRequest.list(parsing: arguments.values(of: "report"))
        } catch {
            throw UsageError("\(error)")
        }
        seed = try arguments.number(of: "seed", in: 0...UInt64.max)
        verbosity = arguments.has("verbose") ? .verbose : arguments.has("quiet") ? .quiet : .normal
        noColor = arguments.has("no-color")
        tokens = try TokenArguments(arguments)
        settings = Settings(
            isSimulated: arguments.has("simulate"),
            jobs: try arguments.number(of: "jobs", in: 1...Self.mostJobs),
            deadline: try arguments.duration(of: "timeout"),
            caseDeadline: try arguments.duration(of: "case-timeout"),
            connectTimeout: try arguments.duration(of: "connect-timeout"),
            patience: try arguments.number(of: "patience", in: 1...Self.mostPatience),
            generation: try arguments.generation(of: "generation", allowingProbe: true),
            capabilitiesAdded: try arguments.capabilities(of: "with"),
            capabilitiesRemoved: try arguments.lackingCapabilities(of: "without"),
            isStrict: arguments.has("strict"), protectsStreams: arguments.has("tls"),
            rounds: try arguments.number(of: "repeat", in: 1...Self.mostRounds),
            stopsAtFailure: arguments.has("until-failure"), fault: try arguments.faults(of: "fault").first,
            kitFault: try arguments.kitFaults(of: "kit-fault").first)
        try refuseContradictions()
    }

    /// The options of a run of these cases. `keyLogPath` is where TLS secrets go, if anywhere.
    public func options(
        cases: [ScenarioCase], seed: UInt64, keyLogPath: String?, moqspecVersion: String, startedAt: String
    ) -> RunOptions {
        var options = RunOptions(
            cases: cases, target: target, seed: seed, moqspecVersion: moqspecVersion, startedAt: startedAt)
        options.trust = trust
        options.programs = programs
        if let folder = given.value(of: "program-output") { options.programOutput = folder }
        options.isSimulated = settings.isSimulated
        // In simulated time nothing waits, and more threads than cores gain nothing.
        let usual = target == .embedded && !settings.isSimulated ? Self.usualJobsOnEmbedded : Self.usualJobs
        options.jobs = settings.jobs.map(Int.init) ?? usual
        options.deadline = settings.deadline
        options.caseDeadline = settings.caseDeadline
        if let timeout = settings.connectTimeout { options.connectTimeout = timeout }
        options.patience = Int(settings.patience ?? 1)
        options.generation = settings.generation
        options.capabilitiesAdded = settings.capabilitiesAdded
        options.capabilitiesRemoved = settings.capabilitiesRemoved
        options.isStrict = settings.isStrict
        options.profile = profile
        options.release = release
        options.token = tokens.token
        options.tokenKey = tokens.key
        options.furtherURLs = furtherURLs
        options.protectsStreams = settings.protectsStreams
        options.fault = settings.fault
        options.kitFault = settings.kitFault
        options.comparesTransports = comparesTransports
        options.rounds = Int(settings.rounds ?? (settings.stopsAtFailure ? Self.mostRounds : 1))
        options.stopsAtFailure = settings.stopsAtFailure
        options.keyLogPath = keyLogPath
        return options
    }

    /// Whether it is in virtual time.
    public var isSimulated: Bool { settings.isSimulated }

    /// Whether single scenario files were named, and no folder: others may be there besides.
    public var namesOnlyFiles: Bool {
        !paths.isEmpty && paths.allSatisfy { FileKind.of($0) == .file }
    }

    /// What does not matter to a case that is run alone: what selects cases, names files, or is about the whole run.
    private static let leftOutOfRerun = [
        "filter", "report", "seed", "quiet", "verbose", "jobs", "timeout", "repeat", "until-failure",
    ]

    /// The command that runs one case of this run again: the same words with the seed, without what does not matter.
    public func rerun(program: String, seed: UInt64) -> Rerun {
        var words = [program, "run"]
        for flag in given.flags where !Self.leftOutOfRerun.contains(flag.name) {
            guard let value = flag.value else {
                words.append("--\(flag.name)")
                continue
            }
            // A token is no word for a report; whoever runs the case again has it.
            guard flag.name != "token" else {
                words += ["--token", Redaction.mark]
                continue
            }
            words += value.hasPrefix("--") ? ["--\(flag.name)=\(value)"] : ["--\(flag.name)", value]
        }
        words += ["--seed", String(seed)]
        words += given.operands.map { $0.hasPrefix("-") ? "./\($0)" : $0 }
        words.append("--filter")
        return Rerun(prefix: words.map(Rerun.quoted).joined(separator: " "), seed: seed)
    }

    // MARK: Reading

    private static func target(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> (TargetChoice, further: [RelayURL]) {
        if let command = arguments.value(of: "relay-command") {
            guard !arguments.has("relay") else {
                throw UsageError("--relay and --relay-command name two relays; give one of them")
            }
            guard command.contains("{port}") else {
                throw UsageError(
                    "--relay-command: the command has no {port}, so the relay could not be told where to listen; "
                        + "for a relay with a port of its own use --relay URL")
            }
            let path = arguments.value(of: "relay-path") ?? usualRelayPath
            guard path.hasPrefix("/") else { throw UsageError("--relay-path \(path): it starts with a slash") }
            let output = arguments.value(of: "relay-output") ?? usualRelayOutput
            return (.command(command, path: path, outputPath: output), [])
        }
        for name in ["relay-path", "relay-output"] where arguments.has(name) {
            throw UsageError("--\(name) says something about a relay that is started, and there is no --relay-command")
        }
        let texts = arguments.values(of: "relay")
        guard let first = texts.first, texts != ["embedded"] else { return (.embedded, []) }
        guard !texts.contains("embedded") else {
            throw UsageError("--relay embedded and --relay \(texts.first { $0 != "embedded" } ?? "") name two relays")
        }
        let url = try relayURL(first)
        var further: [RelayURL] = []
        for text in texts.dropFirst() {
            let other = try relayURL(text)
            guard !([url] + further).contains(where: { $0.scheme.kind == other.scheme.kind }) else {
                throw UsageError("--relay \(other): there are two URLs for \(other.scheme.kind); one each is enough")
            }
            further.append(other)
        }
        return (.url(url), further)
    }

    private static func relayURL(_ text: String) throws(UsageError) -> RelayURL {
        let url: RelayURL
        do {
            url = try RelayURL(text)
        } catch .noScheme {
            throw UsageError("--relay \(text): it is `embedded`, or a URL such as moqt://localhost:4443/anon")
        } catch {
            throw UsageError("--relay: \(error)")
        }
        return url
    }

    /// How the certificate is judged, by the flags that all commands share which dial.
    static func trust(_ arguments: ParsedArguments) throws(UsageError) -> TargetTrust {
        let given = ["fingerprint", "tls-root", "insecure"].filter(arguments.has)
        guard given.count < 2 else {
            throw UsageError("--\(given[0]) and --\(given[1]) judge the certificate in two ways; give one of them")
        }
        switch given.first {
        case "fingerprint": return .fingerprints(try arguments.fingerprints(of: "fingerprint"))
        case "tls-root": return .roots(arguments.values(of: "tls-root"))
        case "insecure": return .insecure
        default: return .systemRoots
        }
    }

    private func refuseContradictions() throws(UsageError) {
        if given.has("quiet"), given.has("verbose") {
            throw UsageError("--quiet and --verbose contradict each other; give one of them")
        }
        if explains, given.has("report") {
            throw UsageError("--explain runs nothing, so that --report has nothing to write; give one of them")
        }
        if tokens.token != nil, target == .embedded {
            throw UsageError(
                "--token and --token-file are for a relay at a URL or one that is started; "
                    + "the embedded relay has a key of its own, and scenarios mint what they need")
        }
        if let fault = settings.fault, target != .embedded {
            throw UsageError("--fault \(fault): only the embedded relay can be broken on purpose")
        }
        if settings.isSimulated, target != .embedded {
            throw UsageError("--simulate is for the embedded relay: no other can be met in virtual time")
        }
        if let both = settings.capabilitiesAdded.first(where: settings.capabilitiesRemoved.contains) {
            throw UsageError("--with \(both) and --without \(both) contradict each other")
        }
        if comparesTransports, case .race = selection.transports {
            throw UsageError("--compare-transports and --transport auto contradict each other: name the transports")
        }
        if case .url = target, given.has("tls") {
            throw UsageError("--tls is for relays without a URL of their own; write wss:// or tls:// instead")
        }
        if target == .embedded, trust != .systemRoots {
            throw UsageError(
                "--fingerprint, --tls-root and --insecure are for a relay at a URL or one that is started; "
                    + "the certificate of the embedded relay is known")
        }
    }
}
