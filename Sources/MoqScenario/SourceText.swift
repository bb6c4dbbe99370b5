/// The text of a file in lines, as libyaml counts them.
struct SourceText: Equatable, Sendable {
    /// The path as it was given to the loader.
    let file: String
    /// The lines without their ends.
    let lines: [String]

    init(file: String, text: String) {
        self.file = file
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{FEFF}" where previous == nil: break
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                lines.append(String(line))
                line = String.UnicodeScalarView()
            default: line.append(scalar)
            }
            previous = scalar
        }
        lines.append(String(line))
        self.lines = lines
    }

    /// A line by its number, counted from 1.
    func line(_ number: Int) -> String? {
        lines.indices.contains(number - 1) ? lines[number - 1] : nil
    }

    /// A line without its indentation and what follows the last word.
    func trimmedLine(_ number: Int) -> String {
        guard let line = line(number) else { return "" }
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = line.utf8.drop(while: isBlank)
        let end = bytes.lastIndex { !isBlank($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(line[bytes.startIndex..<end])
    }

    /// The place at which a span begins.
    func location(of span: SourceSpan) -> SourceLocation {
        SourceLocation(file: file, line: span.line, column: span.column)
    }

    /// The span between two marks that count from 0; what goes past the first line is cut there.
    func span(fromLine line: Int, column: Int, toLine endLine: Int, column endColumn: Int) -> SourceSpan {
        let end = endLine == line ? endColumn : self.line(line + 1)?.unicodeScalars.count ?? 0
        return SourceSpan(line: line + 1, column: column + 1, length: max(1, end - column))
    }

    /// The place of a byte of the file.
    static func place(ofByte offset: Int, in bytes: [UInt8]) -> SourceSpan {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = String(decoding: bytes[lineStart..<max(lineStart, before.count)], as: UTF8.self)
            .unicodeScalars.count
        return SourceSpan(line: line, column: column + 1, length: 1)
    }
}
