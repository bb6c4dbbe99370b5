import MoqBase
import MoqDrivers
import MoqEvents
import MoqScenario

/// What one worker of a run does: case after case, in worlds of its own.
final class WorkerJob: @unchecked Sendable {
    // Sendable because it is handed to exactly one thread and not touched by the one that made it.
    private let worker: Int
    private let round: Round
    private let target: PreparedTarget
    private let progress: RunProgress
    private let sink: EventSink

    /// How long a worker waits before it looks again whether what it waits for has ended.
    private static let pauseBetweenLooks = Duration.milliseconds(1)

    init(worker: Int, round: Round, target: PreparedTarget, progress: RunProgress, sink: EventSink) {
        self.worker = worker
        self.round = round
        self.target = target
        self.progress = progress
        self.sink = sink
    }

    private var options: RunOptions { round.options }

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
    private func patience(with scenario: ScenarioCase) -> Duration {
        scenario.timeout * 2 * options.patience + .seconds(120)
    }

    private func playCases() throws(RunnerError) {
        var player: CasePlayer?
        turns: while true {
            let index: Int
            switch progress.next() {
            case .play(let next): index = next
            case .block(let next, let reason):
                block(next, reason)
                continue turns
            case .wait:
                ProcessClock.pause(Self.pauseBetweenLooks)
                continue turns
            case .done: break turns
            }
            let scenario = options.cases[index]
            let started = round.started(scenario, worker: worker)
            // In simulated time every case has a world of its own: what ran before must not show.
            let present: CasePlayer
            if let player, !options.isSimulated {
                present = player
            } else {
                present = CasePlayer(
                    world: try target.makeWorld(seed: started.seed), options: options, findings: target.findings,
                    furtherRelays: target.furtherRelays, programs: target.programs, worker: worker)
            }
            player = present
            sink.begin(started)
            progress.caseBegan(index, CaseWatch(began: .now, patience: patience(with: scenario)))
            let (events, verdict, trace) = present.play(scenario, index: round.place(index), progress: progress)
            // Told first: who asks for the next case must not find this one neither under way nor ended.
            round.dependencies.ended(index, verdict)
            guard progress.caseEnded(index) else { return }
            round.comparison?.add(index, trace, verdict)
            sink.finish(round.place(index), started, events, verdict)
            if options.stopsAtFailure, verdict.isTrouble { progress.beginNoMore() }
        }
        player?.close()
    }

    /// Reports a case that is not played, since what it builds on failed.
    private func block(_ index: Int, _ reason: String) {
        let scenario = options.cases[index]
        let started = round.started(scenario, worker: worker)
        sink.begin(started)
        let finding = Finding(
            caseID: scenario.id, severity: .skip, headline: reason, place: FilePlace(scenario.location))
        let end = CaseFinished(caseID: scenario.id, verdict: .blocked, reason: reason)
        sink.finish(round.place(index), started, [.finding(finding), .caseFinished(end)], .blocked)
        round.dependencies.ended(index, .blocked)
        _ = progress.caseEnded(index)
    }
}
