import MoqBase
import MoqEvents
import MoqScenario

/// How far a step has come.
enum Progress {
    case running
    case finished
    /// The step could not be done or its expectation does not hold: the scenario ends here.
    case failed(StepFailure)
}

/// Why a step ended a scenario.
struct StepFailure {
    var severity: Finding.Severity
    var headline: String
    var location: SourceLocation
    var source: String
    var expected: String?
    var actual: String?
    var at: Instant
    /// What the step puts to the test; empty when it does not say.
    var requirements: [String] = []
}

/// A step, or several, under way. It is asked after every turn of the crank, and says when it wants to be asked again
/// at the latest (`CaseRun.wake`).
protocol Execution: AnyObject {
    func advance(_ run: CaseRun) -> Progress
    /// Whether `advance` changed nothing when it gave `.running`: it looked on, or said itself what it did
    /// (`CaseRun.noteDeed`).
    var looksOn: Bool { get }
}

extension Execution {
    var looksOn: Bool { false }
}

/// Steps one after another.
final class SequenceExecution: Execution {
    private let steps: [Step]
    private let place: [Int]
    private var index = 0
    private var current: (any Execution)?

    init(_ steps: [Step], place: [Int] = []) {
        self.steps = steps
        self.place = place
    }

    func advance(_ run: CaseRun) -> Progress {
        while index < steps.count {
            let step = steps[index]
            let execution = current ?? step.execution(place + [index], run)
            current = execution
            let progress = execution.advance(run)
            if case .running = progress, execution.looksOn { return .running }
            run.noteDeed()
            switch progress {
            case .running:
                return .running
            case .failed(let failure):
                run.ended(
                    step, place + [index], failure.severity == .notTestable ? .notTestable : .failed, failure.headline)
                return .failed(failure)
            case .finished:
                run.ended(step, place + [index], .passed, nil)
                current = nil
                index += 1
            }
        }
        return .finished
    }
}

/// Branches side by side. A branch that repeats for ever is stopped once the others have ended.
final class ParallelExecution: Execution {
    private var branches: [(execution: SequenceExecution, isEndless: Bool, isDone: Bool)]

    init(_ branches: [[Step]], place: [Int]) {
        self.branches = branches.enumerated().map { index, steps in
            let isEndless = steps.contains { if case .repeat(let step) = $0.kind { step.times == nil } else { false } }
            return (SequenceExecution(steps, place: place + [index]), isEndless, false)
        }
    }

    var looksOn: Bool { true }

    func advance(_ run: CaseRun) -> Progress {
        for index in branches.indices where !branches[index].isDone {
            switch branches[index].execution.advance(run) {
            case .running: break
            case .finished: branches[index].isDone = true
            case .failed(let failure): return .failed(failure)
            }
        }
        return branches.allSatisfy { $0.isDone || $0.isEndless } ? .finished : .running
    }
}

/// Steps again and again.
final class RepeatExecution: Execution {
    private let step: RepeatStep
    private let location: SourceLocation
    private let source: String
    private let place: [Int]
    private var round = 0
    private var current: SequenceExecution?
    private var nextRound: Instant

    init(_ step: RepeatStep, of whole: Step, place: [Int], at now: Instant) {
        self.step = step
        location = whole.location
        source = whole.source
        self.place = place
        nextRound = now
    }

    var looksOn: Bool { true }

    func advance(_ run: CaseRun) -> Progress {
        while true {
            if let current {
                switch current.advance(run) {
                case .running: return .running
                case .failed(let failure): return .failed(failure)
                case .finished:
                    self.current = nil
                    round += 1
                }
            }
            if let times = step.times, round >= times { return .finished }
            guard run.now >= nextRound else {
                run.wake(at: nextRound)
                return .running
            }
            do {
                current = SequenceExecution(try step.steps(round: round), place: place)
            } catch {
                return .failed(
                    StepFailure(
                        severity: .error, headline: error.description, location: location, source: source, at: run.now))
            }
            // A round that takes longer than the interval delays the next one, it does not pile up.
            nextRound = step.every.map { max(nextRound.advanced(by: $0), run.now) } ?? run.now
        }
    }
}

/// Steps that begin some time after another step ended.
final class AfterExecution: Execution {
    private let step: AfterStep
    private let start: Instant
    private let sequence: SequenceExecution

    init(_ step: AfterStep, place: [Int], _ run: CaseRun) {
        self.step = step
        let origin = step.since.flatMap { run.namedEnds[$0] } ?? run.lastEnd
        start = origin.advanced(by: step.delay)
        sequence = SequenceExecution(step.steps, place: place)
    }

    var looksOn: Bool { true }

    func advance(_ run: CaseRun) -> Progress {
        guard run.now >= start else {
            run.wake(at: start)
            return .running
        }
        return sequence.advance(run)
    }
}

/// Nothing for a while.
final class WaitExecution: Execution {
    private let end: Instant

    init(_ duration: Duration, at now: Instant) {
        end = now.advanced(by: duration)
    }

    var looksOn: Bool { true }

    func advance(_ run: CaseRun) -> Progress {
        guard run.now < end else { return .finished }
        run.wake(at: end)
        return .running
    }
}

/// What an actor looks for, once it is connected: one that has not connected yet connects first.
final class ConnectedExecution: Execution {
    private let step: Step
    private let actor: String
    private let make: (CaseRun) -> any Execution
    private var connecting: ConnectProgress?
    private var inner: (any Execution)?

    init(_ step: Step, actor: String, then make: @escaping (CaseRun) -> any Execution) {
        self.step = step
        self.actor = actor
        self.make = make
    }

    var looksOn: Bool { inner?.looksOn ?? false }

    func advance(_ run: CaseRun) -> Progress {
        if let inner { return inner.advance(run) }
        do throws(RunnerError) {
            if let actor = run.actor(actor), !actor.definition.kind.isClient,
                connecting != nil || actor.record.state == .idle
            {
                if connecting == nil { connecting = try ConnectProgress(actor, nil, run) }
                guard let progress = connecting else { return .running }
                switch progress.advance(actor, run) {
                case .running: return .running
                case .finished: break
                case .failed(let severity, let headline, let expected, let actual):
                    return .failed(step.failure(severity, headline, expected: expected, actual: actual, at: run.now))
                }
            }
        } catch {
            return .failed(step.failure(.error, error.description, at: run.now))
        }
        let made = make(run)
        inner = made
        return made.advance(run)
    }
}

extension Step {
    /// The execution of this step, beginning now.
    func execution(_ place: [Int], _ run: CaseRun) -> any Execution {
        switch kind {
        case .session(let actor, let action): ActionExecution(self, actor: actor, action, run)
        case .client(let actor, let call):
            run.actor(actor)?.moqom == nil
                ? ClientExecution(self, actor: actor, call) : MoqomExecution(self, actor: actor, call)
        case .program(let actor, let action): ProgramExecution(self, actor: actor, action)
        case .relay(let action): RelayExecution(self, action)
        case .network(let action): NetworkExecution(action)
        case .expect(let step): ConnectedExecution(self, actor: step.actor) { ExpectExecution(self, step, $0) }
        case .never(let step): ConnectedExecution(self, actor: step.actor) { NeverExecution(self, step, $0) }
        case .parallel(let branches): ParallelExecution(branches, place: place)
        case .repeat(let step): RepeatExecution(step, of: self, place: place, at: run.now)
        case .after(let step): AfterExecution(step, place: place, run)
        case .wait(let duration): WaitExecution(duration, at: run.now)
        }
    }

    /// A failure of this step.
    func failure(
        _ severity: Finding.Severity, _ headline: String, expected: String? = nil, actual: String? = nil,
        at now: Instant
    ) -> StepFailure {
        StepFailure(
            severity: severity, headline: headline, location: location, source: source, expected: expected,
            actual: actual, at: now, requirements: requirements)
    }
}
