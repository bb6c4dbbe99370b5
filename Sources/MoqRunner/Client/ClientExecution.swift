import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqScenario

/// A call of the application behind a client: what it waits for first, the call itself, and the barrier that lets the
/// next step rely on it.
final class ClientExecution: Execution {
    private let whole: Step
    private let actorName: String
    private let call: ClientCall
    private var phase = Phase.beginning
    private var deadline: Instant?

    private enum Phase {
        case beginning
        /// The session comes up: because the step says so, or because the call needs one.
        case connecting(ConnectProgress, isCall: Bool)
        case sending(SendProgress)
        case waiting(Barrier)
        /// The call has gone through, or was turned down; what must come of it afterwards.
        case expecting(ExpectExecution)
    }

    init(_ whole: Step, actor: String, _ call: ClientCall) {
        self.whole = whole
        actorName = actor
        self.call = call
    }

    func advance(_ run: CaseRun) -> Progress {
        let progress = call(run)
        if case .expecting = phase { return progress }
        guard case .finished = progress, let outcome = call.outcome else { return progress }
        let step = ExpectStep(of: actorName, outcome, within: call.within)
        let expecting = ExpectExecution(whole, step, run)
        phase = .expecting(expecting)
        return expecting.advance(run)
    }

    private func call(_ run: CaseRun) -> Progress {
        guard let actor = run.actor(actorName), let client = actor.client else {
            return .failed(whole.failure(.error, "\(actorName) is no client", at: run.now))
        }
        do throws(CallProblem) {
            while true {
                switch phase {
                case .beginning:
                    guard try begin(actor, client, run) else { return .running }
                case .connecting(let progress, let isCall):
                    guard try connect(progress, isCall: isCall, actor, client, run) else { return .running }
                    if isCall { return came(to: nil, run) }
                case .sending(let sending):
                    guard sending.advance(run) else { return .running }
                    return came(to: nil, run)
                case .expecting(let expecting): return expecting.advance(run)
                case .waiting(let barrier):
                    return barrier.isPassed(by: actorName, run) ? came(to: nil, run) : .running
                }
            }
        } catch {
            switch error {
            case .refused(let error): return came(to: error, run)
            case .unusable(let text): return .failed(whole.failure(.error, text, at: run.now))
            }
        }
    }

    // MARK: The call

    /// Makes the call once what it is about is there; false to be asked again.
    private func begin(_ actor: SessionActor, _ client: ClientActor, _ run: CaseRun) throws(CallProblem) -> Bool {
        if case .connect(let path) = call.action {
            try client.call(call.action)
            phase = .connecting(try progress(actor, path: path, run), isCall: true)
            return true
        }
        if call.action.needsSession, call.fault != .notConnected, client.session.state == .idle {
            try client.call(.connect(path: nil))
            phase = .connecting(try progress(actor, path: nil, run), isCall: false)
            return true
        }
        if !client.hasWhatItNeeds(call.action) {
            let deadline = deadline ?? run.now.advanced(by: call.within)
            self.deadline = deadline
            run.wake(at: deadline)
            if run.now < deadline { return false }
        }
        if case .send(let send) = call.action {
            phase = .sending(SendProgress(send, try client.emitter(send.track), client, run.now))
            return true
        }
        try client.call(call.action)
        if call.fault != nil {
            phase = .waiting(.none)
            return true
        }
        phase = .waiting(barrier(actor, client, run))
        return true
    }

    private func progress(
        _ actor: SessionActor, path: String?, _ run: CaseRun
    ) throws(CallProblem) -> ConnectProgress {
        do throws(RunnerError) {
            let action = ConnectAction(path: path, outcome: .any, within: call.within)
            return try ConnectProgress(actor, action, run)
        } catch {
            throw .unusable(error.description)
        }
    }

    private func connect(
        _ progress: ConnectProgress, isCall: Bool, _ actor: SessionActor, _ client: ClientActor, _ run: CaseRun
    ) throws(CallProblem) -> Bool {
        client.port.now = run.now
        var problem: String?
        switch progress.advance(actor, run) {
        case .running:
            // `close` while the handshake is under way ends the call, too.
            guard client.session.state == .closed else { return false }
            problem = "cancelled"
        case .finished:
            if case .closed(let close) = actor.record.state { problem = close.text }
        case .failed(_, let headline, _, _): problem = headline
        }
        phase = .beginning
        guard let problem else {
            client.session.handshakeDone()
            client.settle()
            return true
        }
        let error = client.session.handshakeFailed(problem)
        client.settle()
        throw .refused(error)
    }

    private func barrier(_ actor: SessionActor, _ client: ClientActor, _ run: CaseRun) -> Barrier {
        switch call.action {
        case .publish(let path): .announced(path, by: actor, run)
        case .unpublish, .subscribe, .unsubscribe: .answered(actor, run)
        case .subscribeTrack: .subscribed(actor, run)
        default: .none
        }
    }

    /// What the call came to, by what a kit with a fault makes of its errors.
    private func came(to meant: ModelError?, _ run: CaseRun) -> Progress {
        let port = run.actor(actorName)?.client?.port
        let error = meant.flatMap { port?.refusal($0) ?? nil }
        return CallOutcome(step: whole, actor: actorName, fault: call.fault)
            .progress(error.map { CallRefusal($0) }, run)
    }
}

/// Objects being sent, with their pace.
final class SendProgress {
    private let action: SendAction
    private let emitter: DataTrackEmitter
    private let client: ClientActor
    private var index = 0
    private var due: Instant

    init(_ action: SendAction, _ emitter: DataTrackEmitter, _ client: ClientActor, _ now: Instant) {
        self.action = action
        self.emitter = emitter
        self.client = client
        due = now
    }

    /// Sends what is due; true once all is sent.
    func advance(_ run: CaseRun) -> Bool {
        guard index < action.count else { return true }
        guard run.now >= due else {
            run.wake(at: due)
            return false
        }
        client.port.now = run.now
        emitter.send(payload)
        client.settle()
        index += 1
        due = max(due.advanced(by: action.every), run.now)
        // A turn of the crank between two: a burst would go out newest first.
        run.wake(at: due)
        return index == action.count
    }

    private var payload: [UInt8] {
        if let content = action.content { return Array(content.utf8) }
        let mark = Array("\(action.track) \(emitter.sent + emitter.dropped) ".utf8)
        return Array((mark + Array(repeating: UInt8(ascii: "."), count: action.size)).prefix(action.size))
    }
}

extension ClientAction {
    /// Whether it is a call on a player.
    var needsPlayer: Bool {
        switch self {
        case .pause, .stopAll, .closePlayer, .switch: true
        default: false
        }
    }

    /// Whether it is a call on a session that has to be up.
    fileprivate var needsSession: Bool {
        switch self {
        case .publish, .subscribe: true
        default: false
        }
    }
}
