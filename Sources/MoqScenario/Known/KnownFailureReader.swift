import MoqBase

/// What came of reading a list of known failures.
public struct KnownFailureReading: Equatable, Sendable {
    /// The entries without a mistake, in the order of the file.
    public var entries: [KnownFailure]
    /// Everything that is wrong, in the order of the lines.
    public var diagnostics: [Diagnostic]

    /// Whether anything is wrong.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads a list of known failures and checks it: all mistakes in one go.
///
/// The file has one key, `known`, with the list of entries (docs/command-line.md, "Known failures").
public struct KnownFailureReader {
    private let vocabulary: Vocabulary

    /// A reader for a list that uses the words of `vocabulary`.
    public init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// Reads a file. `problem` says what is wrong with a pattern for cases; nil when nothing is.
    public func read(_ file: ScenarioFile, problem: @escaping (String) -> String?) -> KnownFailureReading {
        let isTooLong = file.bytes.count > SuiteLoader.greatestFileSize
        let text = isTooLong ? "" : String(decoding: file.bytes, as: UTF8.self)
        let context = ReadingContext(text: SourceText(file: file.path, text: text), vocabulary: vocabulary)
        if isTooLong {
            context.error(
                SourceSpan(line: 1, column: 1, length: 1), "the file has \(file.bytes.count) bytes",
                expected: "at most \(SuiteLoader.greatestFileSize)")
        }
        let entries = isTooLong ? [] : self.entries(file, context, problem)
        return KnownFailureReading(entries: entries, diagnostics: context.sink.sorted)
    }

    private func entries(
        _ file: ScenarioFile, _ context: ReadingContext, _ problem: @escaping (String) -> String?
    ) -> [KnownFailure] {
        guard let root = YAMLDocument.read(file.bytes, context: context).root,
            let reader = MappingReader(root, of: "list of known failures", context: context)
        else { return [] }
        let list = reader.need("known")
        reader.finish()
        guard let list else { return [] }
        guard case .sequence(let items) = list.value.content else {
            context.error(
                list.value.span, "`known` is \(list.value.kindDescription)", expected: "a list, each entry after a `- `"
            )
            return []
        }
        return items.compactMap { KnownFailureEntry(context: context, problem: problem).entry($0) }
    }
}

/// Reads one entry.
private struct KnownFailureEntry {
    let context: ReadingContext
    let problem: (String) -> String?

    func entry(_ node: YAMLNode) -> KnownFailure? {
        guard let reader = MappingReader(node, of: "known failure", context: context) else { return nil }
        let before = context.sink.errorCount
        let cases = reader.need("cases").map { self.cases($0) } ?? []
        let target = reader.take("target").map { self.target($0) } ?? KnownFailure.Target()
        let condition = reader.take("condition").flatMap { self.condition($0) }
        let message = reader.text("message").map { Glob($0, separator: nil) }
        let requirement = reader.take("requirement").flatMap { self.requirement($0) }
        let reason = reader.neededText("reason")
        let link = reader.need("link").flatMap { self.link($0) }
        let expiry = reader.need("expires").flatMap { self.expiry($0) }
        if !reader.has("condition"), !reader.has("message") {
            context.error(
                reader.span, "the entry takes any failure for the known one", expected: "`condition`, `message` or both"
            )
        }
        reader.finish()
        guard let reason, let link, let expiry, context.sink.errorCount == before else { return nil }
        return KnownFailure(
            cases: cases, target: target, condition: condition, message: message, requirement: requirement,
            reason: reason, link: link, expiry: expiry, location: context.text.location(of: node.span))
    }

    private func cases(_ entry: YAMLNode.Entry) -> [(pattern: String, location: SourceLocation)] {
        let items = context.list(entry.value)
        if items.isEmpty { context.error(entry.value.span, "`cases` names no case") }
        return items.compactMap { item in
            guard let text = context.text(item, entry.key) else { return nil }
            if let wrong = problem(text) { context.error(item.span, wrong) }
            return (text, context.text.location(of: item.span))
        }
    }

    private func target(_ entry: YAMLNode.Entry) -> KnownFailure.Target {
        var target = KnownFailure.Target()
        guard let reader = MappingReader(entry.value, of: "target", at: entry.keySpan, context: context) else {
            return target
        }
        target.relay = reader.text("relay").map { Glob($0, separator: nil) }
        target.release = reader.text("release").map { Glob($0, separator: nil) }
        if let kind = reader.take("kind"), let word = context.text(kind.value, "kind") {
            if !KnownFailure.Target.kinds.contains(word) {
                context.unknownWord(
                    word, at: kind.value.span, "`kind` is `\(word)`", among: KnownFailure.Target.kinds)
            }
            target.kind = word
        }
        if let versions = reader.take("version") {
            let matrix = MatrixReader(context: context)
            target.versions = context.list(versions.value).flatMap { matrix.versions($0, "version") }
        }
        if let transports = reader.take("transport") {
            target.transports = context.list(transports.value).compactMap { context.transport($0, "transport") }
        }
        reader.finish()
        return target
    }

    private func condition(_ entry: YAMLNode.Entry) -> String? {
        guard let word = context.text(entry.value, entry.key) else { return nil }
        let isOfApplication =
            word.hasPrefix("app(") && word.hasSuffix(")")
            && (word == "app(n)" || UInt16(word.dropFirst(4).dropLast()) != nil)
        if !isOfApplication, !context.vocabulary.conditions.contains(word) {
            context.unknownWord(
                word, at: entry.value.span, "`condition` is `\(word)`, which is not a condition",
                among: context.vocabulary.conditions)
        }
        return word
    }

    private func requirement(_ entry: YAMLNode.Entry) -> String? {
        guard let id = context.text(entry.value, entry.key) else { return nil }
        if context.vocabulary.lacksRequirement(id) {
            context.unknownWord(
                id, at: entry.value.span, "there is no requirement `\(id)`",
                among: context.vocabulary.requirements ?? [])
        }
        return id
    }

    private func link(_ entry: YAMLNode.Entry) -> String? {
        guard let link = context.text(entry.value, entry.key) else { return nil }
        if !["https://", "http://"].contains(where: link.hasPrefix) {
            context.error(
                entry.value.span, "`link` is `\(link)`", expected: "a URL, such as `https://github.com/...`")
        }
        return link
    }

    private func expiry(_ entry: YAMLNode.Entry) -> KnownFailure.Expiry? {
        let expected = "a day such as `2027-01-31`, or `{ release: 0.5.0 }`"
        switch entry.value.content {
        case .scalar(let text, _):
            guard Self.isDay(text) else { return context.wrong(entry.value, entry.key, expected: expected) }
            return .date(text)
        case .mapping:
            guard let reader = MappingReader(entry.value, of: entry.key, context: context) else { return nil }
            let release = reader.neededText("release")
            reader.finish()
            guard let release else { return nil }
            guard release.contains(where: \.isNumber) else {
                return context.wrong(entry.value, entry.key, expected: expected)
            }
            return .release(release)
        case .sequence: return context.wrong(entry.value, entry.key, expected: expected)
        }
    }

    /// Whether a text is a day of the calendar, as ISO 8601 writes it.
    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, [4, 2, 2]).allSatisfy({ $0.count == $1 }),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}
