/// Collects the findings of one file.
final class DiagnosticSink {
    /// More findings than this are not worth reading; the rest is left out, and said to be.
    static let limit = 200

    private struct Key: Hashable {
        var line: Int
        var column: Int
        var message: String
    }

    private let text: SourceText
    /// Places of undefined variables: what is wrong with a value that has one follows from that.
    private var undefined: Set<SourceSpan> = []
    private var seen: Set<Key> = []
    private(set) var diagnostics: [Diagnostic] = []
    private var isFull = false
    /// How many errors were reported, repeated ones included.
    private(set) var errorCount = 0

    init(text: SourceText) {
        self.text = text
    }

    /// Adds a finding. The same one is kept once: the cases of a matrix mostly have the same mistakes.
    func report(
        _ severity: DiagnosticSeverity, at span: SourceSpan, _ message: String, expected: String?, suggestion: String?
    ) {
        if severity == .error { errorCount += 1 }
        guard !isFull, !undefined.contains(span),
            seen.insert(Key(line: span.line, column: span.column, message: message)).inserted
        else { return }
        if diagnostics.count == Self.limit {
            isFull = true
            append(.error, at: span, "there are more than \(Self.limit) findings in this file; the rest is left out")
            return
        }
        append(severity, at: span, message, expected: expected, suggestion: suggestion)
    }

    /// Leaves out what is found at a place from now on.
    func silence(_ span: SourceSpan) {
        undefined.insert(span)
    }

    /// The findings in the order of the file.
    var sorted: [Diagnostic] {
        diagnostics.enumerated().sorted { left, right in
            let (a, b) = (left.element.location, right.element.location)
            return (a.line, a.column, left.offset) < (b.line, b.column, right.offset)
        }.map(\.element)
    }

    private func append(
        _ severity: DiagnosticSeverity, at span: SourceSpan, _ message: String, expected: String? = nil,
        suggestion: String? = nil
    ) {
        diagnostics.append(
            Diagnostic(
                location: text.location(of: span), length: span.length, sourceLine: text.line(span.line),
                message: message, expected: expected, suggestion: suggestion, severity: severity))
    }
}
