/// Where a value stands in a document, from the root down.
///
/// Written as JSONPath writes it (RFC 9535): `$.video.renditions["0.avc1"].codec`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// To the member of an object.
        case member(String)
        /// To the element of an array, from 0.
        case element(Int)
    }

    /// A line and a column in the text of a document.
    public struct Place: Hashable, Sendable {
        /// Counts from 1.
        public var line: Int
        /// Counts from 1, in bytes.
        public var column: Int

        /// A place.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The steps from the root.
    public var steps: [Step]

    /// A path of its steps; without any it is the root.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path of a member of what this path leads to.
    public func member(_ name: String) -> JSONPath { JSONPath(steps + [.member(name)]) }

    /// The path of an element of what this path leads to.
    public func element(_ index: Int) -> JSONPath { JSONPath(steps + [.element(index)]) }

    public var description: String {
        steps.reduce(into: "$") { text, step in
            switch step {
            case .element(let index): text += "[\(index)]"
            case .member(let name) where Self.isPlain(name): text += ".\(name)"
            case .member(let name):
                var writer = JSONWriter()
                writer.value(name)
                text += "[\(String(decoding: writer.bytes, as: UTF8.self))]"
            }
        }
    }

    /// Where in a text the value begins to which this path leads; nil when the text has none there.
    ///
    /// The text must be a document that `JSONValue` reads: in any other the answer means nothing.
    public func place(in text: [UInt8]) -> Place? {
        var scanner = JSONScanner(text)
        guard scanner.descend(steps) else { return nil }
        let before = text[..<scanner.position]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return Place(line: line, column: scanner.position - lineStart + 1)
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}

/// Walks over the text of a document without building it.
struct JSONScanner {
    /// What a number or a word ends before.
    private static let ends = Array("{}[]\",: \n\r\t".utf8)

    private let text: [UInt8]
    /// The byte that is looked at next.
    private(set) var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// Goes to the value to which the steps lead; false when there is none.
    mutating func descend(_ steps: [JSONPath.Step]) -> Bool {
        skipSpace()
        for step in steps {
            switch step {
            case .member(let name): guard enter(member: name) else { return false }
            case .element(let index): guard enter(element: index) else { return false }
            }
        }
        return position < text.count
    }

    private mutating func enter(member name: String) -> Bool {
        guard take("{") else { return false }
        while current == UInt8(ascii: "\"") {
            let start = position
            skipString()
            let found = (try? JSONValue(parsing: Array(text[start..<position])))?.string
            guard take(":") else { return false }
            if found.map({ $0.utf8.elementsEqual(name.utf8) }) == true { return true }
            skipValue()
            guard take(",") else { return false }
        }
        return false
    }

    private mutating func enter(element index: Int) -> Bool {
        guard take("[") else { return false }
        for _ in 0..<index {
            skipValue()
            guard take(",") else { return false }
        }
        return current != UInt8(ascii: "]")
    }

    /// Passes over a value of any depth: brackets are counted, so that depth costs no stack.
    private mutating func skipValue() {
        var depth = 0
        repeat {
            switch current {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            default:
                while let byte = current, !Self.ends.contains(byte) { position += 1 }
            }
            skipSpace()
        } while depth > 0 && position < text.count
    }

    private mutating func skipString() {
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, text.count)
        skipSpace()
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: sign) else { return false }
        position += 1
        skipSpace()
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private var current: UInt8? { position < text.count ? text[position] : nil }
}
