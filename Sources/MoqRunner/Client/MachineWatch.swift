import MoqKit

/// Holds the objects of a client to the definitions of their machines: every step that a model makes has to be one that
/// its machine makes, too.
struct MachineWatch {
    /// A transition of a machine, as coverage counts it.
    struct Taken: Hashable {
        /// The machine.
        var machine: String
        /// The rule.
        var key: String
    }

    /// Whose behaviour the machines are.
    let profile: MachineProfile
    /// How often each transition was taken.
    private(set) var taken: [Taken: Int] = [:]
    private var machines: [String: Machine] = [:]

    init(_ profile: MachineProfile) {
        self.profile = profile
    }

    /// Takes a step; nil where the machine agrees, or there is none of that name, or else what it says.
    mutating func take(_ step: ModelStep) -> (expected: String, actual: String)? {
        let key = "\(step.machine) \(step.object)"
        if machines[key] == nil {
            guard let definition = MachineLibrary.builtIn.machine(step.machine, profile) else { return nil }
            machines[key] = Machine(definition)
        }
        guard let definition = machines[key]?.definition, let before = machines[key]?.state else { return nil }
        guard let outcome = machines[key]?.take(step.input, step.values, choosing: step.state) else { return nil }
        let told = "\(step.object): `\(step.input)` in `\(before)`"
        if let transition = outcome.transition {
            taken[Taken(machine: step.machine, key: transition.key), default: 0] += 1
        }
        let after = machines[key]?.state ?? before
        let shown = definition.state(after)?.shown ?? after
        switch outcome {
        case .undefined(let undefined): return ("a transition of the machine", "\(told): \(undefined)")
        case .refused(_, let error):
            return step.isRefused ? nil : ("\(told) is refused with \(error.says)", "it was not refused")
        case .moved, .ignored:
            if step.isRefused { return ("\(told) leads to `\(shown)`", "it was refused") }
            return shown == step.state ? nil : ("\(told) leads to `\(shown)`", "it is in `\(step.state)`")
        }
    }
}
