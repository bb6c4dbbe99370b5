/// Turns findings into text for people.
public enum DiagnosticRenderer {
    /// Lines longer than this are cut around the caret, so that a file of one line stays readable.
    static let widestLine = 160

    /// One finding: the place, what is wrong, the line with a caret, what was expected, what was perhaps meant.
    public static func text(_ diagnostic: Diagnostic) -> String {
        var lines = ["\(diagnostic.location): \(diagnostic.severity.rawValue): \(printable(diagnostic.message))"]
        let number = String(diagnostic.location.line)
        let margin = String(repeating: " ", count: number.count)
        if let sourceLine = diagnostic.sourceLine {
            let (shown, column, length) = excerpt(
                Array(sourceLine.unicodeScalars), column: diagnostic.location.column - 1, length: diagnostic.length)
            lines.append("  \(number) | \(shown)")
            lines.append(
                "  \(margin) | \(String(repeating: " ", count: column))\(String(repeating: "^", count: length))")
        }
        if let expected = diagnostic.expected {
            lines.append("  \(margin) = expected: \(printable(expected))")
        }
        if let suggestion = diagnostic.suggestion {
            lines.append("  \(margin) = did you mean `\(printable(suggestion))`?")
        }
        return lines.joined(separator: "\n")
    }

    /// All findings, with a last line that counts them. Empty when there are none.
    public static func text(_ diagnostics: [Diagnostic]) -> String {
        guard !diagnostics.isEmpty else { return "" }
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let counts = [(errors, "error"), (warnings, "warning")]
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return (diagnostics.map { text($0) } + [counts.joined(separator: ", ")]).joined(separator: "\n\n")
    }

    private static func excerpt(_ line: [Unicode.Scalar], column: Int, length: Int) -> (String, Int, Int) {
        let column = min(max(column, 0), line.count)
        let first = line.count <= widestLine ? 0 : max(0, min(column - widestLine / 2, line.count - widestLine))
        let end = min(line.count, first + widestLine)
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: line[first..<end])
        let prefix = first > 0 ? "..." : ""
        let suffix = end < line.count ? "..." : ""
        let visible = max(1, min(length, end - column))
        return (prefix + printable(String(shown)) + suffix, column - first + prefix.count, visible)
    }

    /// Characters that would move the cursor or colour the terminal become visible ones of the same width.
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: result.append(scalar == "\t" ? " " : "\u{FFFD}")
            case .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
