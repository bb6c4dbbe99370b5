import MoqEvents
import MoqKit
import MoqScenario

/// What a call of an application came to, held against what it must come to.
struct CallOutcome {
    /// The step that makes the call.
    let step: Step
    let actor: String
    /// The error that it must be turned down with; nil where it must go through.
    let fault: ClientFault?

    /// How the step ends: with a call that went through, or that was turned down.
    func progress(_ refusal: CallRefusal?, _ run: CaseRun) -> Progress {
        switch (refusal, fault) {
        case (nil, nil): return .finished
        case (let refusal?, nil):
            return failed("was turned down", "a call that goes through", refusal.description, run)
        case (nil, let fault?):
            return failed("went through", "the error \(fault.rawValue)", "no error", run)
        case (let refusal?, let fault?):
            guard fault == .any || fault.rawValue == refusal.reason else {
                return failed("was turned down with another error", fault.rawValue, refusal.inFull, run)
            }
            run.note(.check, actor, "turned down as it must be: \(refusal)")
            return .finished
        }
    }

    private func failed(_ what: String, _ expected: String, _ actual: String, _ run: CaseRun) -> Progress {
        .failed(
            step.failure(.fail, "\(actor): the call \(what)", expected: expected, actual: actual, at: run.now))
    }
}

/// Why a kit turned a call down.
struct CallRefusal: CustomStringConvertible {
    /// In the word of scenarios.
    let reason: String
    /// As the kit shows it.
    let description: String
    /// With the word.
    let inFull: String

    init(_ error: ModelError) {
        reason = error.reason.rawValue
        description = error.description
        inFull = "\(reason) (\(error))"
    }

    /// The errors of MoqomKit have the word in front.
    init(_ error: MoqomError) {
        reason = error.reason.rawValue
        description = error.description
        inFull = description
    }
}
