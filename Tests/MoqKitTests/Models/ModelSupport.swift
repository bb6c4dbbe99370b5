import MoqBase
import Testing

@testable import MoqKit

/// An application for tests: models on one port, a clock that is set by hand, and the machines that they are held to.
final class Bench {
    let platform: KitPlatform
    let port = ModelPort(at: .origin)
    private(set) var requests: [TransportRequest] = []
    private(set) var events: [ModelEvent] = []
    private var machines: [String: Machine] = [:]
    private var lines: [TraceLine] = []
    /// Longer traces than this are not held to the orders between objects at each step.
    private static let mostLines = 300

    init(_ platform: KitPlatform) {
        self.platform = platform
    }

    /// A session that is connected.
    func session() throws -> SessionModel {
        let session = SessionModel("session 1", as: platform, port: port)
        try session.connect()
        session.handshakeDone()
        return session
    }

    var milliseconds: Int {
        get { Int(port.now.nanoseconds / 1_000_000) }
        set { port.now = Instant(nanoseconds: UInt64(newValue) * 1_000_000) }
    }

    /// Takes what the models ask for and tell, and holds their steps to the machines.
    func settle() {
        requests += port.takeRequests()
        events += port.takeEvents()
        for step in port.takeSteps() {
            check(step)
            guard !step.isRefused else { continue }
            lines.append(
                TraceLine(
                    object: step.object, machine: step.machine, to: step.state, trigger: step.input,
                    payload: step.values, line: lines.count + 1))
        }
        if lines.count <= Self.mostLines { #expect(throws: Never.self) { try checkOrders() } }
    }

    /// Holds what happened so far to the orders between objects.
    private func checkOrders() throws {
        var trace = Trace(profile: platform == .ios ? .ios : .android, observes: [.triggers, .states], lines: lines)
        trace.isCut = true
        for object in try TraceCheck(trace).objects {
            #expect(object.refusal?.order == nil, "\(object.object) \(object.refusal?.came ?? "")")
        }
    }

    private func check(_ step: ModelStep) {
        let key = "\(step.machine) \(step.object)"
        let profile: MachineProfile = platform == .ios ? .ios : .android
        guard let definition = MachineLibrary.builtIn.machine(step.machine, profile) else {
            Issue.record("there is no machine \(step.machine)")
            return
        }
        var machine = machines[key] ?? Machine(definition)
        let before = machine.state
        let outcome = machine.take(step.input, step.values, choosing: step.state)
        machines[key] = machine
        let shown = definition.state(machine.state)?.shown ?? machine.state
        switch outcome {
        case .undefined(let undefined): Issue.record("\(step.object): \(undefined)")
        case .refused: #expect(step.isRefused, "\(step.object): \(step.input) in \(before)")
        case .moved, .ignored:
            #expect(!step.isRefused && shown == step.state, "\(step.object): \(step.input) in \(before): \(shown)")
        }
    }

    /// The names of what was told, in order.
    var names: [String] { events.map(\.name) }
}

/// The reason for which a call is turned down; nil when it goes through.
func reason(_ body: () throws -> Void) -> ModelError.Reason? {
    do {
        try body()
        return nil
    } catch let error as ModelError {
        return error.reason
    } catch {
        return nil
    }
}
