/// A transition as pages show it: rules that are the same under several profiles, or for several states, are one row.
struct MachineTransitionRow {
    var from: [String]
    let rule: MachineRule
    var profiles: [MachineProfile]

    /// The rows of definitions of one machine, in the order of the file.
    static func rows(of definitions: [MachineDefinition]) -> [MachineTransitionRow] {
        var rows: [MachineTransitionRow] = []
        var positions: [String: Int] = [:]
        for definition in definitions {
            for rule in definition.rules {
                let id = "\(rule.place.line):\(rule.place.column) \(outcome(rule))"
                guard let position = positions[id] else {
                    positions[id] = rows.count
                    rows.append(MachineTransitionRow(from: [rule.from], rule: rule, profiles: [definition.profile]))
                    continue
                }
                if !rows[position].from.contains(rule.from) { rows[position].from.append(rule.from) }
                if !rows[position].profiles.contains(definition.profile) {
                    rows[position].profiles.append(definition.profile)
                }
            }
        }
        return rows.sorted { ($0.rule.place.line, $0.rule.place.column) < ($1.rule.place.line, $1.rule.place.column) }
    }

    /// What comes of it: the state, or the error, or nothing.
    static func outcome(_ rule: MachineRule) -> String {
        switch rule.outcome {
        case .move(let to) where to == rule.from: "same"
        case .move(let to): to
        case .refuse(let error): "error \(error)"
        case .ignore: "ignored"
        }
    }

    /// What comes of it, for the cell of a table.
    var outcome: String { Self.outcome(rule) + (rule.isOpen ? " (open)" : "") }

    /// The events, with what their payloads hold.
    var events: String {
        rule.emissions.map { emission in
            let payload = emission.payload.compactMap { field, operand -> String? in
                if case .literal(let value) = operand { "\(field): \(value)" } else { nil }
            }
            return emission.event + (payload.isEmpty ? "" : " (\(payload.joined(separator: ", ")))")
        }.joined(separator: ", ")
    }
}
