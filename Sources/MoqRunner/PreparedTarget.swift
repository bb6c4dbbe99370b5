import Glibc
import MoqBase
import MoqDrivers
import MoqEvents
import MoqQUIC
import MoqRelay
import MoqScenario
import MoqTransport
import MoqWire

/// The relay under test, ready for the cases: reachable, probed, and able to give every worker a world.
final class PreparedTarget: @unchecked Sendable {
    // Sendable because after its making only `problem` changes, under the lock.
    private(set) var findings: TargetFindings
    private let options: RunOptions
    private let process: RelayProcess?
    private let access: TargetAccess?
    private let embedded: EmbeddedRelaySettings?
    private let lock = Lock()
    private var firstProblem: String?

    /// How long a relay that was started may take until it answers.
    private static let startDeadline = Duration.seconds(15)
    /// How long one attempt to reach a relay that is starting takes.
    private static let startAttempt = Duration.milliseconds(300)

    /// Starts the relay where that is asked for, and probes it, unless `isCutShort` says that the run ends.
    init(_ options: RunOptions, isCutShort: () -> Bool = { false }) throws(RunnerError) {
        self.options = options
        let wanted = Self.wantedVersions(options)
        let keyLog = try Self.keyLog(options)
        if let world = try options.world?() {
            (embedded, access, process) = (nil, nil, nil)
            let probe = TargetProbe(access: world.access, driver: world.driver, seed: options.seed)
            findings = try probe.run(
                versions: wanted, generation: options.generation, isCutShort: isCutShort)
            return
        }
        switch options.target {
        case .embedded:
            let settings = try EmbeddedRelaySettings(keyLog: keyLog, options: options)
            embedded = settings
            access = nil
            process = nil
            let world = try settings.makeWorld(seed: options.seed)
            let probe = TargetProbe(access: world.access, driver: world.driver, seed: options.seed)
            findings = try probe.run(
                versions: wanted, generation: options.generation, isCutShort: isCutShort)
            findings.isEmbedded = true
            // Relays of the second generation let subscriptions run on (0.4.9 and 0.4.18, observed), and so does ours.
            if findings.generation == .second { findings.lacking = ["withdrawal-ends-tracks"] }
            findings.isOwned = true
            findings.fingerprint = settings.fingerprint
        case .url(let url):
            embedded = nil
            process = nil
            let access = try Self.access(url, options, keyLog)
            self.access = access
            findings = try Self.probe(access, options, wanted, isCutShort)
        case .command(let command, let path, let outputPath):
            embedded = nil
            let port = try Self.freePort()
            let process = RelayProcess(
                command: command.replacing("{port}", with: String(port)), outputPath: outputPath)
            self.process = process
            let url: RelayURL
            do {
                url = try RelayURL("moqt://127.0.0.1:\(port)\(path)")
            } catch {
                throw .unusable("the path `\(path)` cannot be used: \(error)")
            }
            let access = try Self.access(url, options, keyLog)
            self.access = access
            try process.start()
            do {
                try Self.await(access, process, options, isCutShort)
                findings = try Self.probe(access, options, wanted, isCutShort)
            } catch {
                let trouble = process.trouble()
                try process.stop()
                throw trouble.map { RunnerError.target($0) } ?? error
            }
            findings.isOwned = true
            findings.isProcess = true
        }
        findings.added = options.capabilitiesAdded
        findings.removed = options.capabilitiesRemoved
    }

    /// A world for one worker, or for one case in simulated time.
    func makeWorld(seed: UInt64) throws(RunnerError) -> any World {
        if let world = options.world { return try world() }
        if let embedded { return try embedded.makeWorld(seed: seed) }
        guard let access else { throw .environment("no relay was prepared") }
        return ExternalWorld(driver: try Self.socketDriver(), access: access, process: process)
    }

    /// Whether a case may not run beside others against this relay.
    func needsToBeAlone(_ scenario: ScenarioCase) -> Bool {
        // Every worker has an embedded relay of its own, and plays one case at a time.
        guard embedded == nil else { return false }
        return scenario.isolation == .namespace || scenario.steps.contains { $0.touchesRelay }
    }

    /// The event that says what was found out.
    var event: TargetProbed {
        let generation: TargetProbed.Generation =
            switch findings.generation {
            case .first: .first
            case .second: .second
            case nil: .unknown
            }
        let accepted = findings.versions.map(\.description).joined(separator: ", ")
        return TargetProbed(
            generation: generation, evidence: findings.evidence, version: accepted, transport: "quic",
            certificateFingerprint: findings.fingerprint)
    }

    /// Ends the relay where the run started it.
    func end() {
        try? process?.stop()
    }

    /// Keeps what the relay under test prints within its bound; to be called often.
    func boundOutput() {
        process?.boundOutput()
    }

    /// The first problem that a worker had with its world.
    var problem: String? {
        lock.locked { firstProblem }
    }

    func report(problem: String) {
        lock.locked { if firstProblem == nil { firstProblem = problem } }
    }

    // MARK: Preparing

    private static func wantedVersions(_ options: RunOptions) -> [Version] {
        var wanted = Set(options.cases.filter { $0.exclusion == nil }.compactMap { Version(name: $0.version) })
        for scenario in options.cases {
            for actor in scenario.actors {
                if let version = actor.version.flatMap(Version.init(name:)) { wanted.insert(version) }
            }
        }
        return wanted.isEmpty ? Version.byPreference : wanted.sorted(by: >)
    }

    private static func probe(
        _ access: TargetAccess, _ options: RunOptions, _ versions: [Version], _ isCutShort: () -> Bool
    ) throws(RunnerError) -> TargetFindings {
        let probe = TargetProbe(access: access, driver: try socketDriver(), seed: options.seed)
        return try probe.run(versions: versions, generation: options.generation, isCutShort: isCutShort)
    }

    static func socketDriver() throws(RunnerError) -> SocketDriver {
        do {
            return try SocketDriver()
        } catch {
            throw .environment("the sockets could not be set up: \(error)")
        }
    }

    private static func keyLog(_ options: RunOptions) throws(RunnerError) -> QUICKeyLog? {
        guard let path = options.keyLogPath else { return nil }
        do {
            return try QUICKeyLog(path: path)
        } catch {
            throw .environment("the key log cannot be written: \(error)")
        }
    }

    private static func access(
        _ url: RelayURL, _ options: RunOptions, _ keyLog: QUICKeyLog?
    ) throws(RunnerError) -> TargetAccess {
        guard url.scheme == .moqt || url.scheme == .moql else {
            throw .unusable(
                "\(url.scheme.rawValue):// cannot be spoken by this release; raw QUIC can: moqt://\(url.host):\(url.port)\(url.path)"
            )
        }
        let trust: CertificateTrust =
            switch options.trust {
            case .systemRoots: .systemRoots
            case .roots(let files): .roots(files)
            case .fingerprints(let digits): .pinned(digits)
            case .insecure: .insecure
            }
        do {
            let addresses = try NetworkAddress.resolve(host: url.host, port: url.port)
            guard let address = addresses.first else { throw RunnerError.target("\(url.host) has no address") }
            return TargetAccess(
                address: address, serverName: url.host, requestPath: url.requestPath,
                credentials: try QUICClientCredentials(trust: trust), keyLog: keyLog,
                connectTimeout: options.connectTimeout, nonce: ProcessClock.freshSeed())
        } catch let error as RunnerError {
            throw error
        } catch {
            throw .target("\(url): \(error)")
        }
    }

    /// A UDP port of loopback that was free a moment ago.
    private static func freePort() throws(RunnerError) -> UInt16 {
        do {
            let driver = try socketDriver()
            let silent = SilentMachine()
            let address = try driver.bind(silent, to: .loopback(port: 0))
            driver.unbind(silent)
            return address.port
        } catch let error as RunnerError {
            throw error
        } catch {
            throw .environment("no free port could be found: \(error)")
        }
    }

    private static func await(
        _ access: TargetAccess, _ process: RelayProcess, _ options: RunOptions, _ isCutShort: () -> Bool
    ) throws(RunnerError) {
        let began = ProcessClock.monotonic
        var impatient = access
        impatient.connectTimeout = startAttempt
        while true {
            impatient.nonce &+= 1
            do throws(RunnerError) {
                let probe = TargetProbe(access: impatient, driver: try socketDriver(), seed: options.seed)
                _ = try probe.run(
                    versions: [wantedVersions(options)[0]], generation: .second, isCutShort: isCutShort)
                return
            } catch {
                process.boundOutput()
                if let trouble = process.trouble() { throw .target(trouble) }
                // A refusal is an answer: what it means is for the probe proper to say.
                guard case .unreachable = error else { return }
                if began.duration(to: ProcessClock.monotonic) > startDeadline { throw error }
                // The pause between two looks at a process that is starting; nothing can be waited for.
                ProcessClock.pause(.milliseconds(50))
            }
        }
    }
}

/// A machine that says nothing and hears nothing.
private final class SilentMachine: DatagramMachine {
    func receive(_ batch: DatagramBatch, at now: Instant) {}
    func transmit(at now: Instant) -> DatagramBatch? { nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
