import Foundation
import MoqJSON
import MoqScenario

/// Holds YAML against a JSON Schema: what of draft 2020-12 the schemas of this program use, and nothing else.
final class SchemaValidator {
    private let root: JSONValue
    private var definitions: [String: JSONValue] = [:]
    private var matches: [String: [String: Bool]] = [:]

    init(_ bytes: [UInt8]) throws {
        root = try JSONValue(parsing: bytes)
        guard case .object(let members)? = root["$defs"] else { return }
        for member in members { definitions["#/$defs/\(member.name)"] = member.value }
    }

    /// What is wrong with a document: the first thing, with its line; nil when it is valid.
    func problem(in node: YAMLNode) -> String? { problem(node, root) }

    private func problem(_ node: YAMLNode, _ schema: JSONValue) -> String? {
        guard case .object(let keywords) = schema else { return "a schema that is no object" }
        var place: String { "line \(node.span.line)" }
        for keyword in keywords {
            let name = keyword.name
            switch (name, keyword.value) {
            case ("$schema", _), ("$defs", _), ("title", _), ("description", _), ("additionalProperties", _): continue
            case ("$ref", .string(let path)):
                guard let target = definitions[path] else { return "no \(path)" }
                if let problem = problem(node, target) { return problem }
            case ("type", .string(let type)):
                if !isA(node, type) { return "\(place): \(node.kindDescription) is no \(type)" }
            case ("type", .array(let types)):
                if !types.contains(where: { isA(node, $0.string ?? "") }) {
                    return "\(place): \(node.kindDescription) is of another type"
                }
            case ("enum", .array(let values)):
                guard case .scalar(let text, _) = node.content,
                    values.contains(where: { $0 == .string(text) || $0.integer == Int64(text) && Int64(text) != nil })
                else { return "\(place): \(node.kindDescription) is no such word" }
            case ("pattern", .string(let pattern)):
                if case .scalar(let text, _) = node.content, !matches(text, pattern) {
                    return "\(place): `\(text)` has another form"
                }
            case ("minimum", .integer(let least)):
                if let number = number(node), number < least { return "\(place): \(number) is too little" }
            case ("maximum", .integer(let most)):
                if let number = number(node), number > most { return "\(place): \(number) is too much" }
            case ("anyOf", .array(let choices)):
                var first: String?
                let isOne = choices.contains { choice in
                    guard let problem = problem(node, choice) else { return true }
                    first = first ?? problem
                    return false
                }
                if !isOne { return "\(place): none of \(choices.count), such as: \(first ?? "")" }
            case ("items", let items):
                guard case .sequence(let nodes) = node.content else { continue }
                for node in nodes { if let problem = problem(node, items) { return problem } }
            case ("required", .array(let keys)):
                guard case .mapping(let entries) = node.content else { continue }
                for case .string(let key) in keys where !entries.contains(where: { $0.key == key }) {
                    return "\(place): `\(key)` is missing"
                }
            case ("minProperties", .integer(let least)):
                if case .mapping(let entries) = node.content, entries.count < least { return "\(place): it is empty" }
            case ("properties", _), ("patternProperties", _):
                continue
            default: return "a keyword that the validator does not know: \(name)"
            }
        }
        return members(node, schema)
    }

    private func members(_ node: YAMLNode, _ schema: JSONValue) -> String? {
        guard case .mapping(let entries) = node.content else { return nil }
        let patterns: [JSONValue.Member] =
            if case .object(let members)? = schema["patternProperties"] { members } else { [] }
        for entry in entries {
            var isKnown = false
            if let value = schema["properties"]?[entry.key] {
                isKnown = true
                if let problem = problem(entry.value, value) { return problem }
            }
            for pattern in patterns where matches(entry.key, pattern.name) {
                isKnown = true
                if let problem = problem(entry.value, pattern.value) { return problem }
            }
            guard !isKnown, let others = schema["additionalProperties"] else { continue }
            if others == .bool(false) { return "line \(entry.keySpan.line): no key `\(entry.key)`" }
            if let problem = problem(entry.value, others) { return problem }
        }
        return nil
    }

    private func isA(_ node: YAMLNode, _ type: String) -> Bool {
        switch (type, node.content) {
        case ("object", .mapping), ("array", .sequence): true
        case ("null", .scalar(let text, isPlain: true)): ["", "~", "null"].contains(text)
        case ("string", .scalar(let text, let isPlain)): !isPlain || !["", "~"].contains(text)
        case ("boolean", .scalar(let text, isPlain: true)): ["true", "false"].contains(text)
        case ("integer", .scalar): number(node) != nil
        case ("number", .scalar(let text, isPlain: true)): Double(text) != nil
        default: false
        }
    }

    private func number(_ node: YAMLNode) -> Int64? {
        guard case .scalar(let text, isPlain: true) = node.content else { return nil }
        return text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        if let known = matches[pattern]?[text] { return known }
        let result = text.range(of: pattern, options: .regularExpression) != nil
        matches[pattern, default: [:]][text] = result
        return result
    }
}
