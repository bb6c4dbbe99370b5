import MoqBase

/// What readers share while one file is read: its text, the words they may meet, and where findings go.
final class ReadingContext {
    let text: SourceText
    let vocabulary: Vocabulary
    let sink: DiagnosticSink
    /// Where nothing is read but the language itself: what takes note of it.
    let shapes: ShapeRecorder?
    /// What a file of this kind holds, for messages about one that holds nothing.
    var documentForm = "a suite: `suite`, `about` and `scenarios`"
    /// The actors of the scenario being read.
    var actors: [ActorDefinition] = []
    /// Actors that have a step which could not be read: what they publish or subscribe to is not known.
    var unclearActors: Set<String> = []
    /// The error conditions that the case being read names, each once, in the order of the file.
    var conditions: [String] = []
    /// The requirements that the case being read names.
    var requirements: [String] = []
    /// Those that the step being read puts to the test.
    var stepRequirements: [String] = []
    /// What the scenarios of the file build on.
    var dependencies: [DependencyCheck.Edge] = []
    /// How many repeats are around the step being read.
    var repeatDepth = 0
    /// `within` of expectations that do not say their own.
    var within: Duration = ReadingContext.defaultWithin

    /// Long enough for a relay on a busy machine to answer, short enough to wait for.
    static let defaultWithin = Duration.seconds(5)

    init(text: SourceText, vocabulary: Vocabulary, shapes: ShapeRecorder? = nil) {
        self.text = text
        self.vocabulary = vocabulary
        self.shapes = shapes
        sink = DiagnosticSink(text: text)
    }

    /// Notes what stands at a place, where there is only the language to read; false where there is a file.
    func notes(_ leaf: ValueShape.Leaf, _ span: SourceSpan) -> Bool {
        shapes?.note(leaf, at: span) ?? false
    }

    /// Notes that what stands there is defined elsewhere; false where there is a file.
    func refers(_ node: YAMLNode, to name: String) -> Bool {
        shapes?.refer(to: name, at: node.span) ?? false
    }

    /// Notes that what stands there is a list of what is defined elsewhere; false where there is a file.
    func refersList(_ node: YAMLNode, to name: String) -> Bool {
        guard shapes != nil else { return false }
        if case .sequence(let items) = node.content { return items.allSatisfy { refers($0, to: name) } }
        return true
    }

    func error(_ span: SourceSpan, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        sink.report(.error, at: span, message, expected: expected, suggestion: suggestion)
    }

    func warning(_ span: SourceSpan, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        sink.report(.warning, at: span, message, expected: expected, suggestion: suggestion)
    }

    /// Reports a word that is none of those that are valid here.
    func unknownWord(_ word: String, at span: SourceSpan, _ message: String, among words: [String]) {
        // One word alone is a name of the scenario, to which others may come.
        if words.count > 1, notes(.words(words), span) { return }
        let nearest = NearestWord.ranked(word, among: words, limit: 4)
        error(
            span, message, expected: Self.choice(of: words, instead: word, nearest: nearest), suggestion: nearest.first)
    }

    /// More words than this are not listed in a message when it is clear which one was meant.
    private static let mostWordsListed = 24
    /// More words than this are never listed.
    private static let longestList = 48

    private static func choice(of words: [String], instead word: String, nearest: [String]) -> String? {
        func quoted(_ words: some Sequence<String>) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
        if words.isEmpty { return nil }
        if words.count == 1 { return quoted(words) }
        if words.count <= mostWordsListed { return "one of \(quoted(words))" }
        if let first = nearest.first, NearestWord.isSlip(word, for: first) {
            return "one of \(words.count) words, such as \(quoted(nearest))"
        }
        if words.count <= longestList { return "one of \(quoted(words))" }
        return "one of \(words.count) words, such as \(quoted(nearest.isEmpty ? Array(words.prefix(4)) : nearest))"
    }
}
