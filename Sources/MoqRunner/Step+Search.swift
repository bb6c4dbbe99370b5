import MoqConformance
import MoqScenario

extension Step {
    /// Whether this step, or one inside it, lets the actor vanish.
    func mentions(vanishOf actor: String) -> Bool {
        contains { kind in
            switch kind {
            case .session(actor, .vanish): true
            case .client(actor, let call): call.action == .vanish
            default: false
            }
        }
    }

    /// Whether this step, or one inside it, refuses requests for a track.
    func mentions(answerTo track: String) -> Bool {
        contains { kind in
            guard case .session(_, let action) = kind else { return false }
            switch action {
            case .refuse(let refuse): return refuse.target.track == track
            case .accept(let target, _): return target.track == track
            case .hold(let target, _): return target.track == track
            default: return false
            }
        }
    }

    /// Whether what the step says was put to the test once it has passed: not when it only begins to forbid something,
    /// or holds other steps.
    var provesSomething: Bool {
        switch kind {
        case .expect, .session(_, .connect): true
        case .never(let never): never.duration != nil
        case .client(_, let call): call.fault != nil
        case .session, .program, .relay, .network, .parallel, .repeat, .after, .wait: false
        }
    }

    /// Whether this step, or one inside it, does something to the relay itself.
    var touchesRelay: Bool {
        contains { if case .relay = $0 { true } else { false } }
    }

    /// The expectations of an order in this step and those inside it. Rounds of a repeat are made as they come, so
    /// theirs see only what happens from then on.
    var expectationsOfOrder: [(location: SourceLocation, expect: ExpectStep)] {
        switch kind {
        case .expect(let expect): expect.condition.asksForOrder ? [(location, expect)] : []
        case .parallel(let branches): branches.joined().flatMap(\.expectationsOfOrder)
        case .after(let step): step.steps.flatMap(\.expectationsOfOrder)
        case .session, .client, .program, .relay, .network, .never, .repeat, .wait: []
        }
    }

    /// Whether this step, or one inside it, is such a one.
    func contains(_ matches: (StepKind) -> Bool) -> Bool {
        if matches(kind) { return true }
        switch kind {
        case .parallel(let branches): return branches.joined().contains { $0.contains(matches) }
        case .repeat(let step): return step.firstRound.contains { $0.contains(matches) }
        case .after(let step): return step.steps.contains { $0.contains(matches) }
        case .session, .client, .program, .relay, .network, .expect, .never, .wait: return false
        }
    }
}
