import MoqJSON

/// Takes the fields of one object that are known; what is left over is kept.
struct FieldReader {
    /// How readers differ over single values.
    struct Rules {
        /// Whether `null` stands for a field that is not there.
        var takesNull: Bool
        /// Whether `1.0` is an integer.
        var takesWholeReals: Bool
    }

    /// The largest integer that JavaScript holds exactly.
    static let largestSafeInteger: Int64 = 1 << 53 - 1

    let path: JSONPath
    let rules: Rules
    /// What has not been taken.
    private(set) var rest: [JSONValue.Member]

    init(_ value: JSONValue, at path: JSONPath, rules: Rules) throws(CatalogError) {
        guard let members = value.members else {
            throw CatalogError(.wrongType, at: path, "expected an object, not \(value.kindDescription)")
        }
        self.path = path
        self.rules = rules
        rest = members
    }

    /// Takes a field; nil when it is not there, or is `null` and that means the same.
    mutating func value(_ name: String, takesNull: Bool = true) throws(CatalogError) -> JSONValue? {
        guard let index = rest.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        let value = rest.remove(at: index).value
        if value == .null {
            guard !takesNull || !rules.takesNull else { return nil }
            throw CatalogError(.wrongType, at: path.member(name), "is null; leave the field out instead")
        }
        return value
    }

    /// The field, which must be there.
    mutating func required(_ name: String, _ expected: String) throws(CatalogError) -> JSONValue {
        guard let value = try value(name, takesNull: false) else {
            throw CatalogError(.missing, at: path, "`\(name)` is missing, \(expected)")
        }
        return value
    }

    /// A text.
    mutating func text(_ name: String) throws(CatalogError) -> String? {
        guard let value = try value(name) else { return nil }
        return try text(value, name)
    }

    /// A text that must be there.
    mutating func requiredText(_ name: String, _ expected: String) throws(CatalogError) -> String {
        let value = try required(name, expected)
        return try text(value, name)
    }

    /// A truth value.
    mutating func flag(_ name: String) throws(CatalogError) -> Bool? {
        guard let value = try value(name) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(value, name, "true or false") }
        return flag
    }

    /// Any number.
    mutating func number(_ name: String) throws(CatalogError) -> Double? {
        guard let value = try value(name) else { return nil }
        switch value {
        case .integer(let number): return Double(number)
        case .real(let number): return number
        default: throw wrong(value, name, "a number")
        }
    }

    /// A whole number from 0 to `limit`.
    mutating func integer(_ name: String, limit: Int64) throws(CatalogError) -> Int64? {
        guard let value = try value(name) else { return nil }
        return try integer(value, name, limit)
    }

    /// A whole number from 0 to `limit` that must be there.
    mutating func requiredInteger(_ name: String, limit: Int64, _ expected: String) throws(CatalogError) -> Int64 {
        let value = try required(name, expected)
        return try integer(value, name, limit)
    }

    private func text(_ value: JSONValue, _ name: String) throws(CatalogError) -> String {
        guard let text = value.string else { throw wrong(value, name, "a text") }
        return text
    }

    private func integer(_ value: JSONValue, _ name: String, _ limit: Int64) throws(CatalogError) -> Int64 {
        var number = value.integer
        if case .real(let real) = value, rules.takesWholeReals { number = Int64(exactly: real) }
        guard let number else { throw wrong(value, name, "a whole number") }
        guard (0...limit).contains(number) else {
            throw CatalogError(.outOfRange, at: path.member(name), "is \(number); it must be from 0 to \(limit)")
        }
        return number
    }

    private func wrong(_ value: JSONValue, _ name: String, _ expected: String) -> CatalogError {
        CatalogError(.wrongType, at: path.member(name), "expected \(expected), not \(value.kindDescription)")
    }
}
