import MoqScenario

/// Reads `when`: names with what has to hold of each.
struct MachineConditionReader {
    let yaml: YAMLFile
    let parts: MachinePartReader
    /// What comes with the input.
    let given: [MachineDefinition.Parameter]

    func conditions(_ entry: YAMLNode.Entry) -> [MachineCondition] {
        guard let reader = yaml.mapping(entry.value, of: "when", at: entry.keySpan) else { return [] }
        return reader.takeAll().compactMap { entry in
            guard let type = type(of: entry.key, at: entry.keySpan) else { return nil }
            return test(entry, type).map { MachineCondition(name: entry.key, test: $0) }
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
        if case .mapping = entry.value.content { return comparison(entry, type) }
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

    /// A test by its word: `{ at_least: 1 }`, `{ not: closed }`, `{ above: last }`.
    private func comparison(
        _ entry: YAMLNode.Entry, _ type: MachineDefinition.ValueType
    ) -> MachineCondition.Test? {
        guard let reader = yaml.mapping(entry.value, of: entry.key, at: entry.keySpan) else { return nil }
        var test: MachineCondition.Test?
        switch type {
        case .number:
            let least = reader.take("at_least").flatMap { integer($0.value, "at_least") }
            let most = reader.take("at_most").flatMap { integer($0.value, "at_most") }
            if least != nil || most != nil { test = .isBetween(least, most) }
            if let name = other(reader, "above") { test = .isAbove(name) }
            if let name = other(reader, "not_above") { test = .isNotAbove(name) }
            if let name = other(reader, "follows") { test = .follows(name) }
            if let name = other(reader, "in") { test = .isIn(name) }
            if let name = other(reader, "not_in") { test = .isNotIn(name) }
        case .words, .text:
            if let not = reader.take("not") {
                test = .isNoWord(
                    yaml.list(not.value).compactMap { node in
                        if case .words(let words) = type { return yaml.declared(node, "not", "word", among: words) }
                        return yaml.text(node, "not")
                    })
            }
        case .flag, .numbers: break
        }
        if let name = other(reader, "same_as") { test = .isSame(name) }
        if let name = other(reader, "not_same_as") { test = .isOther(name) }
        reader.finish()
        if test == nil, reader.keys.isEmpty {
            yaml.error(
                entry.value.span, "`\(entry.key)` says nothing", expected: "a value, or a test such as `at_least`")
        }
        return test
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
