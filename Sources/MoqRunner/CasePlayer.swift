import MoqBase
import MoqConformance
import MoqDrivers
import MoqEvents
import MoqMonitor
import MoqScenario
import MoqWire

/// Plays single cases in one world and tells what came of them.
final class CasePlayer {
    private let world: any World
    private let options: RunOptions
    private let findings: TargetFindings
    private let furtherRelays: EmbeddedRelaySettings?
    private let programs: ProgramStage?
    private var control: ControlSession
    private let worker: Int
    /// Whether a case has been told of what the relay did wrong towards the sessions that probed it.
    private var isProbeTold = false

    init(
        world: any World, options: RunOptions, findings: TargetFindings, furtherRelays: EmbeddedRelaySettings? = nil,
        programs: ProgramStage? = nil, worker: Int
    ) {
        self.programs = programs
        self.furtherRelays = furtherRelays
        self.world = world
        self.options = options
        self.findings = findings
        self.worker = worker
        control = Self.makeControl(world, options, findings, worker)
    }

    private static func makeControl(
        _ world: any World, _ options: RunOptions, _ findings: TargetFindings, _ worker: Int
    ) -> ControlSession {
        ControlSession(
            access: world.access, driver: world.driver, over: findings.control.transport,
            version: findings.control.version, generation: findings.generation ?? .second,
            knownGeneration: findings.generation, lacking: findings.lacks,
            seed: options.seed ^ StableHash.of("control#\(worker)"))
    }

    /// How a case is announced.
    static func started(_ scenario: ScenarioCase, seed: UInt64, worker: Int) -> CaseStarted {
        var variables = NamedValues([("version", scenario.version), ("transport", scenario.transport)])
        for variable in scenario.variables { variables[variable.name] = variable.value }
        return CaseStarted(
            caseID: scenario.id, suite: scenario.suite, scenario: scenario.scenario, title: scenario.title,
            place: FilePlace(scenario.location), tags: scenario.tags, requirements: scenario.requirements,
            variables: variables, seed: seed, worker: worker)
    }

    /// The seed of a case: its own where the scenario fixes one, else from the run's and the case's id, so that a case
    /// does the same whichever others run. It is the same on all transports.
    static func seed(of scenario: ScenarioCase, in options: RunOptions) -> UInt64 {
        scenario.seed ?? SeededRandom(seed: options.seed).forked(scenario.idOnAnyTransport).seedValue
    }

    /// Plays a case from its beginning to its settled end.
    func play(
        _ scenario: ScenarioCase, index: Int, progress: RunProgress
    ) -> (events: [RunEvent], verdict: Verdict, trace: SessionTrace?) {
        let wall = ProcessClock.monotonic
        let cpu = ProcessClock.threadTime
        let seed = Self.seed(of: scenario, in: options)
        let prefix = scenario.isolation == .namespace ? "" : "c\(index)-\(String(seed & 0xFFFF_FFFF, radix: 36))"
        let scene = Scene(
            scenario, prefix: (try? BroadcastPath(prefix)) ?? .empty, driver: world.driver, access: world.access,
            codes: CodeBook(generation: findings.generation), seed: seed,
            lacking: findings.lacks, modelLacks: findings.lackedCapabilities(scenario),
            hasOwnRelay: options.isSimulated,
            profile: MonitorProfile(options.profile), isWatched: options.isWatched, bounds: options.bounds)
        scene.kitFault = options.kitFault
        if worker == 0, !isProbeTold {
            isProbeTold = true
            scene.take(findings.breaches, of: "probe", at: .zero)
        }
        let run = CaseRun(
            scenario, world: world, scene: scene, control: control, programs: programs, limit: options.caseDeadline)
        do {
            try run.join(furtherRelays)
            crank(run, progress)
        } catch {
            run.giveUp(error.description)
        }
        // However the case ended.
        for program in run.programs { program.kill() }
        options.observer?(index, Dictionary(run.actors.map { ($0.name, $0.record) }) { first, _ in first })
        restoreRelay()
        var report = CaseReport(run, findings: findings, options: options)
        report.duration = wall.duration(to: ProcessClock.monotonic)
        report.cpu = ProcessClock.threadTime - cpu
        if run.interruption != nil {
            for actor in run.allActors { actor.detach() }
            for relay in run.relays { relay.leave() }
        }
        let (events, verdict) = report.finish()
        return (events, verdict, run.trace)
    }

    private func crank(_ run: CaseRun, _ progress: RunProgress) {
        run.advance()
        while !run.isDone {
            if let reason = progress.stopped {
                run.giveUp(reason)
                return
            }
            // The limit bounds how long an interruption goes unnoticed where the driver cannot be woken.
            let limit = min(run.nextWake, run.now.advanced(by: .seconds(1)))
            do {
                try world.driver.turn(until: limit)
            } catch {
                run.giveUp("the driver failed: \(error)")
                return
            }
            run.advance()
        }
    }

    /// A relay that was restarted with a linger has none in the cases that follow.
    private func restoreRelay() {
        guard world.linger > .zero, (try? world.setLinger(.zero)) != nil else { return }
        // What fails here, and why, is what the next case says.
        try? world.stopRelay()
        try? world.startRelay()
    }

    /// Says goodbye to the relay.
    func close() {
        control.close()
        control.detach()
    }
}

extension SeededRandom {
    /// The first number of the sequence, as a seed for another.
    var seedValue: UInt64 {
        var copy = self
        return copy.next()
    }
}
