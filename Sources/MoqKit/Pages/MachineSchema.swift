import MoqJSON

/// The JSON Schema of files of machines, for editors: fixtures/machines/schema.json.
///
/// It knows keys and kinds of values. Whether names are declared and machines make sense is for `moqspec lint`.
public enum MachineSchema {
    /// The schema, indented, with a line feed at its end.
    public static func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            writer.member("title", "A state machine of a client object")
            closed(
                ["machine", "object", "about", "source", "profiles", "states", "inputs", "transitions"],
                [
                    ("machine", text("The name of the machine, lower-case with dashes.")),
                    ("object", text("The kind of object in traces, such as Session.")),
                    ("about", text("What it is about.")),
                    ("source", text("What all transitions come from; each may add a section.")),
                    ("profiles", listOf(words(MachineProfile.allCases.map(\.rawValue)))),
                    ("single_use", truth("Nothing leads back to the initial state.")),
                    ("states", named(either(text("What it means."), state))),
                    ("inputs", named(input)),
                    ("events", named(either(text("What it means."), event))),
                    (
                        "variables",
                        named(
                            .anything(
                                "What it is at first: true, false, a number, [], or its words, first the initial one."))
                    ),
                    ("errors", named(either(text("What the call gets."), error))),
                    ("transitions", .list(transition)), ("orders", .list(order)),
                ], to: &writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// A piece of the schema.
    private indirect enum Piece {
        case text(String)
        case truth(String)
        case anything(String)
        case words([String])
        case list(Piece)
        case either([Piece])
        case named(Piece)
        case object([String], [(String, Piece)])
    }

    private static func text(_ about: String) -> Piece { .text(about) }
    private static func truth(_ about: String) -> Piece { .truth(about) }
    private static func words(_ words: [String]) -> Piece { .words(words) }
    private static func named(_ piece: Piece) -> Piece { .named(piece) }
    private static func either(_ pieces: Piece...) -> Piece { .either(pieces) }
    /// A list, or one for a list of one.
    private static func listOf(_ piece: Piece) -> Piece { .either([piece, .list(piece)]) }

    private static var profileWords: Piece { listOf(words(MachineProfile.Word.allCases.map(\.rawValue))) }
    private static var someProfiles: Piece { either(truth("Under all profiles."), profileWords) }

    private static var state: Piece {
        .object(
            [],
            [
                ("about", text("What it means.")), ("initial", truth("An object begins in it.")),
                ("terminal", someProfiles), ("conflated", someProfiles), ("shown", text("What observers see it as.")),
                ("only", profileWords),
            ])
    }

    private static var input: Piece {
        .object(
            ["kind"],
            [
                ("kind", words(MachineDefinition.Input.Kind.allCases.map(\.rawValue))),
                ("about", text("What it means.")), ("after", text("How long a timer takes, with its unit.")),
                ("with", named(either(words(["flag", "number", "text"]), .list(text("A word."))))),
                ("only", profileWords),
            ])
    }

    private static var event: Piece {
        .object(
            [],
            [
                ("about", text("What it means.")), ("with", listOf(text("A field of its payload."))),
                ("lossy", someProfiles), ("only", profileWords),
            ])
    }

    private static var error: Piece {
        .object(["says"], [("says", text("What the call gets.")), ("only", profileWords)])
    }

    private static var transition: Piece {
        .object(
            ["from", "on"],
            [
                ("from", listOf(text("A state, or any."))), ("on", text("An input.")),
                ("when", .anything("Names with what has to hold, or otherwise.")), ("to", text("A state, or same.")),
                ("refuse", .anything("An error, or one for each word of a profile.")), ("ignore", words(["true"])),
                ("emits", .anything("Events in their order.")), ("set", .anything("Variables with what they become.")),
                ("open", truth("The source leaves open what happens.")), ("only", profileWords),
                ("source", text("Where that is documented or was seen.")), ("about", text("What is worth knowing.")),
            ])
    }

    private static var order: Piece {
        let states = listOf(text("A state of that machine."))
        let owns = listOf(text("A state of this machine."))
        return .object(
            [],
            [
                ("after", named(states)), ("until", named(states)), ("in", owns), ("then", owns),
                ("only", profileWords), ("source", text("Where that is documented or was seen.")),
                ("about", text("What is worth knowing.")),
            ])
    }

    private static func closed(_ required: [String], _ members: [(String, Piece)], to writer: inout JSONWriter) {
        writer.member("type", "object")
        writer.name("additionalProperties")
        writer.value(false)
        if !required.isEmpty { writer.member("required", required) }
        writer.name("properties")
        writer.object { writer in
            for (name, piece) in members {
                writer.name(name)
                writer.object { write(piece, to: &$0) }
            }
        }
    }

    private static func write(_ piece: Piece, to writer: inout JSONWriter) {
        switch piece {
        case .text(let about):
            // YAML reads `13-4` as a text and `13` as a number.
            writer.member("type", ["string", "number"])
            writer.member("description", about)
        case .truth(let about):
            writer.member("type", "boolean")
            writer.member("description", about)
        case .anything(let about): writer.member("description", about)
        case .words(["true"]):
            writer.name("const")
            writer.value(true)
        case .words(let words): writer.member("enum", words)
        case .list(let piece):
            writer.member("type", "array")
            writer.name("items")
            writer.object { write(piece, to: &$0) }
        case .either(let pieces):
            writer.name("anyOf")
            writer.array { writer in for piece in pieces { writer.object { write(piece, to: &$0) } } }
        case .named(let piece):
            writer.member("type", "object")
            writer.name("additionalProperties")
            writer.object { write(piece, to: &$0) }
        case .object(let required, let members): closed(required, members, to: &writer)
        }
    }
}
