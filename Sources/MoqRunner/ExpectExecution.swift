import MoqBase
import MoqConformance
import MoqScenario

/// Waits until what a step names has happened.
final class ExpectExecution: Execution {
    private let whole: Step
    private let step: ExpectStep
    private var judge: WatchfulJudge
    /// How long it may take.
    private let wait: Duration
    private let deadline: Instant
    private var heldSince: Instant?
    private var service: ServiceProof?

    init(_ whole: Step, _ step: ExpectStep, _ run: CaseRun) {
        self.whole = whole
        self.step = step
        judge = run.judgeOfOrder(at: whole.location) ?? WatchfulJudge(Judge(expecting: step.condition))
        wait = run.patient(step.within)
        deadline = run.now.advanced(by: wait)
        if step.condition.asksForService { service = run.startServiceProof() }
    }

    var looksOn: Bool { service == nil }

    func advance(_ run: CaseRun) -> Progress {
        let judgement =
            if let service {
                judge.judge(step.actor, in: run, relayServes: service.outcome(run))
            } else {
                judge.judge(step.actor, in: run)
            }
        switch judgement {
        case .met(let seen):
            guard let holds = step.holds else {
                run.note(.check, step.actor, "holds: \(whole.source): \(seen)")
                return .finished
            }
            let since = heldSince ?? run.now
            heldSince = since
            let end = since.advanced(by: holds)
            guard run.now < end else { return .finished }
            run.wake(at: end)
            return .running
        case .pending(let seen):
            if heldSince != nil { return fail("it did not stay so", seen, run) }
            guard run.now < deadline else { return fail("it did not happen within \(wait.text)", seen, run) }
            run.wake(at: deadline)
            return .running
        case .broken(let seen):
            return fail("something else happened", seen, run)
        case .notTestable(let reason):
            return .failed(whole.failure(.notTestable, reason, expected: whole.source, actual: reason, at: run.now))
        }
    }

    private func fail(_ how: String, _ seen: String, _ run: CaseRun) -> Progress {
        .failed(whole.failure(.fail, "\(step.actor): \(how)", expected: whole.source, actual: seen, at: run.now))
    }
}

/// Holds something off for a time, and then proves that the session would have seen it.
final class NeverExecution: Execution {
    private let whole: Step
    private let step: NeverStep
    private var judge: WatchfulJudge
    private let end: Instant?
    private var fence: SessionActor.Fence?
    private var fenceDeadline = Instant.distantFuture
    private var service: ServiceProof?

    /// How long a session may take to prove that it is alive.
    private static let proofDeadline = Duration.seconds(5)

    init(_ whole: Step, _ step: NeverStep, _ run: CaseRun) {
        self.whole = whole
        self.step = step
        judge = WatchfulJudge(Judge(forbidding: step.condition, after: run.record(of: step.actor)))
        end = step.duration.map { run.now.advanced(by: $0) }
    }

    var looksOn: Bool { fence == nil && service == nil }

    func advance(_ run: CaseRun) -> Progress {
        guard let end else {
            // Without a time it is forbidden for the rest of the case, which goes on meanwhile.
            run.forbid(StandingNever(whole: whole, step: step, judge: judge))
            return .finished
        }
        // On a busy machine a turn may come long after the end; what it brings says nothing about the time before.
        if run.now <= end, let failure = check(run) { return .failed(failure) }
        guard run.now >= end else {
            run.wake(at: end)
            return .running
        }
        return prove(run)
    }

    private func check(_ run: CaseRun) -> StepFailure? {
        guard case .met(let seen) = judge.judge(step.actor, in: run) else { return nil }
        return whole.failure(
            .fail, "\(step.actor): what must not happen did", expected: "never \(whole.source)", actual: seen,
            at: run.now)
    }

    /// That nothing came proves nothing unless the session was there to see it.
    private func prove(_ run: CaseRun) -> Progress {
        // Nothing stands between a program and what it prints.
        if run.program(step.actor) != nil { return .finished }
        guard let actor = run.actor(step.actor) else {
            let proof = service ?? run.startServiceProof()
            service = proof
            switch proof.outcome(run) {
            case true?: return .finished
            case false?: return .failed(whole.failure(.fail, "the relay no longer serves", at: run.now))
            case nil: return .running
            }
        }
        // A session that is closed, or never came up, has nothing to prove: it can see nothing.
        guard actor.isConnected else { return .finished }
        if fence == nil {
            fence = actor.startFence()
            fenceDeadline = run.now.advanced(by: run.patient(Self.proofDeadline))
        }
        guard let fence, !fence.isAnswered, !fence.isLost else { return .finished }
        guard run.now < fenceDeadline else {
            return .failed(
                whole.failure(
                    .fail, "\(step.actor): nothing was seen, and the session no longer answers",
                    expected: "the relay refuses a subscription to what nobody publishes",
                    actual: "no answer in \(run.patient(Self.proofDeadline).text)", at: run.now))
        }
        run.wake(at: fenceDeadline)
        return .running
    }
}

/// Something that is forbidden for the rest of a case.
struct StandingNever {
    var whole: Step
    var step: NeverStep
    var judge: WatchfulJudge

    /// The failure, if it happened.
    mutating func check(_ run: CaseRun) -> StepFailure? {
        guard case .met(let seen) = judge.judge(step.actor, in: run) else { return nil }
        return whole.failure(
            .fail, "\(step.actor): what must not happen did", expected: "never \(whole.source)", actual: seen,
            at: run.now)
    }
}

extension ExpectationTree {
    /// Whether the relay must be seen to serve a new session.
    var asksForService: Bool {
        switch self {
        case .one(let expectation): expectation.kind == .relayServes
        case .all(let nodes), .any(let nodes), .inOrder(let nodes): nodes.contains { $0.asksForService }
        }
    }
}

extension Duration {
    /// `250 ms` or `2 s`.
    var text: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
