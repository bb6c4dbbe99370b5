/// A value of free form (the parts of a catalog), with the order of the keys as written.
public indirect enum ScenarioValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([ScenarioValue])
    case object([Member])

    /// One key of an object with its value.
    public struct Member: Equatable, Sendable {
        /// The key.
        public var key: String
        /// Its value.
        public var value: ScenarioValue
    }

    /// The value as JSON text without spaces.
    public var json: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): value.isFinite ? "\(value)" : "null"
        case .string(let text): Self.quoted(text)
        case .array(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }

    /// The value of a key of an object; nil for anything else.
    public subscript(key: String) -> ScenarioValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// This object with a key set to a value, in its old place or at the end, or removed for nil. Anything else
    /// becomes an object first.
    public func setting(_ key: String, to value: ScenarioValue?) -> ScenarioValue {
        var members: [Member] = if case .object(let present) = self { present } else { [] }
        let index = members.firstIndex { $0.key == key }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(key: key, value: value))
        case (nil, nil): break
        }
        return .object(members)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
