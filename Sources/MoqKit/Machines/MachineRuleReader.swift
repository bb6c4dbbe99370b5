import MoqScenario

/// Reads the transitions of a machine. Every name in them has been declared before.
struct MachineRuleReader {
    let yaml: YAMLFile
    let parts: MachinePartReader

    /// What stands for all states that something leads out of.
    static let anyState = "any"
    /// What stands for the state that the object is in.
    static let sameState = "same"

    func rules(_ entry: YAMLNode.Entry, _ citation: String) -> [MachineSource.Part<MachineSource.Rule>] {
        guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
            yaml.error(entry.keySpan, "the machine has no transitions", expected: "a list, each after a `- `")
            return []
        }
        return items.compactMap { rule($0, citation) }
    }

    private func rule(_ node: YAMLNode, _ citation: String) -> MachineSource.Part<MachineSource.Rule>? {
        guard let reader = yaml.mapping(node, of: "one transition") else { return nil }
        let errors = yaml.diagnostics.count
        let from = reader.need("from").map { states($0) } ?? []
        let on = reader.need("on")
        let input = on.flatMap { name($0.value, "on", "input", parts.inputNames) }
        let given = input.map { parts.parameters[$0] ?? [] } ?? []
        var conditions: [MachineCondition] = []
        var isOtherwise = false
        if let when = reader.take("when") {
            if case .scalar("otherwise", _) = when.value.content {
                isOtherwise = true
            } else {
                conditions = MachineConditionReader(yaml: yaml, parts: parts, given: given).conditions(when)
            }
        }
        let outcome = outcome(reader, node.span)
        let values = MachineOperandReader(yaml: yaml, parts: parts, given: given)
        let emissions = reader.take("emits").map { values.emissions($0) } ?? []
        let effects = reader.take("set").map { values.effects($0) } ?? []
        let isOpen = reader.truth("open") ?? false
        let only = MachineReader.only(reader, yaml)
        let source = reader.text("source")
        let about = reader.text("about")
        reader.finish()
        guard let input, let outcome, yaml.diagnostics.count == errors else { return nil }
        return MachineSource.Part(
            value: MachineSource.Rule(
                from: from, input: input, conditions: conditions, isOtherwise: isOtherwise, outcome: outcome,
                emissions: emissions, effects: effects, isOpen: isOpen,
                source: [citation, source ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), about: about),
            only: only, span: on?.value.span ?? node.span)
    }

    private func states(_ entry: YAMLNode.Entry) -> [String] {
        var seen: Set<String> = []
        return yaml.list(entry.value).flatMap { node -> [String] in
            if case .scalar(Self.anyState, _) = node.content {
                return parts.stateNames.filter { !parts.terminalNames.contains($0) }
            }
            return [name(node, "from", "state", parts.stateNames)].compactMap { $0 }
        }
        // A state that is named twice is one state.
        .filter { seen.insert($0).inserted }
    }

    /// `to`, `refuse` or `ignore`, one of them.
    private func outcome(_ reader: MappingReader, _ span: SourceSpan) -> MachineSource.Rule.Outcome? {
        let to = reader.take("to")
        let refuse = reader.take("refuse")
        let ignore = reader.take("ignore")
        guard [to, refuse, ignore].count(where: { $0 != nil }) == 1 else {
            yaml.error(
                (to ?? refuse ?? ignore)?.keySpan ?? span, "a transition leads to a state, or refuses, or ignores",
                expected: "one of `to`, `refuse` and `ignore`")
            return nil
        }
        if let to {
            if case .scalar(Self.sameState, _) = to.value.content { return .stay }
            return name(to.value, "to", "state", parts.stateNames).map { .move(to: $0) }
        }
        if let ignore {
            guard yaml.truth(ignore.value, "ignore") == true else { return nil }
            return .ignore
        }
        guard let refuse else { return nil }
        guard case .mapping(let entries) = refuse.value.content else {
            return name(refuse.value, "refuse", "error", parts.errorNames).map { .refuse([([], $0)]) }
        }
        let choices = entries.compactMap { entry -> (only: [MachineProfile.Word], error: String)? in
            guard let word = MachineProfile.Word(rawValue: entry.key) else {
                yaml.unknownWord(
                    entry.key, at: entry.keySpan, "`\(entry.key)` is no word of a profile",
                    among: MachineProfile.Word.allCases.map(\.rawValue))
                return nil
            }
            return name(entry.value, entry.key, "error", parts.errorNames).map { ([word], $0) }
        }
        return .refuse(choices)
    }

    private func name(_ node: YAMLNode, _ key: String, _ kind: String, _ names: [String]) -> String? {
        yaml.declared(node, key, kind, among: names)
    }
}

extension YAMLFile {
    /// A name that has been declared; nil after reporting any other.
    func declared(_ node: YAMLNode, _ key: String, _ kind: String, among names: [String]) -> String? {
        guard let text = text(node, key) else { return nil }
        if names.contains(text) { return text }
        unknownWord(text, at: node.span, "there is no \(kind) `\(text)` in this machine", among: names)
        return nil
    }
}
