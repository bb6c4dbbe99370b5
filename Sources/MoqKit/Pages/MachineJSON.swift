import MoqJSON

/// Machines as one JSON document (docs/command-line.md).
public struct MachineJSON: Sendable {
    /// The version of the document's form.
    public static let schemaVersion = 1
    private let definitions: [MachineDefinition]

    /// The document about machines.
    public init(_ definitions: [MachineDefinition]) {
        self.definitions = definitions
    }

    /// The document, indented, with a line feed at its end.
    public func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-machines")
            writer.member("schema", Self.schemaVersion)
            writer.name("machines")
            writer.array { writer in for definition in definitions { write(definition, to: &writer) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ definition: MachineDefinition, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("machine", definition.name)
            writer.member("object", definition.object)
            writer.member("profile", definition.profile.rawValue)
            writer.member("about", definition.about)
            writer.name("singleUse")
            writer.value(definition.isSingleUse)
            writer.name("states")
            writer.array { writer in
                for state in definition.states {
                    writer.object { writer in
                        writer.member("name", state.name)
                        writer.member("shown", state.shown)
                        writer.member("about", state.about)
                        for (name, flag) in [
                            ("initial", state.isInitial), ("terminal", state.isTerminal),
                            ("conflated", state.isConflated),
                        ] where flag {
                            writer.name(name)
                            writer.value(flag)
                        }
                    }
                }
            }
            writer.name("inputs")
            writer.array { writer in
                for input in definition.inputs {
                    writer.object { writer in
                        writer.member("name", input.name)
                        writer.member("kind", input.kind.rawValue)
                        writer.member("about", input.about)
                        writer.member("with", input.parameters.map(\.name))
                        if let after = input.after {
                            writer.name("afterSeconds")
                            writer.value(seconds: after)
                        }
                    }
                }
            }
            writer.name("events")
            writer.array { writer in
                for event in definition.events {
                    writer.object { writer in
                        writer.member("name", event.name)
                        writer.member("about", event.about)
                        writer.member("with", event.fields)
                    }
                }
            }
            writer.name("transitions")
            writer.array { writer in for rule in definition.rules { write(rule, definition, to: &writer) } }
            guard !definition.orders.isEmpty else { return }
            writer.name("orders")
            writer.array { writer in
                for order in definition.orders {
                    writer.object { writer in
                        writer.member("kind", order.kind.rawValue)
                        writer.member("machine", order.owner)
                        writer.member("machineStates", order.ownerStates)
                        writer.member("states", order.states)
                        writer.member("then", order.then)
                        writer.member("text", order.text)
                        writer.member("source", order.source)
                        writer.member("file", order.place.file)
                        writer.member("line", order.place.line)
                    }
                }
            }
        }
    }

    private func write(_ rule: MachineRule, _ definition: MachineDefinition, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("key", rule.key)
            writer.member("from", rule.from)
            writer.member("on", rule.input)
            writer.member("when", rule.conditionText)
            switch rule.outcome {
            case .move(let to): writer.member("to", to)
            case .refuse(let name):
                writer.member("error", name)
                writer.member("says", definition.error(name)?.says)
            case .ignore:
                writer.name("ignored")
                writer.value(true)
            }
            if !rule.emissions.isEmpty { writer.member("events", rule.emissions.map(\.event)) }
            if rule.isOpen {
                writer.name("open")
                writer.value(true)
            }
            writer.member("source", rule.source)
            writer.member("about", rule.about)
            writer.member("file", rule.place.file)
            writer.member("line", rule.place.line)
        }
    }
}
