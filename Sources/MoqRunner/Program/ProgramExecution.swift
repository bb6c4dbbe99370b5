import MoqBase
import MoqConformance
import MoqScenario

/// Something done with an outside program.
final class ProgramExecution: Execution {
    private let whole: Step
    private let actorName: String
    private let action: ProgramAction
    private var deadline: Instant?

    init(_ whole: Step, actor: String, _ action: ProgramAction) {
        self.whole = whole
        actorName = actor
        self.action = action
    }

    func advance(_ run: CaseRun) -> Progress {
        guard let program = run.program(actorName) else {
            return .failed(whole.failure(.error, "\(actorName) is no program", at: run.now))
        }
        if let deadline { return ending(program, by: deadline, run) }
        do throws(RunnerError) {
            return try begin(program, run)
        } catch {
            return .failed(whole.failure(.error, error.description, at: run.now))
        }
    }

    private func begin(_ program: ProgramActor, _ run: CaseRun) throws(RunnerError) -> Progress {
        if case .start(let start) = action {
            guard !program.isRunning else {
                throw .unusable("\(actorName) runs already: a step has to end it, or expect its `exit`, before")
            }
            try program.start(start)
            run.wake(at: run.now)
            return .finished
        }
        guard program.isRunning else {
            return .failed(
                whole.failure(
                    .fail, "\(actorName): the program has ended before", expected: "a program that runs",
                    actual: program.record.program?.story, at: run.now))
        }
        switch action {
        case .start: break
        case .tell(let line): try program.tell(line)
        case .endInput: program.endInput()
        case .signal(let signal): program.signal(signal)
        case .stop(let stop):
            program.signal(stop.signal)
            let deadline = run.now.advanced(by: run.patient(stop.grace))
            self.deadline = deadline
            return ending(program, by: deadline, run)
        }
        return .finished
    }

    private func ending(_ program: ProgramActor, by deadline: Instant, _ run: CaseRun) -> Progress {
        program.process()
        guard program.isRunning else { return .finished }
        guard run.now >= deadline else {
            run.wake(at: deadline)
            return .running
        }
        program.kill()
        return .failed(
            whole.failure(
                .fail, "\(actorName): the program did not end when it was told to, and was killed",
                expected: whole.source, actual: program.record.program?.story, at: run.now))
    }
}
