/// How much a finding matters.
public enum DiagnosticSeverity: String, Comparable, Sendable {
    case warning, error

    public static func < (left: Self, right: Self) -> Bool {
        left == .warning && right == .error
    }
}

/// Something that is wrong, or doubtful, in a scenario file.
public struct Diagnostic: Equatable, Sendable {
    /// Where.
    public var location: SourceLocation
    /// How many characters the caret underlines, at least 1.
    public var length: Int
    /// The whole line as it stands in the file; nil when the file has no such line.
    public var sourceLine: String?
    /// What is wrong, in a sentence without a full stop.
    public var message: String
    /// What would have been right.
    public var expected: String?
    /// What to write instead.
    public var suggestion: String?
    /// Whether the file can be run all the same.
    public var severity: DiagnosticSeverity
}
