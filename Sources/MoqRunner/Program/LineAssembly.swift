import MoqConformance
import MoqJSON

/// Makes lines of what a program prints piece by piece.
struct LineAssembly {
    /// The longest line that is kept, in bytes; what is more of one is left out.
    static let longest = 64 << 10

    private var bytes: [UInt8] = []
    private var isCut = false

    /// Takes a piece, and gives the lines that it ended.
    mutating func take(_ piece: [UInt8]) -> [String] {
        var lines: [String] = []
        for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            add(part)
            lines.append(line())
        }
        if let last = piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last { add(last) }
        return lines
    }

    /// The line that did not end; nil where there is none.
    var rest: String? {
        mutating get { bytes.isEmpty ? nil : line() }
    }

    private mutating func add(_ part: ArraySlice<UInt8>) {
        let room = Self.longest - bytes.count
        bytes += part.prefix(room)
        if part.count > room { isCut = true }
    }

    private mutating func line() -> String {
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")
        (bytes, isCut) = ([], false)
        return text
    }
}

extension ProgramRecord {
    /// Members told of one line, and how deep objects inside it are looked into.
    private static let fieldsKept = 100
    private static let deepest = 4

    /// The members of the JSON object that a line is; none of any other line.
    static func fields(of line: String) -> [Field] {
        guard line.first == "{", let value = try? JSONValue(parsing: Array(line.utf8)) else { return [] }
        var fields: [Field] = []
        add(value, "", 0, &fields)
        return fields
    }

    private static func add(_ value: JSONValue, _ name: String, _ depth: Int, _ fields: inout [Field]) {
        guard fields.count < fieldsKept else { return }
        let text: String
        switch value {
        case .object(let members):
            guard depth < deepest else { return }
            for member in members {
                add(member.value, name.isEmpty ? member.name : "\(name).\(member.name)", depth + 1, &fields)
            }
            return
        case .array(let elements): text = String(elements.count)
        case .string(let string): text = string
        case .integer(let number): text = String(number)
        case .real(let number): text = String(number)
        case .bool(let truth): text = truth ? "true" : "false"
        case .null: text = "null"
        }
        fields.append(Field(name: name, value: text))
    }
}
