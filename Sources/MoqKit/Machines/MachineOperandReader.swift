import MoqScenario

/// Reads what a transition shows and what it remembers.
struct MachineOperandReader {
    let yaml: YAMLFile
    let parts: MachinePartReader
    /// What comes with the input.
    let given: [MachineDefinition.Parameter]

    /// Events in their order: names, or `{ name: { field: value } }`.
    func emissions(_ entry: YAMLNode.Entry) -> [MachineRule.Emission] {
        yaml.list(entry.value).compactMap { node in
            guard case .mapping(let entries) = node.content else {
                return yaml.declared(node, "emits", "event", among: parts.eventNames)
                    .map { MachineRule.Emission(event: $0, payload: []) }
            }
            guard entries.count == 1, let event = entries.first else {
                yaml.error(node.span, "an event is one name", expected: "`{ name: { field: value } }`")
                return nil
            }
            guard parts.eventNames.contains(event.key) else {
                yaml.unknownWord(
                    event.key, at: event.keySpan, "there is no event `\(event.key)` in this machine",
                    among: parts.eventNames)
                return nil
            }
            return MachineRule.Emission(event: event.key, payload: payload(event))
        }
    }

    private func payload(_ event: YAMLNode.Entry) -> [(field: String, value: MachineRule.Operand)] {
        let fields = parts.eventFields[event.key] ?? []
        let reader = yaml.mapping(event.value, of: event.key, at: event.keySpan)
        return (reader?.takeAll() ?? []).compactMap { entry in
            guard fields.contains(entry.key) else {
                yaml.unknownWord(
                    entry.key, at: entry.keySpan, "the event `\(event.key)` has no field `\(entry.key)`", among: fields)
                return nil
            }
            return operand(entry).map { (entry.key, $0) }
        }
    }

    /// Changes by variable: a value, `$name` for what the input brought, `+1`, `-1`, `+$name`.
    func effects(_ entry: YAMLNode.Entry) -> [MachineRule.Effect] {
        guard let reader = yaml.mapping(entry.value, of: "set", at: entry.keySpan) else { return [] }
        return reader.takeAll().compactMap { entry in
            guard parts.variableNames.contains(entry.key) else {
                yaml.unknownWord(
                    entry.key, at: entry.keySpan, "there is no variable `\(entry.key)` in this machine",
                    among: parts.variableNames)
                return nil
            }
            return change(entry).map { MachineRule.Effect(variable: entry.key, change: $0) }
        }
    }

    private func change(_ entry: YAMLNode.Entry) -> MachineRule.Effect.Change? {
        if case .scalar(let text, isPlain: true) = entry.value.content {
            if text.hasPrefix("+$") {
                return name(String(text.dropFirst(2)), entry).map { .add(.name($0)) }
            }
            if text.hasPrefix("+"), let number = Int(text.dropFirst()) { return .add(.literal(.number(number))) }
            if text.hasPrefix("-"), let number = Int(text.dropFirst()) { return .subtract(number) }
        }
        guard let operand = operand(entry) else { return nil }
        if case .literal(let value) = operand, let type = parts.variableTypes[entry.key], !type.has(value) {
            yaml.error(
                entry.value.span, "`\(entry.key)` cannot be \(entry.value.kindDescription)",
                expected: Self.words(for: type))
            return nil
        }
        return .become(operand)
    }

    private func operand(_ entry: YAMLNode.Entry) -> MachineRule.Operand? {
        switch entry.value.content {
        case .scalar("true", isPlain: true): return .literal(true)
        case .scalar("false", isPlain: true): return .literal(false)
        case .scalar(let text, let isPlain):
            if isPlain, text.hasPrefix("$") { return name(String(text.dropFirst()), entry).map { .name($0) } }
            if isPlain, let number = Int(text) { return .literal(.number(number)) }
            return .literal(.word(text))
        case .sequence([]): return .literal(.numbers([]))
        case .sequence, .mapping:
            yaml.error(
                entry.value.span, "`\(entry.key)` is \(entry.value.kindDescription)", expected: "a value, or `$name`")
            return nil
        }
    }

    private func name(_ name: String, _ entry: YAMLNode.Entry) -> String? {
        let names = given.map(\.name) + parts.variableNames
        if names.contains(name) { return name }
        yaml.unknownWord(
            name, at: entry.value.span, "`$\(name)` is neither a variable nor comes with this input", among: names)
        return nil
    }

    private static func words(for type: MachineDefinition.ValueType) -> String {
        switch type {
        case .flag: "`true` or `false`"
        case .number: "a whole number, `+1` or `-1`"
        case .text: "a text"
        case .numbers: "`[]`, or `+$name`"
        case .words(let words): "one of \(words.map { "`\($0)`" }.joined(separator: ", "))"
        }
    }
}
