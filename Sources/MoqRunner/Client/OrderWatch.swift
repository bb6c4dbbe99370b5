import MoqBase
import MoqKit

/// Holds the objects of a client to the orders between them (`orders` in the definitions of machines), step by step.
///
/// An object is looked at when it comes to another state, and again once something that others belong to has moved; steps
/// in between cost two comparisons. What has to end with its owner has to have ended once the turn is over: the models do
/// it at once. Where the owner is not known, or one of the two has taken a step that its machine does not define, an order
/// is not held. Objects are known by their places, which count from 0 in the order in which they were met.
struct OrderWatch {
    /// What every order that is broken breaks.
    static let requirement = "kit.orders"

    /// A step that led to another state.
    private struct Move {
        var input: String
        var at: Instant
    }

    private struct Object {
        let name: String
        let machine: String
        let orders: [MachineOrder]
        /// The id of what it belongs to.
        var owner: String?
        /// The state that it is in, and those that it has been in.
        var state: String
        var reached: [String]
        /// How it came to its state; nil at the beginning.
        var move: Move?
        /// Who has to go somewhere when it ends.
        var dependents: [Int] = []
        /// Whom it is a dependent of.
        var owners: [Int] = []
        /// The revision at which it was looked at last.
        var revision = -1
        /// Whether it broke an order, or did what its machine does not define: then it is not looked at any more.
        var isAstray = false
    }

    /// From a player's track to its session it is four steps; a chain that is longer goes in circles.
    private static let mostParents = 16

    /// How many looks found orders kept, and how many found one broken.
    private(set) var held = 0
    private(set) var broken = 0
    private let start: Instant
    private var objects: [Object] = []
    private var places: [String: [Int]] = [:]
    /// The machines that those who were met may belong to.
    private var ownerMachines: Set<String> = []
    /// Grows with every step by which an order may become broken for an object that stays where it is.
    private var revision = 0
    /// Who has to have gone somewhere by the end of the turn, and because of which order and whom.
    private var due: [(place: Int, order: MachineOrder, owner: Int)] = []

    /// A watch whose times count from an instant.
    init(since start: Instant) { self.start = start }

    /// Meets an object, which gets the next place.
    mutating func meet(_ name: String, _ definition: MachineDefinition) {
        places[name, default: []].append(objects.count)
        objects.append(
            Object(
                name: name, machine: definition.name, orders: definition.orders, state: definition.initialState,
                reached: [definition.initialState]))
        ownerMachines.formUnion(definition.orders.map(\.owner))
    }

    /// Holds an object to no order any more, nor another to one with it.
    mutating func leave(_ place: Int) { objects[place].isAstray = true }

    /// Takes a step that led an object to a state, or left it there; nil where no order is against it.
    mutating func take(_ place: Int, _ step: ModelStep, to state: String) -> MachineWatch.Breach? {
        guard !objects[place].isAstray, !step.isRefused else { return nil }
        if let owner = step.owner, objects[place].owner != owner {
            objects[place].owner = owner
            revision += 1
        }
        if objects[place].state != state {
            move(place, Move(input: step.input, at: step.at), to: state)
        } else if objects[place].revision == revision {
            return nil
        }
        objects[place].revision = revision
        for order in objects[place].orders where order.states.isEmpty || order.states.contains(state) {
            guard let owner = owner(of: place, order.owner), !objects[owner].isAstray else { continue }
            if order.kind == .until, !order.then.isEmpty, !objects[place].owners.contains(owner) {
                objects[place].owners.append(owner)
                objects[owner].dependents.append(place)
            }
            let isBroken =
                switch order.kind {
                case .after: !order.ownerStates.contains(where: objects[owner].reached.contains)
                case .until: order.ownerStates.contains(objects[owner].state)
                }
            if !isBroken { held += 1 }
            if isBroken { return breach(of: order, place, owner, by: Move(input: step.input, at: step.at)) }
        }
        return nil
    }

    private mutating func move(_ place: Int, _ move: Move, to state: String) {
        objects[place].state = state
        objects[place].move = move
        if !objects[place].reached.contains(state) { objects[place].reached.append(state) }
        guard ownerMachines.contains(objects[place].machine) else { return }
        revision += 1
        for dependent in objects[place].dependents where !objects[dependent].isAstray {
            for order in objects[dependent].orders
            where order.kind == .until && !order.then.isEmpty && order.owner == objects[place].machine
                && order.ownerStates.contains(state) && order.states.contains(objects[dependent].state)
            {
                due.append((dependent, order, place))
            }
        }
    }

    /// The turn is over: what had to end with its owner has ended, or here it is said.
    mutating func settle() -> [MachineWatch.Breach] {
        guard !due.isEmpty else { return [] }
        defer { due = [] }
        var breaches: [MachineWatch.Breach] = []
        for (place, order, owner) in due
        where !objects[place].isAstray && order.states.contains(objects[place].state)
            && order.ownerStates.contains(objects[owner].state)
            // Meanwhile it may belong to another one.
            && self.owner(of: place, order.owner) == owner
        {
            breaches.append(breach(of: order, place, owner, by: nil))
        }
        return breaches
    }

    // MARK: What objects belong to

    /// The object of a machine that another one belongs to, over several steps where needed; nil where it is not known.
    private func owner(of place: Int, _ machine: String) -> Int? {
        var next = objects[place].owner
        for _ in 0..<Self.mostParents {
            guard let name = next, let found = places[name] else { return nil }
            if let owner = found.first(where: { objects[$0].machine == machine }) { return owner }
            next = found.lazy.compactMap { objects[$0].owner }.first
        }
        return nil
    }

    // MARK: What is said of it

    /// An object broke an order by a step, or by still being where it is.
    private mutating func breach(of order: MachineOrder, _ place: Int, _ owner: Int, by step: Move?)
        -> MachineWatch.Breach
    {
        objects[place].isAstray = true
        broken += 1
        let (object, other) = (objects[place], objects[owner])
        let source = order.source.isEmpty ? "" : " (\(order.source))"
        let own =
            step.map { "`\(object.name)` is in `\(object.state)` by \(told($0))" }
            ?? "`\(object.name)` is still in `\(object.state)`, to which it came by \(told(object.move))"
        return MachineWatch.Breach(
            headline: "\(object.name) broke an order of its machine `\(object.machine)` with \(other.name)",
            expected: "\(order.text)\(source), \(order.place)",
            actual: "`\(other.name)` (\(other.machine)) is in `\(other.state)` by \(told(other.move)); \(own)",
            requirements: [Self.requirement])
    }

    private func told(_ move: Move?) -> String {
        move.map { "`\($0.input)` at \(start.duration(to: $0.at).secondsText(decimals: 6)) s" } ?? "nothing yet"
    }
}
