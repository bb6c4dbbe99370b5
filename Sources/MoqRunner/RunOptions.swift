import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqRelay
import MoqScenario
import MoqTokens
import MoqTransport
import MoqWire

/// How the certificate of a relay is judged.
public enum TargetTrust: Hashable, Sendable {
    /// By the roots of the system.
    case systemRoots
    /// By the roots in these PEM files.
    case roots([String])
    /// By the SHA-256 of the leaf, as hexadecimal digits.
    case fingerprints([String])
    /// Not at all: asked for by an explicit flag.
    case insecure
}

/// The relay under test.
public enum TargetChoice: Hashable, Sendable {
    /// The embedded relay, in the process.
    case embedded
    /// A relay that runs already.
    case url(RelayURL)
    /// A relay that is started for the run: a shell command in which `{port}` stands for a free port. `path` is the
    /// request path to use.
    case command(String, path: String, outputPath: String)
}

/// What a run does.
public struct RunOptions: Sendable {
    /// The cases, in the order in which they are reported. A case with an `exclusion` is reported as skipped.
    public var cases: [ScenarioCase]
    /// The relay under test.
    public var target: TargetChoice
    /// URLs of the same relay for other transports than that of the first.
    public var furtherURLs: [RelayURL] = []
    /// How its certificate is judged; nothing to the embedded relay.
    public var trust: TargetTrust = .systemRoots
    /// The commands of outside programs.
    public var programs: [ProgramCommand] = []
    /// The folder for what they print.
    public var programOutput = ProgramCommand.usualOutput
    /// Whether to play in simulated time; only for the embedded relay.
    public var isSimulated = false
    /// Threads, at least 1.
    public var jobs = 1
    /// The seed of all chance in the run.
    public var seed: UInt64
    /// The deadline of the whole run.
    public var deadline: Duration?
    /// Multiplies nothing, but bounds every case in addition to its own deadline.
    public var caseDeadline: Duration?
    /// What is wrong with the embedded relay on purpose; nil for nothing.
    public var fault: RelayFault?
    /// What is wrong with all client kits of the run on purpose; nil for nothing.
    public var kitFault: KitFault?
    /// The deadline of a connect.
    public var connectTimeout: Duration = .seconds(5)
    /// How many times as long as it says a step, a barrier or the end of a case waits for what has to happen, at
    /// least 1. What must not happen is held off for as long as it says all the same.
    public var patience = 1
    /// The code generation, where it is not to be probed.
    public var generation: CodeGeneration?
    /// Capabilities that the target has, besides those assumed.
    public var capabilitiesAdded: [String] = []
    /// Capabilities that the target lacks, though they are assumed: a name, or NAME@VERSION for one version only.
    public var capabilitiesRemoved: [String] = []
    /// The token of every session that says nothing else; nil for none.
    public var token: String?
    /// The key with which the relay verifies tokens, and the harness mints them. The embedded relay makes one if need
    /// be.
    public var tokenKey: JSONWebKey?
    /// What the relay is held to where the draft and running code differ.
    public var profile = RequirementProfile.deployed
    /// The requirements of the other profile: what breaks nothing but these informs, and does not weigh.
    public var notHeldTo: Set<String> = []
    /// The list of known failures; nil for none.
    public var known: KnownFailures?
    /// The release of the relay, where it is known; for reports and the list of known failures.
    public var release: String?
    /// Whether a warning is a failure.
    public var isStrict = false
    /// Whether websocket and tcp are dialled with TLS where no URL says how.
    public var protectsStreams = false
    /// How many times everything is played, at least 1. Every round has the next seed.
    public var rounds = 1
    /// Whether the run ends with the first case that fails, goes wrong, or is vacuous.
    public var stopsAtFailure = false
    /// Whether what sessions saw on different transports is compared.
    public var comparesTransports = false
    /// Where TLS secrets are appended, if anywhere.
    public var keyLogPath: String?
    /// Whether the monitor watches the sessions of cases: always, but to measure what that costs.
    public var isWatched = true
    /// Where requirements come from, by their ids, for findings about them.
    public var requirementSources: [String: String] = [:]
    /// Shown in the events.
    public var moqspecVersion: String
    /// The wall-clock time at which the run began, ISO 8601.
    public var startedAt: String
    /// How much is noted of each actor; less only in tests.
    var bounds = RecordBounds()
    /// Gets what the sessions of a case had seen when its steps ended, by the place of the case and the actors' names.
    var observer: (@Sendable (Int, [String: SessionRecord]) -> Void)?
    /// Where to play instead of at the target, in one world for the whole run: for tests that bring a relay along.
    var world: (@Sendable () throws(RunnerError) -> any World)?

    /// A run of these cases.
    public init(
        cases: [ScenarioCase], target: TargetChoice, seed: UInt64, moqspecVersion: String, startedAt: String
    ) {
        self.cases = cases
        self.target = target
        self.seed = seed
        self.moqspecVersion = moqspecVersion
        self.startedAt = startedAt
    }
}
