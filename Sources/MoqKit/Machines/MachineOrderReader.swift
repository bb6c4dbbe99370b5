import MoqScenario

/// Reads the orders between objects of a machine. Its own states have been declared before; the machines of the owners may
/// stand in other files, and are looked up when all have been read.
struct MachineOrderReader {
    let yaml: YAMLFile
    let machine: String?
    let stateNames: [String]

    func orders(_ entry: YAMLNode.Entry, _ citation: String) -> [MachineSource.Part<MachineSource.Order>] {
        yaml.list(entry.value).compactMap { order($0, citation) }
    }

    private func order(_ node: YAMLNode, _ citation: String) -> MachineSource.Part<MachineSource.Order>? {
        guard let reader = yaml.mapping(node, of: "one order") else { return nil }
        let errors = yaml.diagnostics.count
        let kinds = MachineOrder.Kind.allCases.compactMap { kind in reader.take(kind.rawValue).map { (kind, $0) } }
        let within = reader.take("in")
        let states = within.map { names($0) } ?? []
        let then = reader.take("then")
        let ends = then.map { names($0) } ?? []
        let only = MachineReader.only(reader, yaml)
        let source = reader.text("source")
        let about = reader.text("about")
        reader.finish()
        guard let (kind, owner) = kinds.first, kinds.count == 1 else {
            yaml.error(
                node.span, "an order is either after something or until something",
                expected: "`after: { session: connected }` or `until: { session: closed }`")
            return nil
        }
        if let then, kind == .after {
            yaml.error(then.keySpan, "`then` says how something ends", expected: "`until`")
        }
        guard let owners = yaml.mapping(owner.value, of: owner.key, at: owner.keySpan)?.takeAll(), owners.count == 1
        else {
            yaml.error(
                owner.value.span, "`\(owner.key)` is about one machine",
                expected: "a machine with its states, such as `{ session: connected }`")
            return nil
        }
        if owners[0].key == machine {
            yaml.error(owners[0].keySpan, "`\(owners[0].key)` is this machine", expected: "that of what it belongs to")
        }
        let ownerStates = yaml.list(owners[0].value).compactMap { node in
            yaml.text(node, owners[0].key).map { MachineSource.Order.Named(name: $0, span: node.span) }
        }
        guard yaml.diagnostics.count == errors else { return nil }
        return MachineSource.Part(
            value: MachineSource.Order(
                kind: kind, owner: MachineSource.Order.Named(name: owners[0].key, span: owners[0].keySpan),
                ownerStates: ownerStates, states: states, then: ends,
                source: [citation, source ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), about: about),
            only: only, span: owner.keySpan)
    }

    private func names(_ entry: YAMLNode.Entry) -> [String] {
        yaml.list(entry.value).compactMap { node in
            guard let text = yaml.text(node, entry.key) else { return nil }
            guard stateNames.contains(text) else {
                yaml.unknownWord(
                    text, at: node.span, "there is no state `\(text)` in this machine", among: stateNames)
                return nil
            }
            return text
        }
    }
}

extension MachineSource {
    /// An order between objects as it is written, with the places of the names that other files declare.
    struct Order {
        /// A name with its place.
        struct Named {
            var name: String
            var span: SourceSpan
        }

        var kind: MachineOrder.Kind
        var owner: Named
        var ownerStates: [Named]
        var states: [String]
        var then: [String]
        var source: String
        var about: String?

        /// The order, for those who check.
        func resolved(_ place: SourceLocation) -> MachineOrder {
            MachineOrder(
                kind: kind, owner: owner.name, ownerStates: ownerStates.map(\.name), states: states, then: then,
                source: source, about: about, place: place)
        }
    }

    /// Reports owners that there are not, and states that they do not have. `machines` are the states of all machines, by
    /// the names of these and their profiles.
    func checkOrders(_ machines: [(name: String, profile: MachineProfile, states: [String])], _ yaml: YAMLFile) {
        for order in orders {
            let owner = order.value.owner
            let known = machines.filter { $0.name == owner.name }
            guard !known.isEmpty else {
                var names: [String] = []
                for machine in machines where machine.name != name && !names.contains(machine.name) {
                    names.append(machine.name)
                }
                yaml.unknownWord(owner.name, at: owner.span, "there is no machine `\(owner.name)`", among: names)
                continue
            }
            var isKnown = true
            for state in order.value.ownerStates where !known.contains(where: { $0.states.contains(state.name) }) {
                isKnown = false
                yaml.unknownWord(
                    state.name, at: state.span, "there is no state `\(state.name)` in the machine `\(owner.name)`",
                    among: known.flatMap(\.states))
            }
            guard isKnown else { continue }
            let without = profiles.filter { profile in
                profile.has(order.only)
                    && !known.contains { machine in
                        machine.profile == profile
                            && order.value.ownerStates.contains { machine.states.contains($0.name) }
                    }
            }
            if !without.isEmpty {
                yaml.error(
                    owner.span,
                    "`\(owner.name)` has none of these states under \(without.map(\.rawValue).joined(separator: ", "))",
                    expected: "`only` with the profiles that it is for")
            }
        }
    }
}
