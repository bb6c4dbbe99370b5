import MoqBase
import MoqKit

/// Holds the objects of a client to the definitions of their machines: every step that a model makes has to be one that
/// its machine makes, too, and that the orders between it and what it belongs to allow.
struct MachineWatch {
    /// A transition of a machine, as coverage counts it.
    struct Taken: Hashable {
        /// The machine.
        var machine: String
        /// The rule.
        var key: String
    }

    /// What an object did that it must not do.
    struct Breach: Equatable {
        /// What it is about.
        var headline: String
        /// What is defined, and where.
        var expected: String
        /// What was done.
        var actual: String
        /// The requirement that is broken.
        var requirements: [String] = []
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
    private let library: MachineLibrary
    private var places: [Name: Int] = [:]
    private var objects: [Watched] = []
    private var orders: OrderWatch

    /// A watch of objects of a profile; what is told of orders counts times from an instant.
    init(_ profile: MachineProfile, since start: Instant, in library: MachineLibrary = .builtIn) {
        self.profile = profile
        self.library = library
        orders = OrderWatch(since: start)
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

    /// Meets an object before it takes a step: others belong to it that may take one first.
    mutating func meet(_ machine: String, _ object: String) { _ = place(of: Name(machine: machine, object: object)) }

    /// The place of an object; nil where there is no machine of that name.
    private mutating func place(of name: Name) -> Int? {
        if let place = places[name] { return place }
        guard let definition = library.machine(name.machine, profile) else { return nil }
        places[name] = objects.count
        orders.meet(name.object, definition)
        objects.append(
            Watched(machine: Machine(definition), times: Array(repeating: 0, count: definition.rules.count)))
        return objects.count - 1
    }

    /// Takes a step; nil where its machine and the orders agree, or there is no machine of that name.
    mutating func take(_ step: ModelStep) -> Breach? {
        guard let place = place(of: Name(machine: step.machine, object: step.object)) else { return nil }
        if let breach = follow(step, at: place) {
            orders.leave(place)
            return breach
        }
        return orders.take(place, step, to: objects[place].machine.state)
    }

    /// How often orders were held, and how often one was broken.
    var ordersJudged: (held: Int, broken: Int) { (orders.held, orders.broken) }

    /// The turn is over: the orders that were broken by not going on.
    mutating func settle() -> [Breach] { orders.settle() }

    /// Takes a step on its machine.
    private mutating func follow(_ step: ModelStep, at place: Int) -> Breach? {
        let before = objects[place].machine.state
        let outcome = objects[place].machine.take(step.input, step.values, choosing: step.state)
        if let transition = outcome.transition { objects[place].times[transition.index] += 1 }
        let shown = objects[place].machine.definition.shown(objects[place].machine.state)
        var told: String { "\(step.object): `\(step.input)` in `\(before)`" }
        func breach(_ expected: String, _ actual: String) -> Breach {
            Breach(
                headline: "\(step.object) did what its machine `\(step.machine)` does not define", expected: expected,
                actual: actual)
        }
        switch outcome {
        case .undefined(let undefined): return breach("a transition of the machine", "\(told): \(undefined)")
        case .refused(_, let error):
            return step.isRefused ? nil : breach("\(told) is refused with \(error.says)", "it was not refused")
        case .moved, .ignored:
            if step.isRefused { return breach("\(told) leads to `\(shown)`", "it was refused") }
            return shown == step.state
                ? nil : breach("\(told) leads to `\(shown)`", "it is in `\(step.state)`")
        }
    }
}
