import MoqBase

/// What came of reading the files of the registry.
public struct RequirementReading: Equatable, Sendable {
    /// The registry. Rows with mistakes are left out, and their ids are known all the same.
    public var registry: RequirementRegistry
    /// Everything that is wrong, in the order of the files and of their lines.
    public var diagnostics: [Diagnostic]

    /// Whether anything is wrong.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads the files of the registry and checks them: all mistakes of all files in one go.
///
/// A file is one area: `area`, `about` and `requirements`. The words of versions and transports come from the
/// vocabulary, as in scenarios.
public struct RequirementReader {
    private let vocabulary: Vocabulary

    /// A reader for files that use the words of `vocabulary`.
    public init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// Reads the files that make up the registry.
    public func read(_ files: [ScenarioFile]) -> RequirementReading {
        var areas: [RequirementArea] = []
        var contexts: [ReadingContext] = []
        var rows = RequirementCrossCheck()
        for file in files {
            let context = context(of: file)
            contexts.append(context)
            if let area = area(of: file, context, &rows) { areas.append(area) }
        }
        rows.run()
        return RequirementReading(
            registry: RequirementRegistry(areas: areas, ids: rows.ids),
            diagnostics: contexts.flatMap(\.sink.sorted))
    }

    private func context(of file: ScenarioFile) -> ReadingContext {
        let isTooLong = file.bytes.count > SuiteLoader.greatestFileSize
        let text = isTooLong ? "" : String(decoding: file.bytes, as: UTF8.self)
        let context = ReadingContext(text: SourceText(file: file.path, text: text), vocabulary: vocabulary)
        if isTooLong {
            context.error(
                SourceSpan(line: 1, column: 1, length: 1), "the file has \(file.bytes.count) bytes",
                expected: "at most \(SuiteLoader.greatestFileSize): split it")
        }
        return context
    }

    private func area(
        of file: ScenarioFile, _ context: ReadingContext, _ rows: inout RequirementCrossCheck
    ) -> RequirementArea? {
        guard context.sink.errorCount == 0, let root = YAMLDocument.read(file.bytes, context: context).root,
            let reader = MappingReader(root, of: "requirement file", context: context)
        else { return nil }
        let entry = reader.need("area")
        let name = entry.flatMap { context.text($0.value, "area") }
        let about = reader.neededText("about")
        let list = reader.need("requirements")
        reader.finish()
        if let name, let entry { rows.note(area: name, entry.value.span, context) }
        guard let list else { return nil }
        guard case .sequence(let items) = list.value.content, !items.isEmpty else {
            context.error(
                list.keySpan, "the area has no requirements", expected: "a list, each requirement after a `- `")
            return nil
        }
        let requirements = items.compactMap { item in
            RequirementRow(context: context, area: name).requirement(item, &rows)
        }
        guard let name else { return nil }
        return RequirementArea(name: name, about: about ?? "", requirements: requirements)
    }
}
