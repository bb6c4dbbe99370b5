import CJansson

/// A JSON document that has been read.
public indirect enum JSONValue: Sendable, Equatable {
    /// One member of an object.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public var name: String
        /// The member's value.
        public var value: JSONValue

        /// A member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction or exponent, in 64 bits.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A string; it may hold U+0000.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object's members in the order of the document.
    case object([Member])

    /// How deep arrays and objects may nest: far more than any document here, far less than a stack holds.
    public static let depthLimit = 128

    /// Reads one JSON document (RFC 8259) of any type.
    ///
    /// Invalid UTF-8, lone surrogates, numbers that do not fit, two members of one name, anything after the end, and
    /// nesting beyond `depthLimit` are errors (`JSONError`, with line and column).
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var failure = json_error_t()
        let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES)
        let root = bytes.withUnsafeBytes { buffer in
            // An empty array has no address, and Jansson takes none for an error of the caller.
            json_loadb(buffer.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }, buffer.count, flags, &failure)
        }
        guard let root else {
            let problem = bytes.isEmpty ? "there is nothing" : Self.text(of: failure)
            throw JSONError(line: max(Int(failure.line), 1), column: max(Int(failure.column), 1), problem: problem)
        }
        defer { json_decref(root) }
        self = try Self.value(of: root, depth: 0)
    }

    /// The value of an object's member; nil when there is none, or this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element of an array; nil beyond its end, or when this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text, when this is a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, when this is an integer.
    public var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The elements, when this is an array.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, when this is an object.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    private static func value(of json: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= depthLimit else {
            throw JSONError(line: 1, column: 1, problem: "arrays and objects nest deeper than \(depthLimit)")
        }
        switch json.pointee.type {
        case JSON_OBJECT:
            var members: [Member] = []
            members.reserveCapacity(json_object_size(json))
            var iterator = json_object_iter(json)
            while let current = iterator {
                // Both are there for as long as the iterator is; the reader would be at fault otherwise.
                guard let name = json_object_iter_key(current), let child = json_object_iter_value(current) else {
                    break
                }
                members.append(Member(name: String(cString: name), value: try value(of: child, depth: depth + 1)))
                iterator = json_object_iter_next(json, current)
            }
            return .object(members)
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            let count = json_array_size(json)
            elements.reserveCapacity(count)
            for index in 0..<count {
                guard let child = json_array_get(json, index) else { break }
                elements.append(try value(of: child, depth: depth + 1))
            }
            return .array(elements)
        case JSON_STRING:
            guard let start = json_string_value(json) else { return .string("") }
            let buffer = UnsafeRawBufferPointer(start: start, count: json_string_length(json))
            return .string(String(decoding: buffer, as: UTF8.self))
        case JSON_INTEGER: return .integer(json_integer_value(json))
        case JSON_REAL: return .real(json_real_value(json))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }

    private static func text(of failure: json_error_t) -> String {
        withUnsafeBytes(of: failure.text) { buffer in
            String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
