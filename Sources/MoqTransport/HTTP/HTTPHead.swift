/// Reads the head of one HTTP/1.1 message, however it is cut into pieces: a first line, headers, an empty line.
struct HTTPHead: Sendable {
    /// The longest head: a path of 32 parts, a token and a browser's headers fit several times.
    static let maximumSize = 16 << 10

    /// Why a head cannot be read.
    enum Fault: Error, Hashable {
        case tooLong
        case malformed(String)
    }

    /// The first line, once the head is complete.
    private(set) var firstLine = ""
    /// The headers in order, once the head is complete.
    private(set) var headers: [HTTPHeader] = []
    /// What came behind the head.
    private(set) var rest: [UInt8] = []
    /// Whether the empty line has come.
    private(set) var isComplete = false

    private var line: [UInt8] = []
    private var size = 0

    /// Takes bytes; those behind the head are kept in `rest`.
    mutating func take(_ bytes: [UInt8]) throws(Fault) {
        for (index, byte) in bytes.enumerated() {
            if isComplete {
                rest += bytes[index...]
                return
            }
            size += 1
            if byte == UInt8(ascii: "\n") {
                try endLine()
            } else {
                line.append(byte)
            }
            if size >= Self.maximumSize, !isComplete { throw .tooLong }
        }
    }

    /// Whether not even a part of a line has come.
    var isEmptySoFar: Bool { firstLine.isEmpty && line.isEmpty }

    /// What has come of the first line while it is not complete.
    var beginning: [UInt8] { firstLine.isEmpty ? line : [] }

    /// What came behind the head, which is then forgotten.
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    private mutating func endLine() throws(Fault) {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line = [] }
        // An empty line ends the head; before the first line it is passed over (RFC 9112 section 2.2).
        if line.isEmpty {
            isComplete = !firstLine.isEmpty
            if !isComplete { size = 0 }
            return
        }
        if line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) {
            throw .malformed("a line of the head holds a NUL or a bare CR")
        }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .malformed(firstLine.isEmpty ? "the first line is not UTF-8" : "a header is not UTF-8")
        }
        if firstLine.isEmpty {
            firstLine = text
        } else {
            headers.append(try Self.header(text))
        }
    }

    private static func header(_ text: String) throws(Fault) -> HTTPHeader {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw .malformed("a header has no name")
        }
        let name = text[..<colon]
        // Also folded lines and a space before the colon, both of which have been used to smuggle requests.
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformed("a header's name holds a space or a control character")
        }
        return HTTPHeader(name: String(name), value: trimmed(text[text.index(after: colon)...]))
    }

    /// Text without the spaces and tabs around it.
    static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text.drop { $0 == " " || $0 == "\t" })
    }
}
