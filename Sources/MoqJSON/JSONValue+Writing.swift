extension JSONValue {
    /// The document as bytes: on one line, or indented for people. Numbers that JSON cannot say (infinite, or none at
    /// all) become `null`.
    public func written(indented: Bool = false) -> [UInt8] {
        var writer = JSONWriter(indented: indented)
        writer.value(self)
        return writer.bytes
    }

    /// What people call this type of value: `an object`, `a string`.
    public var kindDescription: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer: "an integer"
        case .real: "a number with a fraction"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether two documents say the same: as `==`, but the order of an object's members does not matter, and names and
    /// strings are compared by their bytes.
    public func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            return zip(left.sortedByName, right.sortedByName).allSatisfy {
                $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.isEquivalent(to: $1.value)
            }
        case (.array, _), (.object, _), (_, .array), (_, .object): return false
        default: return self == other
        }
    }
}

extension [JSONValue.Member] {
    /// The members ordered by the bytes of their names.
    public var sortedByName: [JSONValue.Member] {
        sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension JSONWriter {
    /// Writes a whole document as a value.
    public mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let flag): value(flag)
        case .integer(let number): value(number)
        case .real(let number): value(number)
        case .string(let text): value(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }
}
