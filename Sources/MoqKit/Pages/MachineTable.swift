/// A machine as tables for people at a terminal.
public struct MachineTable: Sendable {
    private let definition: MachineDefinition

    /// The tables of a machine.
    public init(_ definition: MachineDefinition) {
        self.definition = definition
    }

    /// The tables.
    public var text: String {
        var lines = [
            "\(definition.name)  \(definition.object), profile \(definition.profile.rawValue)",
            "  \(definition.about)", "",
        ]
        lines += Self.aligned(
            [["state", "", "about"]] + definition.states.map { [$0.name, Self.marks($0), $0.about ?? ""] })
        lines.append("")
        let rows = MachineTransitionRow.rows(of: [definition]).map { row in
            [
                row.from.joined(separator: ", "), row.rule.input, row.rule.conditionText ?? "", row.outcome, row.events,
                row.rule.source,
            ]
        }
        lines += Self.aligned([["from", "on", "when", "to", "events", "source"]] + rows)
        return lines.joined(separator: "\n")
    }

    /// `initial`, `terminal` and what else is marked of a state.
    static func marks(_ state: MachineDefinition.State) -> String {
        var marks: [String] = []
        if state.isInitial { marks.append("initial") }
        if state.isTerminal { marks.append("terminal") }
        if state.isConflated { marks.append("may be missed") }
        if let shown = state.shown { marks.append("shown as \(shown)") }
        return marks.joined(separator: ", ")
    }

    /// Rows of cells in columns, indented by two.
    public static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = "  " + cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
