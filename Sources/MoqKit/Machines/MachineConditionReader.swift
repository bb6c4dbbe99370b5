import MoqScenario

/// Reads `when`: names with what has to hold of each.
struct MachineConditionReader {
    let yaml: YAMLFile
    let parts: MachinePartReader
    /// What comes with the input.
    let given: [MachineDefinition.Parameter]

    func conditions(_ entry: YAMLNode.Entry) -> [MachineCondition] {
        guard let reader = yaml.mapping(entry.value, of: "when", at: entry.keySpan) else { return [] }
        return reader.takeAll().flatMap { entry -> [MachineCondition] in
            guard let type = type(of: entry.key, at: entry.keySpan) else { return [] }
            if case .mapping = entry.value.content {
                return comparisons(entry, type).map { MachineCondition(name: entry.key, test: $0) }
            }
            return test(entry, type).map { [MachineCondition(name: entry.key, test: $0)] } ?? []
        }
    }

    private var names: [String] { given.map(\.name) + parts.variableNames }

    private func type(of name: String, at span: SourceSpan) -> MachineDefinition.ValueType? {
        if let parameter = given.first(where: { $0.name == name }) { return parameter.type }
        if let type = parts.variableTypes[name] { return type }
        if !parts.variableNames.contains(name) {
            yaml.unknownWord(
                name, at: span, "`\(name)` is neither a variable nor comes with this input", among: names)
        }
        return nil
    }

    private func test(
        _ entry: YAMLNode.Entry, _ type: MachineDefinition.ValueType
    ) -> MachineCondition.Test? {
        switch type {
        case .flag: return yaml.truth(entry.value, entry.key).map { .isFlag($0) }
        case .number:
            return integer(entry.value, entry.key).map { .isBetween($0, $0) }
        case .words(let words):
            let chosen = yaml.list(entry.value).compactMap { yaml.declared($0, entry.key, "word", among: words) }
            return chosen.isEmpty ? nil : .isWord(chosen)
        case .text:
            return .isWord(yaml.list(entry.value).compactMap { yaml.text($0, entry.key) })
        case .numbers:
            yaml.error(
                entry.value.span, "`\(entry.key)` remembers numbers",
                expected: "the number, with `{ in: \(entry.key) }`")
            return nil
        }
    }

    /// Tests by their words: `{ at_least: 1 }`, `{ not: closed }`, `{ above: last }`; all of them have to hold.
    private func comparisons(
        _ entry: YAMLNode.Entry, _ type: MachineDefinition.ValueType
    ) -> [MachineCondition.Test] {
        guard let reader = yaml.mapping(entry.value, of: entry.key, at: entry.keySpan) else { return [] }
        var tests: [MachineCondition.Test] = []
        switch type {
        case .number:
            let least = reader.take("at_least").flatMap { integer($0.value, "at_least") }
            let most = reader.take("at_most").flatMap { integer($0.value, "at_most") }
            if least != nil || most != nil { tests.append(.isBetween(least, most)) }
            if let name = other(reader, "above") { tests.append(.isAbove(name)) }
            if let name = other(reader, "below") { tests.append(.isBelow(name)) }
            if let name = other(reader, "not_above") { tests.append(.isNotAbove(name)) }
            if let name = other(reader, "follows") { tests.append(.follows(name)) }
            if let name = other(reader, "in") { tests.append(.isIn(name)) }
            if let name = other(reader, "not_in") { tests.append(.isNotIn(name)) }
        case .words, .text:
            if let not = reader.take("not") {
                let words = yaml.list(not.value).compactMap { node in
                    if case .words(let words) = type { return yaml.declared(node, "not", "word", among: words) }
                    return yaml.text(node, "not")
                }
                tests.append(.isNoWord(words))
            }
        case .flag, .numbers: break
        }
        if let name = other(reader, "same_as") { tests.append(.isSame(name)) }
        if let name = other(reader, "not_same_as") { tests.append(.isOther(name)) }
        reader.finish()
        if tests.isEmpty, reader.keys.isEmpty {
            yaml.error(
                entry.value.span, "`\(entry.key)` says nothing", expected: "a value, or a test such as `at_least`")
        }
        return tests
    }

    private func other(_ reader: MappingReader, _ key: String) -> String? {
        reader.take(key).flatMap { yaml.declared($0.value, key, "variable", among: names) }
    }

    private func integer(_ node: YAMLNode, _ name: String) -> Int? {
        guard let text = yaml.text(node, name) else { return nil }
        guard let number = Int(text) else {
            yaml.error(node.span, "`\(name)` is \(node.kindDescription)", expected: "a whole number")
            return nil
        }
        return number
    }
}
