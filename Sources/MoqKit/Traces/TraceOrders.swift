/// Holds the steps of objects against the states of the objects that they belong to.
///
/// Lines of different objects may come from different streams, so that an end is shown a little late: an object is not
/// refused for still being in a state when its owner ends, but for what it does there afterwards, and for never leaving it.
/// What lines leave open is taken to be as it should.
struct TraceOrders {
    /// From a player's track to its session it is four steps; a chain that is longer goes in circles.
    private static let mostParents = 16

    /// The objects of each id: one id may be that of several machines.
    private let byName: [String: [Int]]
    /// The objects of machines of which the trace has one only.
    private let alone: [String: Int]

    init(_ objects: [TraceObject]) {
        var byName: [String: [Int]] = [:]
        var byMachine: [String: [Int]] = [:]
        for (index, object) in objects.enumerated() {
            byName[object.name, default: []].append(index)
            byMachine[object.definition.name, default: []].append(index)
        }
        self.byName = byName
        alone = byMachine.filter { $0.value.count == 1 }.compactMapValues(\.first)
    }

    /// The machines that orders are about.
    static func owners(_ definitions: [MachineDefinition]) -> Set<String> {
        Set(definitions.flatMap(\.orders).map(\.owner))
    }

    /// What is wrong with a line that an object has just taken; nil when nothing is.
    func refusal(_ index: Int, _ line: TraceLine, _ objects: [TraceObject]) -> TraceCheck.Refusal? {
        // A call that was refused is no step.
        guard line.error == nil else { return nil }
        let object = objects[index]
        for order in object.definition.orders
        where order.states.isEmpty || object.acceptor.isCertainly(in: order.states) {
            guard let owner = owner(of: index, order.owner, objects) else { continue }
            switch order.kind {
            case .after where owner.reached.isDisjoint(with: order.ownerStates): break
            case .until where owner.acceptor.reachableStates().isSubset(of: order.ownerStates): break
            case .after, .until: continue
            }
            return refusal(order, owner, line: line.line, came: line.summary)
        }
        return nil
    }

    /// What is missing of an object at the end of the trace; nil when nothing is.
    func refusalAtEnd(_ index: Int, _ objects: [TraceObject]) -> TraceCheck.Refusal? {
        let object = objects[index]
        for order in object.definition.orders where !order.then.isEmpty {
            guard object.acceptor.isCertainly(in: order.states),
                object.acceptor.reachableStates().isDisjoint(with: order.then),
                let owner = owner(of: index, order.owner, objects),
                owner.acceptor.reachableStates().isSubset(of: order.ownerStates)
            else { continue }
            return refusal(order, owner, line: object.lastLine, came: nil)
        }
        return nil
    }

    private func refusal(
        _ order: MachineOrder, _ owner: TraceObject, line: Int, came: String?
    ) -> TraceCheck.Refusal {
        let states = MachineOrder.either(owner.acceptor.possibleStates())
        let name = "`\(owner.name)` (\(owner.definition.name))"
        let legal: String
        switch order.kind {
        case .after: legal = "first \(name) in \(MachineOrder.either(order.ownerStates)); it is in \(states)"
        case .until:
            let ends = order.then.isEmpty ? "nothing" : "a step to \(MachineOrder.either(order.then))"
            legal = "\(ends), as \(name) is in \(states)"
        }
        return TraceCheck.Refusal(
            line: line, came: came, legal: [legal], isUncertain: false, order: "\(order.text) (\(order.source))")
    }

    /// The object of a machine that another one belongs to: along `of`, or else the only one that there is. Nil when it
    /// is not known, or what it shows is not legal by itself.
    private func owner(of index: Int, _ machine: String, _ objects: [TraceObject]) -> TraceObject? {
        guard let found = ownerIndex(of: index, machine, objects), objects[found].refusal == nil else { return nil }
        return objects[found]
    }

    private func ownerIndex(of index: Int, _ machine: String, _ objects: [TraceObject]) -> Int? {
        var next = parent(of: objects[index])
        for _ in 0..<Self.mostParents {
            guard let name = next else { return alone[machine] }
            // It belongs to something that was not recorded.
            guard let found = byName[name] else { return nil }
            if let owner = found.first(where: { objects[$0].definition.name == machine }) { return owner }
            next = found.lazy.compactMap { parent(of: objects[$0]) }.first
        }
        return nil
    }

    /// The id of what an object belongs to: what a line said, or else what stands before the last `/` of its own id, when
    /// that is an object of the trace.
    private func parent(of object: TraceObject) -> String? {
        if let of = object.of { return of }
        guard let slash = object.name.lastIndex(of: "/") else { return nil }
        let name = String(object.name[..<slash])
        return byName[name] == nil ? nil : name
    }
}
