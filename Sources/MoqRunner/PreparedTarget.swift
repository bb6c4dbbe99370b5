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
    /// How relays beside the one under test are made; nil when no case wants any.
    private(set) var furtherRelays: EmbeddedRelaySettings?
    /// The outside programs of the cases; nil when no case has any.
    private(set) var programs: ProgramStage?
    private let lock = Lock()
    private var firstProblem: String?

    /// How long a relay that was started may take until it answers.
    private static let startDeadline = Duration.seconds(15)
    /// How long one attempt to reach a relay that is starting takes.
    private static let startAttempt = Duration.milliseconds(300)

    /// Starts the relay where that is asked for, and probes it, unless `isCutShort` says that the run ends.
    init(_ options: RunOptions, isCutShort: @escaping () -> Bool = { false }) throws(RunnerError) {
        self.options = options
        let wanted = Self.wanted(options)
        let keyLog = try Self.keyLog(options)
        if let world = try options.world?() {
            (embedded, access, process) = (nil, nil, nil)
            let probe = TargetProbe(
                access: world.access, driver: world.driver, seed: options.seed, isCutShort: isCutShort)
            findings = try probe.run(wanted, generation: options.generation)
            return
        }
        switch options.target {
        case .embedded:
            let settings = try EmbeddedRelaySettings(keyLog: keyLog, options: options)
            embedded = settings
            access = nil
            process = nil
            let world = try settings.makeWorld(seed: options.seed)
            let probe = TargetProbe(
                access: world.access, driver: world.driver, seed: options.seed, isCutShort: isCutShort)
            findings = try probe.run(wanted, generation: options.generation)
            findings.isEmbedded = true
            findings.isWrongOnPurpose = options.fault != nil
            findings.protectsStreams = options.protectsStreams
            findings.hasTokenKey = true
            // Relays of the second generation let subscriptions run on (0.4.9 and 0.4.18, observed), and so does ours.
            findings.lacking =
                findings.generation == .second
                ? ["withdrawal-ends-tracks"] : ["goaway-obeyed", "withdrawal-keeps-tracks"]
            // Ours says GOAWAY as the draft has it.
            findings.lacking.append("stops-without-goaway")
            if options.fault?.takesFramesWhole == true { findings.lacking.append("long-frames-streamed") }
            if settings.servesUnfinished { findings.lacking.append("finished-versions-only") }
            findings.isOwned = true
            findings.fingerprint = settings.fingerprint
        case .url(let url):
            embedded = nil
            process = nil
            let (access, findings) = try Self.meet(url, options, keyLog, wanted, isCutShort)
            self.access = access
            self.findings = findings
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
            let access = try TargetAccess(url, options, keyLog: keyLog, isCutShort: isCutShort)
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
        if options.cases.contains(where: { !$0.relays.isEmpty }) {
            var own = options
            own.generation = findings.generation
            if let embedded {
                furtherRelays = embedded
            } else {
                furtherRelays = try EmbeddedRelaySettings(keyLog: keyLog, options: own)
            }
        }
        if options.tokenKey?.canSign == true { findings.hasTokenKey = true }
        findings.isSimulated = options.isSimulated
        findings.programs = options.programs.map(\.name)
        if options.cases.contains(where: { !$0.programs.isEmpty }), !options.programs.isEmpty {
            programs = ProgramStage(options, certificate: embedded?.certificateFile(in: options.programOutput))
        }
        findings.added = options.capabilitiesAdded
        findings.removed = options.capabilitiesRemoved
    }

    /// A world for one worker, or for one case in simulated time. What was found out by probing is true of the relay
    /// without its fault.
    func makeWorld(seed: UInt64) throws(RunnerError) -> any World {
        if let world = options.world { return try world() }
        if let embedded { return try embedded.makeWorld(seed: seed, fault: options.fault) }
        guard let access else { throw .environment("no relay was prepared") }
        return ExternalWorld(driver: try Self.socketDriver(), access: access, process: process)
    }

    /// Whether a case may not run beside others against this relay.
    func needsToBeAlone(_ scenario: ScenarioCase) -> Bool {
        // Every worker has an embedded relay of its own, and plays one case at a time.
        guard embedded == nil else { return false }
        return scenario.isolation == .namespace || scenario.steps.contains { $0.touchesRelay }
    }

    /// A world with an embedded relay that has a fault, or none, whatever the options say.
    func makeWorld(seed: UInt64, fault: RelayFault?) throws(RunnerError) -> any World {
        guard let embedded else { throw .unusable("only the embedded relay can be broken on purpose") }
        return try embedded.makeWorld(seed: seed, fault: fault)
    }

    /// The events that say what was found out, one for each transport over which the relay answered.
    var events: [TargetProbed] {
        let generation: TargetProbed.Generation =
            switch findings.generation {
            case .first: .first
            case .second: .second
            case nil: .unknown
            }
        return findings.receptions.filter { !$0.versions.isEmpty }.map { reception in
            TargetProbed(
                generation: generation, evidence: findings.evidence,
                version: reception.versions.map(\.description).joined(separator: ", "),
                transport: reception.transport.name, certificateFingerprint: findings.fingerprint)
        }
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

    /// What the cases want of the relay, transport by transport in the order in which they first ask for one.
    private static func wanted(_ options: RunOptions) -> [TargetProbe.Wanted] {
        var wanted: [TargetProbe.Wanted] = []
        for scenario in options.cases where scenario.exclusion == nil {
            for session in Combination.sessions(of: scenario) {
                guard let version = Version(name: session.version),
                    let choice = TransportChoice(name: session.transport)
                else { continue }
                if let index = wanted.firstIndex(where: { $0.transport == choice }) {
                    if !wanted[index].versions.contains(version) { wanted[index].versions.append(version) }
                } else {
                    wanted.append(TargetProbe.Wanted(transport: choice, versions: [version]))
                }
            }
        }
        if wanted.isEmpty { return [TargetProbe.Wanted(transport: .one(.quic), versions: Version.byPreference)] }
        for index in wanted.indices { wanted[index].versions.sort(by: >) }
        return wanted
    }

    /// The relay at a URL, at the first address of its host where somebody answers. A name such as `localhost` stands
    /// for one of each family, and a relay may listen at the second only.
    private static func meet(
        _ url: RelayURL, _ options: RunOptions, _ keyLog: QUICKeyLog?, _ wanted: [TargetProbe.Wanted],
        _ isCutShort: @escaping () -> Bool
    ) throws(RunnerError) -> (TargetAccess, TargetFindings) {
        let addresses = try TargetAccess.addresses(of: url)
        var choice = 0
        // Who is there and says nothing has more to be told of than an address where nobody is.
        var silence: String?
        while true {
            do throws(RunnerError) {
                let access = try TargetAccess(
                    url, options, address: choice, keyLog: keyLog, isCutShort: isCutShort)
                return (access, try probe(access, options, wanted, isCutShort))
            } catch {
                let why: String
                switch error {
                case .unreachable(let words): why = words
                case .silent(let words):
                    why = words
                    silence = silence ?? words
                default: throw error
                }
                guard addresses.count > 1 else { throw error }
                choice += 1
                guard choice == addresses.count else { continue }
                let all = addresses.map(\.description).joined(separator: " and ")
                let told = silence ?? why
                throw .unreachable("\(told.hasSuffix(".") ? told : "\(told).") \(url.host) was tried at \(all).")
            }
        }
    }

    private static func probe(
        _ access: TargetAccess, _ options: RunOptions, _ wanted: [TargetProbe.Wanted],
        _ isCutShort: @escaping () -> Bool
    ) throws(RunnerError) -> TargetFindings {
        let probe = TargetProbe(
            access: access, driver: try socketDriver(), seed: options.seed, isCutShort: isCutShort)
        return try probe.run(wanted, generation: options.generation)
    }

    static func socketDriver() throws(RunnerError) -> SocketDriver {
        do {
            return try SocketDriver(forgivesLateness: true)
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

    /// Ports that systems do not hand out by themselves (Linux does so from 32768 on, others from 49152): a relay that is
    /// stopped for some seconds finds its port free when it starts again, however many sockets are opened meanwhile.
    private static let portsNotHandedOut: Range<UInt64> = 16_384..<32_768
    /// How many of them are tried before the system is asked for any port.
    private static let portAttempts = 64

    /// A UDP port of loopback that was free a moment ago.
    private static func freePort() throws(RunnerError) -> UInt16 {
        do {
            let driver = try socketDriver()
            let silent = SilentMachine()
            var random = SeededRandom(seed: ProcessClock.freshSeed())
            let ports = portsNotHandedOut
            for _ in 0..<portAttempts {
                let port = UInt16(ports.lowerBound + random.next() % UInt64(ports.count))
                guard let address = try? driver.bind(silent, to: .loopback(port: port)) else { continue }
                driver.unbind(silent)
                return address.port
            }
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
        _ access: TargetAccess, _ process: RelayProcess, _ options: RunOptions,
        _ isCutShort: @escaping () -> Bool
    ) throws(RunnerError) {
        let began = ProcessClock.monotonic
        var impatient = access
        impatient.connectTimeout = startAttempt
        impatient.patience = 1
        let limit = startDeadline * options.patience
        while true {
            impatient.nonce &+= 1
            do throws(RunnerError) {
                let probe = TargetProbe(
                    access: impatient, driver: try socketDriver(), seed: options.seed, isCutShort: isCutShort)
                var first = wanted(options)[0]
                first.versions = [first.versions[0]]
                _ = try probe.run([first], generation: .second)
                return
            } catch {
                process.boundOutput()
                if let trouble = process.trouble() { throw .target(trouble) }
                // A refusal is an answer: what it means is for the probe proper to say.
                switch error {
                case .unreachable, .silent: break
                default: return
                }
                if began.duration(to: ProcessClock.monotonic) > limit {
                    throw .target(
                        "the relay that was started did not answer at \(access.place(wanted(options)[0].transport)) within "
                            + "\(limit.text); its output is in \(process.outputPath). Check that it listens there, at "
                            + "the port that {port} names.")
                }
                // A machine on which not even a handshake is done in so little time gets more of it.
                impatient.connectTimeout = min(impatient.connectTimeout * 2, access.connectTimeout)
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
