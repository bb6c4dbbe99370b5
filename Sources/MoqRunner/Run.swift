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
    private var roundsBegun = 0

    /// How often the main thread looks for signals and the deadline while workers play.
    private static let watchInterval = Duration.milliseconds(5)
    /// How long workers may take to end after the run was stopped: they leave at their next turn.
    private static let stopPatience = Duration.seconds(5)

    /// A run with its options; `write` gets every event, never from two threads at once.
    public init(_ options: RunOptions, write: @escaping (RunEvent) -> Void) {
        self.options = options
        sink = EventSink(keepsOrder: options.isSimulated, countsRounds: options.rounds > 1, write: write)
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
        target?.programs?.endAll()
        sink.flush()
        var ledger = sink.ledger
        // A run that ends with the first failure leaves out what comes after it.
        if !options.stopsAtFailure { ledger.notStarted = caseCount - ledger.all }
        var circumstances = ExitStatus.Circumstances()
        circumstances.strict = options.isStrict
        circumstances.environment = environment
        circumstances.interruption = interruption
        circumstances.nondeterministic = sink.variation
        circumstances.knownFailures = options.known?.complaints.lines ?? []
        circumstances.listedFailures = options.known?.complaints.otherFailures ?? 0
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
            case .embedded:
                (
                    options.fault.map { "the embedded relay with the fault \($0)" } ?? options.kitFault.map {
                        "the embedded relay, for client kits with the fault \($0)"
                    } ?? "the embedded relay", .embedded,
                    "in process"
                )
            case .url(let url): (url.description, .url, "\(url.host):\(url.port)")
            case .command(let command, _, _): (command, .command, "started for the run")
            }
        let capabilities = options.capabilitiesAdded.map { "+\($0)" } + options.capabilitiesRemoved.map { "-\($0)" }
        return RunStarted(
            moqspecVersion: options.moqspecVersion, seed: options.seed,
            target: RunStarted.Target(
                description: described.0, kind: described.1, address: described.2, capabilities: capabilities,
                release: options.release),
            world: options.isSimulated ? .simulated : .sockets, jobs: options.jobs, started: options.startedAt,
            selectedCases: options.stopsAtFailure ? nil : caseCount, rounds: options.rounds,
            profile: options.profile.rawValue)
    }

    private func play(_ began: Instant, _ signals: TerminationSignals?) throws(RunnerError) {
        let target = try PreparedTarget(options) { [self] in wasCutShort(began, signals, waiting: .zero) != nil }
        self.target = target
        for event in target.events { sink.emit(.targetProbed(event)) }
        for number in 1...max(1, options.rounds) {
            guard try play(Round(number, of: options), target, began, signals) else { return }
        }
    }

    /// Plays one round; false when it is the last one.
    private func play(
        _ round: Round, _ target: PreparedTarget, _ began: Instant, _ signals: TerminationSignals?
    ) throws(RunnerError) -> Bool {
        let (playable, alone) = reportSkips(round, target)
        for (cases, workers) in [(playable, options.jobs), (alone, 1)] where !cases.isEmpty {
            let progress = RunProgress(
                workers > 1 ? round.order(of: cases) : cases, dependencies: round.dependencies)
            try playAll(round, progress, target, workers: workers, began, signals)
            if progress.stopped != nil || hasFailedEnough { return false }
        }
        compare(round)
        return !hasFailedEnough
    }

    /// Whether the run was to end with a failure, and has had one.
    private var hasFailedEnough: Bool { options.stopsAtFailure && sink.ledger.hasTrouble }

    /// The cases of all rounds and the comparisons between them.
    private var caseCount: Int { Round(1, of: options).count * max(1, options.rounds) }

    /// Reports where sessions saw different things on different transports.
    private func compare(_ round: Round) {
        guard let comparison = round.comparison else { return }
        for (offset, outcome) in comparison.outcomes().enumerated() {
            let scenario = outcome.scenario
            let started = round.started(scenario, worker: 0)
            let end = CaseFinished(
                caseID: scenario.id, verdict: outcome.verdict, reason: outcome.findings.first?.headline)
            sink.begin(started)
            let events = outcome.findings.map(RunEvent.finding) + [.caseFinished(end)]
            sink.finish(round.place(options.cases.count + offset), started, events, outcome.verdict)
        }
    }

    /// Reports what cannot be played, and divides the rest into cases that may run side by side and those that may not.
    private func reportSkips(_ round: Round, _ target: PreparedTarget) -> (together: [Int], alone: [Int]) {
        var playable: [Int] = []
        for (index, scenario) in options.cases.enumerated() {
            guard let reason = target.findings.reasonToSkip(scenario) else {
                playable.append(index)
                continue
            }
            round.dependencies.ended(index, .skip)
            let started = round.started(scenario, worker: 0)
            sink.begin(started)
            let finding = Finding(
                caseID: scenario.id, severity: .skip, headline: reason, place: FilePlace(scenario.location))
            let end = CaseFinished(caseID: scenario.id, verdict: .skip, reason: reason)
            sink.finish(round.place(index), started, [.finding(finding), .caseFinished(end)], .skip)
        }
        // What builds on a case that runs alone comes after it.
        let alone = round.dependencies.following(playable.filter { target.needsToBeAlone(options.cases[$0]) })
        return (playable.filter { !alone.contains($0) }, playable.filter(alone.contains))
    }

    private func playAll(
        _ round: Round, _ progress: RunProgress, _ target: PreparedTarget, workers: Int, _ began: Instant,
        _ signals: TerminationSignals?
    ) throws(RunnerError) {
        let number = max(1, min(workers, progress.remaining.count))
        var threads: [WorkerThread] = []
        for worker in 0..<number {
            progress.workerBegan()
            let job = WorkerJob(
                worker: worker, round: round, target: target, progress: progress, sink: sink)
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
            giveUp(progress.abandon(), round)
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
            if progress.isOverdue(at: .now) { progress.stop("a case hangs") }
            if progress.stopped != nil {
                let since = stoppedAt ?? now
                stoppedAt = since
                if since.duration(to: now) > Self.stopPatience { return false }
            }
        }
        return true
    }

    /// Reports cases whose worker hangs.
    private func giveUp(_ indices: [Int], _ round: Round) {
        for index in indices {
            let scenario = options.cases[index]
            let headline = "the harness hung in this case: please report it with the seed"
            let finding = Finding(
                caseID: scenario.id, severity: .error, headline: headline, place: FilePlace(scenario.location))
            let end = CaseFinished(caseID: scenario.id, verdict: .error, reason: headline)
            let started = round.started(scenario, worker: 0)
            sink.finish(round.place(index), started, [.finding(finding), .caseFinished(end)], .error)
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
