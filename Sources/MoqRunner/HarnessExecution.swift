import MoqBase
import MoqEvents
import MoqScenario

/// A change of the links.
final class NetworkExecution: Execution {
    private let action: NetworkAction

    init(_ action: NetworkAction) {
        self.action = action
    }

    func advance(_ run: CaseRun) -> Progress {
        for actor in run.actors where action.actor == nil || action.actor == actor.name {
            actor.setLink(action.change)
        }
        return .finished
    }
}

/// Something done to the relay under test itself.
final class RelayExecution: Execution {
    private let whole: Step
    private let action: RelayAction
    private var isBegun = false
    private var isDone = false
    /// Until when the relay may take to see its sessions off.
    private var farewell: Instant?
    private var deadline = Instant.distantFuture

    /// How long a relay may take until it answers again.
    private static let readiness = Duration.seconds(10)

    init(_ whole: Step, _ action: RelayAction) {
        self.whole = whole
        self.action = action
    }

    func advance(_ run: CaseRun) -> Progress {
        if !isBegun {
            isBegun = true
            run.note(.relay, "relay", whole.source)
            switch action {
            case .stop, .restart: farewell = run.world.warnRelay()
            case .start, .signal: break
            }
        }
        if let end = farewell {
            guard run.now >= end || run.world.isRelayDeserted else {
                run.wake(at: min(end, run.now.advanced(by: .milliseconds(20))))
                return .running
            }
            farewell = nil
        }
        if !isDone {
            isDone = true
            do {
                try begin(run)
            } catch {
                return .failed(whole.failure(.error, error.description, at: run.now))
            }
            guard case .start = action else {
                guard case .restart = action else { return .finished }
                deadline = run.now.advanced(by: run.patient(Self.readiness))
                return wait(run)
            }
            deadline = run.now.advanced(by: run.patient(Self.readiness))
        }
        return wait(run)
    }

    private func begin(_ run: CaseRun) throws(RunnerError) {
        switch action {
        case .start: try run.world.startRelay()
        case .stop:
            try run.world.stopRelay()
            run.control.detach()
        case .restart(let linger):
            try run.world.setLinger(linger ?? .zero)
            try run.world.stopRelay()
            // Its session is over, whether it has heard of it or not.
            run.control.detach()
            try run.world.startRelay()
        case .signal(let signal): try run.world.signalRelay(signal)
        }
    }

    private func wait(_ run: CaseRun) -> Progress {
        if run.control.isReady(reconnecting: true) {
            run.control.watch(run.scene.prefix)
            return .finished
        }
        guard run.now < deadline else {
            return .failed(
                whole.failure(
                    .error, "the relay did not answer within \(run.patient(Self.readiness).text) after it was started",
                    at: run.now))
        }
        run.wake(at: min(deadline, run.now.advanced(by: .milliseconds(50))))
        return .running
    }
}
