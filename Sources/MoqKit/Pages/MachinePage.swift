/// The page about all machines, `docs/machines.md`: made from the definitions and nothing else.
public struct MachinePage: Sendable {
    private let library: MachineLibrary

    /// A page about a library.
    public init(_ library: MachineLibrary = .builtIn) {
        self.library = library
    }

    /// The page, in Markdown.
    public var markdown: String {
        var lines = [
            "# Machines", "",
            "What the objects of moq-kit and MoqomKit may do, as state machines. This page is made from `fixtures/machines`",
            "by `moqspec machines --report markdown=docs/machines.md`; change it there.", "",
            "- **Profiles**: `ios` and `android` are what the code of moq-kit does, `ios-documented` and",
            "  `android-documented` what its manual says, `moqom` what the public documentation of MoqomKit says. No check",
            "  mixes them.",
            "- A transition to *same* stays in its state. *error* is what the call gets, and nothing changes. *ignored* is",
            "  documented to do nothing. *(open)*: the source leaves open what happens, and any of these is accepted. What",
            "  is not in the table is undefined, and a case in which it happens fails.",
            "- *may be missed*: a newer state, or another event, may come before anybody looks.",
            "- An *order* is about the object that it belongs to, such as its session; `moqspec trace check` and every",
            "  case with an object of the machine hold it.",
            "",
            "| machine | object | profiles | states | transitions | single use |",
            "| --- | --- | --- | ---: | ---: | --- |",
        ]
        for name in library.names {
            let definitions = definitions(name)
            guard let first = definitions.first else { continue }
            let states = Self.merged(definitions.map { $0.states.map(\.name) }).count
            lines.append(
                Self.row([
                    "[\(name)](#\(name))", first.object, definitions.map(\.profile.rawValue).joined(separator: ", "),
                    "\(states)", "\(MachineTransitionRow.rows(of: definitions).count)", first.isSingleUse ? "yes" : "",
                ]))
        }
        for name in library.names { lines += section(name) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func definitions(_ name: String) -> [MachineDefinition] {
        library.definitions.filter { $0.name == name }
    }

    private func section(_ name: String) -> [String] {
        let definitions = definitions(name)
        guard let first = definitions.first else { return [] }
        var lines = ["", "## \(name)", "", "`\(first.object)`. \(first.about)"]
        lines += diagrams(definitions)
        lines += ["", "| state | | about |", "| --- | --- | --- |"]
        for state in Self.merged(definitions.map { $0.states.map(\.name) }) {
            lines.append(
                Self.row(["`\(state)`", marks(state, definitions), about(definitions.map { $0.state(state)?.about })]))
        }
        lines += ["", "| input | from | with | about |", "| --- | --- | --- | --- |"]
        for input in Self.merged(definitions.map { $0.inputs.map(\.name) }) {
            let found = definitions.compactMap { $0.input(input) }
            guard let input = found.first else { continue }
            let kind = input.after.map { "\(input.kind.rawValue), \(Self.text($0))" } ?? input.kind.rawValue
            let parameters = input.parameters.map { "\($0.name): \(Self.text($0.type))" }.joined(separator: "; ")
            lines.append(Self.row(["`\(input.name)`", kind, parameters, input.about ?? ""]))
        }
        lines += errors(definitions)
        lines += [
            "", "| from | on | when | to | events | profiles | source |", "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        for row in MachineTransitionRow.rows(of: definitions) {
            let isEverywhere = row.profiles.count == definitions.count
            var source = row.rule.source
            if let about = row.rule.about { source += ". \(about)" }
            lines.append(
                Self.row([
                    row.from.joined(separator: ", "), "`\(row.rule.input)`", row.rule.conditionText ?? "", row.outcome,
                    row.events, isEverywhere ? "" : row.profiles.map(\.rawValue).joined(separator: ", "), source,
                ]))
        }
        return lines + orders(definitions)
    }

    /// The orders between objects, each once, with the profiles that it is for.
    private func orders(_ definitions: [MachineDefinition]) -> [String] {
        var rows: [(order: MachineOrder, profiles: [String])] = []
        for definition in definitions {
            for order in definition.orders {
                if let index = rows.firstIndex(where: { $0.order == order }) {
                    rows[index].profiles.append(definition.profile.rawValue)
                } else {
                    rows.append((order, [definition.profile.rawValue]))
                }
            }
        }
        guard !rows.isEmpty else { return [] }
        return ["", "| order | profiles | source |", "| --- | --- | --- |"]
            + rows.map { row in
                let isEverywhere = row.profiles.count == definitions.count
                let source = row.order.source + (row.order.about.map { ". \($0)" } ?? "")
                return Self.row([row.order.text, isEverywhere ? "" : row.profiles.joined(separator: ", "), source])
            }
    }

    private func errors(_ definitions: [MachineDefinition]) -> [String] {
        let names = Self.merged(definitions.map { $0.errors.map(\.name) })
        guard !names.isEmpty else { return [] }
        let rows = names.compactMap { name in definitions.lazy.compactMap { $0.error(name) }.first }
        return ["", "| error | what the call gets |", "| --- | --- |"]
            + rows.map { Self.row(["`\($0.name)`", $0.says]) }
    }

    /// A diagram for each way in which the profiles differ.
    private func diagrams(_ definitions: [MachineDefinition]) -> [String] {
        var diagrams: [(text: String, profiles: [String])] = []
        for definition in definitions {
            let text = MachineMermaid(definition).text
            if let index = diagrams.firstIndex(where: { $0.text == text }) {
                diagrams[index].profiles.append(definition.profile.rawValue)
            } else {
                diagrams.append((text, [definition.profile.rawValue]))
            }
        }
        return diagrams.flatMap { diagram in
            let heading = diagrams.count > 1 ? ["", "\(diagram.profiles.joined(separator: ", ")):"] : []
            return heading + ["", "```mermaid", String(diagram.text.dropLast()), "```"]
        }
    }

    /// The marks of a state, with the profiles that they are for where these differ.
    private func marks(_ state: String, _ definitions: [MachineDefinition]) -> String {
        var marks: [(text: String, profiles: [String])] = []
        for definition in definitions {
            let text = definition.state(state).map(MachineTable.marks) ?? "none"
            if let index = marks.firstIndex(where: { $0.text == text }) {
                marks[index].profiles.append(definition.profile.rawValue)
            } else {
                marks.append((text, [definition.profile.rawValue]))
            }
        }
        if marks.count == 1 { return marks[0].text }
        return marks.filter { !$0.text.isEmpty }.map { mark in
            let text = mark.text == "none" ? "not there" : mark.text
            return "\(text) (\(mark.profiles.joined(separator: ", ")))"
        }.joined(separator: "; ")
    }

    private func about(_ texts: [String?]) -> String {
        texts.compactMap { $0 }.first ?? ""
    }

    /// Names of several lists, each once, those of the first list first.
    private static func merged(_ lists: [[String]]) -> [String] {
        var names: [String] = []
        for name in lists.flatMap({ $0 }) where !names.contains(name) { names.append(name) }
        return names
    }

    private static func text(_ type: MachineDefinition.ValueType) -> String {
        switch type {
        case .flag: "true or false"
        case .number: "number"
        case .text: "text"
        case .numbers: "numbers"
        case .words(let words): words.joined(separator: " or ")
        }
    }

    static func text(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }

    private static func row(_ cells: [String]) -> String {
        "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }
}
