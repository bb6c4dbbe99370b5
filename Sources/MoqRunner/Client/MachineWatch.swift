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

    /// Which object, of which machine.
    private struct Name: Hashable {
        var machine: String
        var object: String
    }

    /// An object on its machine, and how often it took each rule.
    private struct Watched {
        var machine: Machine
        var times: [Int]
    }

    /// Whose behaviour the machines are.
    let profile: MachineProfile
    private var places: [Name: Int] = [:]
    private var objects: [Watched] = []

    init(_ profile: MachineProfile) {
        self.profile = profile
    }

    /// How often each transition was taken.
    var taken: [Taken: Int] {
        var taken: [Taken: Int] = [:]
        for object in objects {
            let definition = object.machine.definition
            for (index, times) in object.times.enumerated() where times > 0 {
                taken[Taken(machine: definition.name, key: definition.rules[index].key), default: 0] += times
            }
        }
        return taken
    }

    /// The place of the object of a step; nil where there is no machine of that name.
    private mutating func place(of step: ModelStep) -> Int? {
        let name = Name(machine: step.machine, object: step.object)
        if let place = places[name] { return place }
        guard let definition = MachineLibrary.builtIn.machine(step.machine, profile) else { return nil }
        places[name] = objects.count
        objects.append(
            Watched(machine: Machine(definition), times: Array(repeating: 0, count: definition.rules.count)))
        return objects.count - 1
    }

    /// Takes a step; nil where the machine agrees, or there is none of that name, or else what it says.
    mutating func take(_ step: ModelStep) -> (expected: String, actual: String)? {
        guard let place = place(of: step) else { return nil }
        let before = objects[place].machine.state
        let outcome = objects[place].machine.take(step.input, step.values, choosing: step.state)
        if let transition = outcome.transition { objects[place].times[transition.index] += 1 }
        let shown = objects[place].machine.definition.shown(objects[place].machine.state)
        var told: String { "\(step.object): `\(step.input)` in `\(before)`" }
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
