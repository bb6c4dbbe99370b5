import MoqBase
import MoqDrivers
import MoqEvents
import MoqScenario

/// What one worker of a mutation run does: fault after fault.
final class MutationJob: @unchecked Sendable {
    // Sendable because it is handed to exactly one thread and not touched by the one that made it.
    private let worker: Int
    private let work: MutationWork

    /// Unrelated notices kept of one fault: the first ones tell the story.
    private static let unrelatedKept = 3

    init(_ worker: Int, _ work: MutationWork) {
        self.worker = worker
        self.work = work
    }

    func play() {
        defer { work.workerEnded() }
        do {
            while let index = work.next() {
                if let result = try play(work.faults[index], index) { work.add(result, at: index) }
            }
        } catch {
            work.report(problem: error.description)
            work.stop()
        }
    }

    /// Plays cases until one notices. Nil when the run was stopped meanwhile.
    private func play(_ fault: Mutant, _ index: Int) throws(RunnerError) -> MutationResult? {
        let began = ProcessClock.monotonic
        let plan = MutationPlan(fault, over: work.options.cases, playable: work.playable)
        var result = MutationResult(
            fault: fault, outcome: .unplayable("no case meets it"), played: 0, unsound: [], duration: .zero)
        var unrelated: [MutationResult.Notice] = []
        for number in plan.order {
            let findings = try findings(of: number, fault, index)
            guard !work.hasStopped else { return nil }
            result.played += 1
            guard let notice = notice(in: findings, of: fault, number, &unrelated) else { continue }
            guard try isSound(number, index) else {
                result.unsound.append(work.options.cases[number].id)
                continue
            }
            result.outcome = .noticed(notice)
            result.duration = began.duration(to: ProcessClock.monotonic)
            return result
        }
        if !plan.order.isEmpty { result.outcome = unrelated.isEmpty ? .unnoticed : .unrelated(unrelated) }
        result.duration = began.duration(to: ProcessClock.monotonic)
        return result
    }

    /// What in the findings of a case is about the fault. What is about something else is added to `unrelated`.
    private func notice(
        in findings: [Finding], of fault: Mutant, _ number: Int, _ unrelated: inout [MutationResult.Notice]
    ) -> MutationResult.Notice? {
        let caseID = work.options.cases[number].id
        for finding in findings where finding.severity == .fail || finding.severity == .warn {
            let named = finding.requirements.filter(fault.requirements.contains)
            guard named.isEmpty else {
                return MutationResult.Notice(caseID: caseID, requirements: named, headline: finding.headline)
            }
        }
        let loud: [Finding.Severity] = [.fail, .warn, .error, .vacuous]
        if unrelated.count < Self.unrelatedKept, let first = findings.first(where: { loud.contains($0.severity) }) {
            unrelated.append(
                MutationResult.Notice(caseID: caseID, requirements: first.requirements, headline: first.headline))
        }
        return nil
    }

    /// Whether a case passes on the relay without any fault.
    private func isSound(_ number: Int, _ index: Int) throws(RunnerError) -> Bool {
        if let known = work.isSound(number) { return known }
        let findings = try findings(of: number, nil, index)
        let isSound = findings.allSatisfy { $0.severity == .note }
        work.note(number, isSound: isSound)
        return isSound
    }

    private func findings(of number: Int, _ fault: Mutant?, _ index: Int) throws(RunnerError) -> [Finding] {
        let scenario = work.options.cases[number]
        let seed = CasePlayer.seed(of: scenario, in: work.options)
        var options = work.options
        options.kitFault = fault?.kitFault
        let player = CasePlayer(
            world: try work.target.makeWorld(seed: seed, fault: fault?.relayFault), options: options,
            findings: work.findings, furtherRelays: work.target.furtherRelays, worker: worker)
        let progress = RunProgress([])
        work.caseBegan(worker, fault: index, scenario, progress)
        let (events, _, _) = player.play(scenario, index: number, progress: progress)
        work.caseEnded(worker)
        player.close()
        return events.compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
    }
}
