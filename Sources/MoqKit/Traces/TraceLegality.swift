/// What a line may show in a situation, for people.
struct TraceLegality {
    let definition: MachineDefinition
    let visibility: TraceVisibility

    /// What is owed, or else what each step would show.
    func texts(_ situation: TraceSituation, _ settled: TraceSituation?) -> [String] {
        var texts: [String] = []
        if situation.owesState { texts.append("state `\(shown(situation.state))`") }
        if let event = situation.owed.first { texts.append("event `\(event.event)`\(payload(event.payload))") }
        guard let settled else { return texts }
        for rule in definition.rules where rule.from == settled.state {
            let lookUp = { (name: String) in settled.variables[name] }
            guard rule.applies(lookUp) != false, let text = text(rule) else { continue }
            texts.append(text)
        }
        return texts
    }

    /// What a step would show first; nil for one that no line shows.
    private func text(_ rule: MachineRule) -> String? {
        let condition = rule.conditionText.map { " [\($0)]" } ?? ""
        if let input = definition.input(rule.input), visibility.shows(input.kind) {
            let error: String
            if case .refuse(let name) = rule.outcome { error = ", error `\(name)`" } else { error = "" }
            return "trigger `\(rule.input)`\(condition)\(error)"
        }
        if visibility.states, shown(rule.from) != shown(rule.to) { return "state `\(shown(rule.to))`\(condition)" }
        if visibility.events, let first = rule.emissions.first { return "event `\(first.event)`\(condition)" }
        return nil
    }

    private func payload(_ payload: MachineValues) -> String {
        guard !payload.isEmpty else { return "" }
        return " (\(payload.entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ")))"
    }

    private func shown(_ state: String) -> String { definition.state(state)?.shown ?? state }
}
