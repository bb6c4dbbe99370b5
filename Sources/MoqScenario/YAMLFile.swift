/// A YAML file of another room than this: its values with their places, and what is found wrong in it.
///
/// Scenarios and the registry are read here. Rooms above that keep definitions of their own in YAML read them through
/// this, so that their mistakes look like those of scenarios.
public final class YAMLFile {
    private let context: ReadingContext
    /// The document; nil when the text is not YAML or there is none, which is reported.
    public private(set) var root: YAMLNode?

    /// Reads a file. `form` is what such a file holds, for messages about an empty one.
    public init(_ file: ScenarioFile, form: String) {
        let isTooLong = file.bytes.count > SuiteLoader.greatestFileSize
        let text = isTooLong ? "" : String(decoding: file.bytes, as: UTF8.self)
        context = ReadingContext(
            text: SourceText(file: file.path, text: text),
            vocabulary: Vocabulary(conditions: [], capabilities: [], versions: []))
        context.documentForm = form
        guard !isTooLong else {
            error(
                SourceSpan(line: 1, column: 1, length: 1), "the file has \(file.bytes.count) bytes",
                expected: "at most \(SuiteLoader.greatestFileSize): split it")
            return
        }
        root = YAMLDocument.read(file.bytes, context: context).root
    }

    /// Everything that was found wrong, in the order of the lines.
    public var diagnostics: [Diagnostic] { context.sink.sorted }

    /// Whether something is so wrong that the file cannot be used.
    public var hasErrors: Bool { context.sink.errorCount > 0 }

    /// The place at which a span begins.
    public func location(of span: SourceSpan) -> SourceLocation { context.text.location(of: span) }

    /// Reports an error.
    public func error(_ span: SourceSpan, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        context.error(span, message, expected: expected, suggestion: suggestion)
    }

    /// Reports something doubtful.
    public func warning(_ span: SourceSpan, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        context.warning(span, message, expected: expected, suggestion: suggestion)
    }

    /// Reports a word that is none of those that are valid here, with the nearest of them.
    public func unknownWord(_ word: String, at span: SourceSpan, _ message: String, among words: [String]) {
        context.unknownWord(word, at: span, message, among: words)
    }

    /// Reads a mapping; nil after reporting that it is none. `what` is what it describes, for messages.
    public func mapping(_ node: YAMLNode, of what: String, at span: SourceSpan? = nil) -> MappingReader? {
        MappingReader(node, of: what, at: span, context: context)
    }

    /// Reads a text; nil after reporting that it is none.
    public func text(_ node: YAMLNode, _ name: String) -> String? { context.text(node, name) }

    /// Reads a duration with its unit; nil after reporting that it is none.
    public func duration(_ node: YAMLNode, _ name: String) -> Duration? { context.duration(node, name) }

    /// Reads `true` or `false`; nil after reporting that it is neither.
    public func truth(_ node: YAMLNode, _ name: String) -> Bool? { context.truth(node, name) }

    /// The items of a list, or a single value standing for a list of one.
    public func list(_ node: YAMLNode) -> [YAMLNode] { context.list(node) }

    /// A whole number, decimal or with `0x`; nil for any other text.
    public static func number(_ text: String) -> UInt64? { ReadingContext.number(text) }
}
