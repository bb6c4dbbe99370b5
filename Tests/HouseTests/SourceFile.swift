/// One file of the tree, its code told apart from its comments and texts.
struct SourceFile {
    /// The path from the package's root.
    let path: String
    /// The lines as they are.
    let lines: [String]
    /// The lines without comments and without what stands in string literals; blanks in their place.
    let code: [String]
    /// Only what stands in comments; blanks in place of the rest.
    let comments: [String]

    /// Takes a file apart. What is no Swift is all text.
    init(path: String, text: String) {
        self.path = path
        lines = Self.split(Array(text.utf8))
        guard path.hasSuffix(".swift") else {
            code = []
            comments = []
            return
        }
        var scanner = SourceScanner(Array(text.utf8))
        scanner.scan()
        code = Self.split(scanner.code)
        comments = Self.split(scanner.comments)
    }

    /// The part of the tree: `Sources/MoqWire` is the room `MoqWire`, `Tests/MoqWireTests` its tests.
    var room: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    var isTest: Bool { path.hasPrefix("Tests/") }
    var isSwift: Bool { path.hasSuffix(".swift") }

    /// Whether a comment stands on a line or near it, at most `reach` lines away.
    func hasComment(near line: Int, reach: Int) -> Bool {
        let first = max(0, line - reach)
        let last = min(comments.count - 1, line + reach)
        return (first...last).contains { index in comments[index].contains { $0 != " " } }
    }

    private static func split(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Tells code, comments and string literals of a Swift file apart, byte by byte.
private struct SourceScanner {
    private enum Mode {
        /// Code; inside an interpolation, with the parentheses that are open in it.
        case code(parentheses: Int?)
        /// A string literal with its number of `#`, on one line or on several.
        case text(hashes: Int, isLong: Bool)
    }

    private let bytes: [UInt8]
    private(set) var code: [UInt8] = []
    private(set) var comments: [UInt8] = []
    private var index = 0
    private var modes: [Mode] = [.code(parentheses: nil)]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        code.reserveCapacity(bytes.count)
        comments.reserveCapacity(bytes.count)
    }

    mutating func scan() {
        while index < bytes.count {
            switch modes[modes.count - 1] {
            case .code(let parentheses): scanCode(parentheses)
            case .text(let hashes, let isLong): scanText(hashes, isLong)
            }
        }
    }

    private enum Kind {
        case code, comment, text
    }

    private mutating func take(_ count: Int, as kind: Kind) {
        for byte in bytes[index..<min(bytes.count, index + count)] {
            let blank = byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
            code.append(kind == .code ? byte : blank)
            comments.append(kind == .comment ? byte : blank)
        }
        index += count
    }

    private func sees(_ text: StaticString, at offset: Int = 0) -> Bool {
        let start = index + offset
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return false }
        return text.withUTF8Buffer { buffer in bytes[start..<start + count].elementsEqual(buffer) }
    }

    private mutating func scanCode(_ parentheses: Int?) {
        if sees("//") {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            take(end - index, as: .comment)
        } else if sees("/*") {
            takeBlockComment()
        } else if let literal = literalStart() {
            take(literal.length, as: .code)
            modes.append(.text(hashes: literal.hashes, isLong: literal.isLong))
        } else if let open = parentheses {
            let byte = bytes[index]
            let now = open + (byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0)
            take(1, as: .code)
            if now == 0 { modes.removeLast() } else { modes[modes.count - 1] = .code(parentheses: now) }
        } else {
            take(1, as: .code)
        }
    }

    private mutating func takeBlockComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                take(2, as: .comment)
            } else if sees("*/") {
                depth -= 1
                take(2, as: .comment)
            } else {
                take(1, as: .comment)
            }
        } while depth > 0 && index < bytes.count
    }

    private func literalStart() -> (length: Int, hashes: Int, isLong: Bool)? {
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        guard sees("\"", at: hashes) else { return nil }
        let isLong = sees("\"\"\"", at: hashes)
        return (hashes + (isLong ? 3 : 1), hashes, isLong)
    }

    private mutating func scanText(_ hashes: Int, _ isLong: Bool) {
        let quotes = isLong ? 3 : 1
        let marks = { [bytes, index] (offset: Int) in
            bytes[min(bytes.count, index + offset)...].prefix(hashes).allSatisfy { $0 == UInt8(ascii: "#") }
                && index + offset + hashes <= bytes.count
        }
        if isLong ? sees("\"\"\"") : sees("\""), marks(quotes) {
            take(quotes + hashes, as: .code)
            modes.removeLast()
        } else if sees("\\"), marks(1) {
            let isInterpolation = sees("(", at: 1 + hashes)
            take(1 + hashes, as: .text)
            take(1, as: isInterpolation ? .code : .text)
            if isInterpolation { modes.append(.code(parentheses: 1)) }
        } else if !isLong, sees("\n") {
            // No literal goes on: the file does not compile, or the scanner is mistaken; the next line is code.
            modes.removeLast()
        } else {
            take(1, as: .text)
        }
    }
}
