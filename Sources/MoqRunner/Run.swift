import Glibc
import MoqBase
import MoqDrivers
import MoqEvents
import MoqScenario
import MoqWire

/// One run: prepares the relay, plays the cases on its workers, and emits everything that happens as events.
public final class Run {
    private let options: RunOptions
    private let sink: EventSink
    private var target: PreparedTarget?
    private var interruption: Interruption?
    private var environment: String?
    private let comparison: TransportComparison?

    /// How often the main thread looks for signals and the deadline while workers play.
    private static let watchInterval = Duration.milliseconds(5)
    /// How long workers may take to end after the run was stopped: they leave at their next turn.
    private static let stopPatience = Duration.seconds(5)

    /// A run with its options; `write` gets every event, never from two threads at once.
    public init(_ options: RunOptions, write: @escaping (RunEvent) -> Void) {
        self.options = options
        sink = EventSink(keepsOrder: options.isSimulated, write: write)
        comparison = options.comparesTransports ? TransportComparison(options.cases) : nil
    }

    /// Plays everything and returns the exit status. `signals` ends the run early, with what had finished reported.
    public func execute(signals: TerminationSignals?) -> ExitStatus {
        let began = ProcessClock.monotonic
        sink.emit(.runStarted(startEvent))
        do {
            try play(began, signals)
        } catch {
            // What a signal cut short went wrong because of it.
            if interruption == nil { environment = error.description }
        }
        target?.end()
        sink.flush()
        var ledger = sink.ledger
        ledger.notStarted = caseCount - ledger.all
        var circumstances = ExitStatus.Circumstances()
        circumstances.strict = options.isStrict
        circumstances.environment = environment
        circumstances.interruption = interruption
        let status = ExitStatus(ledger: ledger, circumstances)
        sink.emit(
            .runFinished(
                RunFinished(
                    ledger: ledger, status: status, duration: began.duration(to: ProcessClock.monotonic),
                    interruption: interruption)))
        return status
    }

    private var startEvent: RunStarted {
        let described: (String, RunStarted.Target.Kind, String) =
            switch options.target {
            case .embedded: ("the embedded relay", .embedded, "in process")
            case .url(let url): (url.description, .url, "\(url.host):\(url.port)")
            case .command(let command, _, _): (command, .command, "started for the run")
            }
        let capabilities = options.capabilitiesAdded.map { "+\($0)" } + options.capabilitiesRemoved.map { "-\($0)" }
        return RunStarted(
            moqspecVersion: options.moqspecVersion, seed: options.seed,
            target: RunStarted.Target(
                description: described.0, kind: described.1, address: described.2, capabilities: capabilities),
            world: options.isSimulated ? .simulated : .sockets, jobs: options.jobs, started: options.startedAt,
            selectedCases: caseCount)
    }

    private func play(_ began: Instant, _ signals: TerminationSignals?) throws(RunnerError) {
        let target = try PreparedTarget(options) { [self] in wasCutShort(began, signals, waiting: .zero) != nil }
        self.target = target
        for event in target.events { sink.emit(.targetProbed(event)) }
        let (playable, alone) = reportSkips(target)
        let progress = RunProgress(playable)
        try playAll(progress, target, workers: options.jobs, began, signals)
        if progress.stopped == nil, !alone.isEmpty {
            let lonely = RunProgress(alone)
            try playAll(lonely, target, workers: 1, began, signals)
            if lonely.stopped == nil { compare() }
        } else if progress.stopped == nil {
            compare()
        }
    }

    /// The cases and the comparisons between them.
    private var caseCount: Int { options.cases.count + (comparison?.count ?? 0) }

    /// Reports where sessions saw different things on different transports.
    private func compare() {
        guard let comparison else { return }
        for (offset, outcome) in comparison.outcomes().enumerated() {
            let scenario = outcome.scenario
            let started = CasePlayer.started(scenario, seed: CasePlayer.seed(of: scenario, in: options), worker: 0)
            let end = CaseFinished(
                caseID: scenario.id, verdict: outcome.verdict, reason: outcome.findings.first?.headline)
            sink.begin(started)
            let events = outcome.findings.map(RunEvent.finding) + [.caseFinished(end)]
            sink.finish(options.cases.count + offset, started, events, outcome.verdict)
        }
    }

    /// Reports what cannot be played, and divides the rest into cases that may run side by side and those that may not.
    private func reportSkips(_ target: PreparedTarget) -> (together: [Int], alone: [Int]) {
        var together: [Int] = []
        var alone: [Int] = []
        for (index, scenario) in options.cases.enumerated() {
            guard let reason = target.findings.reasonToSkip(scenario) else {
                if target.needsToBeAlone(scenario) { alone.append(index) } else { together.append(index) }
                continue
            }
            let started = CasePlayer.started(scenario, seed: CasePlayer.seed(of: scenario, in: options), worker: 0)
            sink.begin(started)
            let finding = Finding(
                caseID: scenario.id, severity: .skip, headline: reason, place: FilePlace(scenario.location))
            let end = CaseFinished(caseID: scenario.id, verdict: .skip, reason: reason)
            sink.finish(index, started, [.finding(finding), .caseFinished(end)], .skip)
        }
        return (together, alone)
    }

    private func playAll(
        _ progress: RunProgress, _ target: PreparedTarget, workers: Int, _ began: Instant,
        _ signals: TerminationSignals?
    ) throws(RunnerError) {
        let number = max(1, min(workers, progress.remaining.count))
        var threads: [WorkerThread] = []
        for worker in 0..<number {
            progress.workerBegan()
            let job = WorkerJob(
                worker: worker, options: options, target: target, progress: progress, sink: sink,
                comparison: comparison)
            do {
                threads.append(try WorkerThread { job.play() })
            } catch {
                progress.workerEnded()
                progress.stop("a worker could not be started")
                environment = error.description
            }
        }
        // A worker that hangs cannot be ended, only left behind: the process ends without it.
        if watch(progress, began, signals) {
            for thread in threads { thread.join() }
        } else {
            giveUp(progress.abandon())
        }
        if let problem = target.problem { environment = environment ?? problem }
    }

    /// Watches over the workers until they are done; false when one hangs.
    private func watch(_ progress: RunProgress, _ began: Instant, _ signals: TerminationSignals?) -> Bool {
        var stoppedAt: Instant?
        while progress.isRunning {
            target?.boundOutput()
            if signals == nil { ProcessClock.pause(Self.watchInterval) }
            if let reason = wasCutShort(began, signals, waiting: Self.watchInterval) { progress.stop(reason) }
            let now = ProcessClock.monotonic
            if progress.isOverdue(at: now) { progress.stop("a case hangs") }
            if progress.stopped != nil {
                let since = stoppedAt ?? now
                stoppedAt = since
                if since.duration(to: now) > Self.stopPatience { return false }
            }
        }
        return true
    }

    /// Reports cases whose worker hangs.
    private func giveUp(_ indices: [Int]) {
        for index in indices {
            let scenario = options.cases[index]
            let headline = "the harness hung in this case: please report it with the seed"
            let finding = Finding(
                caseID: scenario.id, severity: .error, headline: headline, place: FilePlace(scenario.location))
            let end = CaseFinished(caseID: scenario.id, verdict: .error, reason: headline)
            let started = CasePlayer.started(scenario, seed: CasePlayer.seed(of: scenario, in: options), worker: 0)
            sink.finish(index, started, [.finding(finding), .caseFinished(end)], .error)
        }
    }

    /// Why the run is to end now: a signal, for which it waits a while, or its deadline. Nil while it goes on.
    private func wasCutShort(_ began: Instant, _ signals: TerminationSignals?, waiting: Duration) -> String? {
        if let signal = signals?.wait(for: waiting) {
            interruption = signal == SIGINT ? .interrupt : .terminate
        } else if interruption == nil, let deadline = options.deadline,
            began.duration(to: ProcessClock.monotonic) > deadline
        {
            interruption = .deadline
        }
        return switch interruption {
        case .interrupt: "interrupted by SIGINT"
        case .terminate: "ended by SIGTERM"
        case .deadline: "the deadline of the whole run passed"
        case nil: nil
        }
    }
}

/// What one worker of a run does: case after case, in worlds of its own.
final class WorkerJob: @unchecked Sendable {
    // Sendable because it is handed to exactly one thread and not touched by the one that made it.
    private let worker: Int
    private let options: RunOptions
    private let target: PreparedTarget
    private let progress: RunProgress
    private let sink: EventSink
    private let comparison: TransportComparison?

    init(
        worker: Int, options: RunOptions, target: PreparedTarget, progress: RunProgress, sink: EventSink,
        comparison: TransportComparison?
    ) {
        self.worker = worker
        self.options = options
        self.target = target
        self.progress = progress
        self.sink = sink
        self.comparison = comparison
    }

    func play() {
        defer { progress.workerEnded() }
        do {
            try playCases()
        } catch {
            target.report(problem: error.description)
            progress.stop(error.description)
        }
    }

    /// How long a case may take by the clock before its worker counts as hanging: its own deadline and its settling,
    /// with much to spare for a loaded machine.
    private static func patience(with scenario: ScenarioCase) -> Duration {
        scenario.timeout * 2 + .seconds(120)
    }

    private func playCases() throws(RunnerError) {
        var player: CasePlayer?
        while let index = progress.next() {
            let scenario = options.cases[index]
            let seed = CasePlayer.seed(of: scenario, in: options)
            let started = CasePlayer.started(scenario, seed: seed, worker: worker)
            // In simulated time every case has a world of its own: what ran before must not show.
            let present: CasePlayer
            if let player, !options.isSimulated {
                present = player
            } else {
                present = CasePlayer(
                    world: try target.makeWorld(seed: seed), options: options, findings: target.findings, worker: worker
                )
            }
            player = present
            sink.begin(started)
            progress.caseBegan(index, deadline: ProcessClock.monotonic.advanced(by: Self.patience(with: scenario)))
            let (events, verdict, trace) = present.play(scenario, index: index, progress: progress)
            guard progress.caseEnded(index) else { return }
            comparison?.add(index, trace, verdict)
            sink.finish(index, started, events, verdict)
        }
        player?.close()
    }
}
