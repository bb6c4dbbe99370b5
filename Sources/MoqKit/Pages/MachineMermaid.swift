/// A machine as a state diagram in Mermaid. What refuses, ignores, or changes and shows nothing is left out.
public struct MachineMermaid: Sendable {
    private let definition: MachineDefinition

    /// The diagram of a machine.
    public init(_ definition: MachineDefinition) {
        self.definition = definition
    }

    /// The diagram, with a line feed at its end.
    public var text: String {
        var lines = ["stateDiagram-v2", "    [*] --> \(definition.initialState)"]
        var labels: [(arrow: String, labels: [String])] = []
        for rule in definition.rules where rule.isMove && (rule.from != rule.to || !rule.emissions.isEmpty) {
            let arrow = "\(rule.from) --> \(rule.to)"
            let label = Self.label(rule)
            if let index = labels.firstIndex(where: { $0.arrow == arrow }) {
                if !labels[index].labels.contains(label) { labels[index].labels.append(label) }
            } else {
                labels.append((arrow, [label]))
            }
        }
        for (arrow, labels) in labels { lines += labels.map { "    \(arrow): \($0)" } }
        for state in definition.states where state.isTerminal { lines.append("    \(state.name) --> [*]") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `connect [prefix is free] / subscription`, without what Mermaid would take for its own.
    private static func label(_ rule: MachineRule) -> String {
        var label = rule.input
        if let condition = rule.conditionText { label += " [\(condition)]" }
        if !rule.emissions.isEmpty { label += " / \(rule.emissions.map(\.event).joined(separator: ", "))" }
        if rule.isOpen { label += " (open)" }
        return label.replacing(":", with: " ").replacing(";", with: ",")
    }
}
