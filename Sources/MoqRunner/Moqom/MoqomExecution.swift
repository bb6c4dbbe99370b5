import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqScenario

/// A call of the application behind a MoqomKit session: what it waits for first, the call itself, and the barrier that
/// lets the next step rely on it.
final class MoqomExecution: Execution {
    private let whole: Step
    private let actorName: String
    private let call: ClientCall
    private var phase = Phase.beginning
    private var deadline: Instant?

    private enum Phase {
        case beginning
        /// The session comes up: because the step says so, or because the call needs one.
        case connecting(isCall: Bool)
        case waiting(Barrier)
    }

    init(_ whole: Step, actor: String, _ call: ClientCall) {
        self.whole = whole
        actorName = actor
        self.call = call
    }

    func advance(_ run: CaseRun) -> Progress {
        guard let actor = run.actor(actorName), let moqom = actor.moqom else {
            return .failed(whole.failure(.error, "\(actorName) is no session of MoqomKit", at: run.now))
        }
        let deadline = deadline ?? run.now.advanced(by: run.patient(call.within))
        self.deadline = deadline
        do throws(MoqomError) {
            while true {
                switch phase {
                case .beginning:
                    guard try begin(moqom, run, deadline) else { return .running }
                case .connecting(let isCall):
                    guard try connected(moqom, run, deadline) else { return .running }
                    if isCall { return outcome.progress(nil, run) }
                    phase = .beginning
                case .waiting(let barrier):
                    return barrier.isPassed(by: actorName, run) ? outcome.progress(nil, run) : .running
                }
            }
        } catch {
            return outcome.progress(CallRefusal(error), run)
        }
    }

    private var outcome: CallOutcome { CallOutcome(step: whole, actor: actorName, fault: call.fault) }

    /// Makes the call once what it is about is there; false to be asked again.
    private func begin(_ moqom: MoqomActor, _ run: CaseRun, _ deadline: Instant) throws(MoqomError) -> Bool {
        if case .connect = call.action {
            try moqom.call(call.action)
            phase = .connecting(isCall: true)
            return true
        }
        if case .moqom(let inner) = call.action, inner.entered(by: moqom.settings.user) != nil,
            call.fault != .notConnected, moqom.session.state == .idle
        {
            try moqom.call(.connect(path: nil))
            phase = .connecting(isCall: false)
            return true
        }
        // Joining again waits until the goodbye is said, as an application does that awaits what it called.
        if case .moqom(let inner) = call.action, call.fault == nil,
            let room = inner.entered(by: moqom.settings.user), moqom.session.state != .closed,
            moqom.session.isLeaving(room)
        {
            run.wake(at: deadline)
            if run.now < deadline { return false }
        }
        if call.fault != .unknownParticipant, call.fault != .notOpen, !moqom.hasWhatItNeeds(call.action) {
            run.wake(at: deadline)
            if run.now < deadline { return false }
        }
        try moqom.call(call.action)
        phase = .waiting(barrier(moqom, run))
        return true
    }

    private func connected(_ moqom: MoqomActor, _ run: CaseRun, _ deadline: Instant) throws(MoqomError) -> Bool {
        switch moqom.session.state {
        case .established: return true
        case .closed: throw MoqomError(.connectionFailed, moqom.session.terminal?.reason ?? "closed")
        case .idle, .connecting, .reconnecting, .away:
            run.wake(at: deadline)
            guard run.now < deadline else { throw MoqomError(.connectionFailed, "nobody answered in time") }
            return false
        }
    }

    private func barrier(_ moqom: MoqomActor, _ run: CaseRun) -> Barrier {
        guard call.fault == nil, case .moqom(let inner) = call.action,
            let room = inner.entered(by: moqom.settings.user)
        else {
            return .none
        }
        return .announced(MoqomRoom.path(of: moqom.settings.user, in: room), by: moqom.link, run)
    }
}
