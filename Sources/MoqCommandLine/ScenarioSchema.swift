import MoqJSON
import MoqScenario

/// The JSON Schema of files of scenarios, for editors, made of what the readers of scenarios take.
///
/// It knows keys and kinds of values. Whether names are declared and steps make sense is for `moqspec lint`.
public struct ScenarioSchema {
    private let shapes: ScenarioShapes

    /// The schema of the language of this release.
    public init() { shapes = ScenarioShapes(vocabulary: .ofThisRelease) }

    /// The schema, indented, with a line feed at its end.
    public func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            writer.member("title", "Scenarios of moqspec")
            Self.reference(ScenarioShapes.suite, &writer)
            writer.name("$defs")
            writer.object { writer in
                writer.name(Self.variable)
                writer.object { writer in
                    writer.member("description", "A value of the matrix, or the number of a round.")
                    writer.member("type", "string")
                    writer.member("pattern", Self.mention)
                }
                for (name, leaf) in Self.shared {
                    writer.name(name)
                    writer.object { Self.inline(leaf, &$0) }
                }
                writer.name(Self.slug(ScenarioShapes.step))
                writer.object { step(&$0) }
                for definition in shapes.definitions {
                    writer.name(Self.slug(definition.name))
                    writer.object { value(definition.shape, of: definition.name, &$0) }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// What stands where a variable stands.
    private static let variable = "variable"
    /// What stands in so many places that it is written once.
    private static let shared: [(name: String, leaf: ValueShape.Leaf)] = [
        ("code", .code(Vocabulary.ofThisRelease.conditions)), ("count", .count(most: 1_000_000_000)),
    ]
    /// How a variable is mentioned.
    private static let mention = "\\$\\{"

    // MARK: Steps

    private func step(_ writer: inout JSONWriter) {
        writer.member("type", "object")
        writer.member("minProperties", 1)
        writer.name("properties")
        writer.object { writer in
            for key in ["name", "requirement"] {
                writer.name(key)
                writer.object { key == "name" ? Self.leaf(.text, &$0) : Self.texts(&$0) }
            }
            for (name, definition) in shapes.structural {
                writer.name(name)
                writer.object { Self.reference(definition, &$0) }
            }
        }
        writer.name("patternProperties")
        writer.object { writer in
            for verb in shapes.verbs {
                writer.name("^[^.]+\\.\(verb.name)$")
                writer.object { writer in
                    Self.alternatives(verb.arguments.map { name in { Self.reference(name, &$0) } }, &writer)
                }
            }
            // The verb itself may be a variable.
            writer.name(Self.mention)
            writer.object { _ in }
        }
        writer.name("additionalProperties")
        writer.value(false)
    }

    private static func texts(_ writer: inout JSONWriter) {
        alternatives(
            [
                { leaf(.text, &$0) },
                { writer in
                    writer.member("type", "array")
                    writer.name("items")
                    writer.object { leaf(.text, &$0) }
                },
            ], &writer)
    }

    // MARK: Values

    private typealias Piece = (inout JSONWriter) -> Void

    private func value(_ shape: ValueShape, of name: String = "", _ writer: inout JSONWriter) {
        guard !shape.leaves.contains(.anything) else { return }
        var pieces = shape.leaves.map { leaf in { Self.leaf(leaf, &$0) } as Piece }
        if let words = Self.numbers(shape.leaves) {
            pieces.append {
                $0.member("type", "integer")
                words(&$0)
            }
        }
        if shape.leaves.contains(where: { $0 != .text }) { pieces.append { Self.reference(Self.variable, &$0) } }
        pieces += shape.references.map { name in { Self.reference(name, &$0) } }
        if let items = shape.items {
            pieces.append { writer in
                writer.member("type", "array")
                writer.name("items")
                writer.object { value(items, &$0) }
            }
        }
        if shape.members != nil || shape.others != nil {
            pieces.append { mapping(shape, isFile: name == ScenarioShapes.suite, &$0) }
        }
        Self.alternatives(pieces, &writer)
    }

    private func mapping(_ shape: ValueShape, isFile: Bool, _ writer: inout JSONWriter) {
        // Nothing at all (`key:`) is a mapping without keys, where keys are known.
        if shape.members == nil { writer.member("type", "object") } else { writer.member("type", ["object", "null"]) }
        let members = shape.members ?? []
        let needed = members.filter(\.isNeeded).map(\.key)
        if !needed.isEmpty { writer.member("required", needed) }
        writer.name("properties")
        writer.object { writer in
            for member in members {
                writer.name(member.key)
                writer.object { value(member.shape, &$0) }
            }
        }
        if shape.others == nil {
            writer.name("patternProperties")
            writer.object { writer in
                writer.name(Self.mention)
                writer.object { _ in }
                guard isFile else { return }
                writer.name("^x-")
                writer.object { _ in }
            }
        }
        writer.name("additionalProperties")
        if let others = shape.others { writer.object { value(others, &$0) } } else { writer.value(false) }
    }

    private static func leaf(_ leaf: ValueShape.Leaf, _ writer: inout JSONWriter) {
        guard let (name, _) = shared.first(where: { $0.leaf == leaf }) else { return inline(leaf, &writer) }
        reference(name, &writer)
    }

    private static func inline(_ leaf: ValueShape.Leaf, _ writer: inout JSONWriter) {
        switch leaf {
        // YAML reads `13-4` as a text, `13` as a number and `true` as neither.
        case .text: writer.member("type", ["string", "number", "boolean"])
        case .truth: writer.member("type", "boolean")
        case .whole(let range): whole(range, &writer)
        case .words(let words): writer.member("enum", words)
        case .measured(let units):
            writer.member("type", "string")
            writer.member("pattern", "^[0-9]+(\\.[0-9]+)? *(\(units.joined(separator: "|")))$")
        case .code(let conditions):
            alternatives(
                [
                    { whole(0...UInt64.max, &$0) }, { $0.member("enum", conditions) },
                    {
                        $0.member("type", "string")
                        $0.member("pattern", "^(app|wire)\\([0-9]+\\)$")
                    },
                ], &writer)
        case .count(let most):
            alternatives(
                [
                    { whole(0...most, &$0) },
                    { writer in
                        writer.member("type", "object")
                        writer.member("minProperties", 1)
                        writer.name("properties")
                        writer.object { writer in
                            for key in ["at_least", "at_most"] {
                                writer.name(key)
                                writer.object { writer in
                                    alternatives([{ whole(0...most, &$0) }, { reference(variable, &$0) }], &writer)
                                }
                            }
                        }
                        writer.name("additionalProperties")
                        writer.value(false)
                    },
                ], &writer)
        case .anything: break
        }
    }

    private static func whole(_ range: ClosedRange<UInt64>, _ writer: inout JSONWriter) {
        writer.member("type", "integer")
        writer.member("minimum", range.lowerBound)
        // Editors count in doubles.
        if range.upperBound < 1 << 53 { writer.member("maximum", range.upperBound) }
    }

    /// Words that YAML takes for numbers, such as the version `06`; nil where there are none.
    private static func numbers(_ leaves: [ValueShape.Leaf]) -> Piece? {
        let numbers = leaves.flatMap { leaf -> [Int] in
            if case .words(let words) = leaf { words.compactMap { Int($0) } } else { [] }
        }
        guard !numbers.isEmpty else { return nil }
        return { writer in
            writer.name("enum")
            writer.array { for number in numbers { $0.value(number) } }
        }
    }

    private static func reference(_ name: String, _ writer: inout JSONWriter) {
        writer.member("$ref", "#/$defs/\(slug(name))")
    }

    private static func alternatives(_ pieces: [Piece], _ writer: inout JSONWriter) {
        guard pieces.count != 1 else { return pieces[0](&writer) }
        guard !pieces.isEmpty else { return }
        writer.name("anyOf")
        writer.array { writer in for piece in pieces { writer.object { piece(&$0) } } }
    }

    private static func slug(_ name: String) -> String { String(name.map { $0 == " " ? "-" : $0 }) }
}
