/// A scenario file, as its bytes.
public struct ScenarioFile: Equatable, Sendable {
    /// The path, for messages.
    public var path: String
    /// What is in it.
    public var bytes: [UInt8]

    /// A file.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// What came of loading files.
public struct LoadResult: Equatable, Sendable {
    /// The suites, in the order of the files. Scenarios with errors are left out.
    public var suites: [Suite]
    /// Everything that is wrong or doubtful, in the order of the files and of their lines.
    public var diagnostics: [Diagnostic]

    /// Whether anything is so wrong that nothing should be run.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

// @unchecked: it is handed over whole by the one that read the file, who keeps nothing of it.
/// What came of reading one file by itself.
public struct FileReading: @unchecked Sendable {
    let suite: Suite?
    let root: YAMLNode?
    let context: ReadingContext
}

/// Reads scenario files and checks them: all mistakes of all files in one go.
public struct SuiteLoader {
    /// Files above this are not scenarios. 1 MiB is a hundred times what the longest suite has.
    public static let greatestFileSize = 1 << 20

    private let vocabulary: Vocabulary

    /// A loader for files that use the words of `vocabulary`.
    public init(vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
    }

    /// Reads files that make up one run.
    public func load(_ files: [ScenarioFile]) -> LoadResult {
        combine(files.map(read))
    }

    /// Puts together what came of reading the files of one run, each by itself and in their order, and looks for what is
    /// in two of them.
    public func combine(_ readings: [FileReading]) -> LoadResult {
        var result = LoadResult(suites: [], diagnostics: [])
        var ids = IdentifierRegister()
        for reading in readings {
            if let root = reading.root { ids.note(root, context: reading.context) }
            if let suite = reading.suite { result.suites.append(suite) }
            result.diagnostics += reading.context.sink.sorted
        }
        return result
    }

    /// Reads one file by itself: on any thread, as long as nobody else has what comes of it.
    public func read(_ file: ScenarioFile) -> FileReading {
        let (suite, context) = suite(of: file)
        return FileReading(suite: suite, root: context.root, context: context.reading)
    }

    private func suite(of file: ScenarioFile) -> (Suite?, (root: YAMLNode?, reading: ReadingContext)) {
        let start = SourceSpan(line: 1, column: 1, length: 1)
        guard file.bytes.count <= Self.greatestFileSize else {
            let context = ReadingContext(text: SourceText(file: file.path, text: ""), vocabulary: vocabulary)
            context.error(
                start, "the file has \(file.bytes.count) bytes", expected: "at most \(Self.greatestFileSize): split it")
            return (nil, (nil, context))
        }
        let text = String(decoding: file.bytes, as: UTF8.self)
        let context = ReadingContext(text: SourceText(file: file.path, text: text), vocabulary: vocabulary)
        // Some editors begin a file with the mark of UTF-8, which is no part of its text.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = file.bytes.starts(with: mark) ? Array(file.bytes.dropFirst(mark.count)) : file.bytes
        guard let root = YAMLDocument.read(bytes, context: context).root else { return (nil, (nil, context)) }
        return (SuiteReader(context: context).suite(root), (root, context))
    }
}

/// Ids of suites and scenarios that were seen, to find those that are there twice.
private struct IdentifierRegister {
    private var places: [String: SourceLocation] = [:]

    mutating func note(_ root: YAMLNode, context: ReadingContext) {
        guard case .mapping(let entries) = root.content else { return }
        for entry in entries {
            switch (entry.key, entry.value.content) {
            case ("suite", .scalar(let id, _)): note(id, kind: "suite", at: entry.value.span, context)
            case ("scenarios", .sequence(let items)): for item in items { noteScenario(item, context) }
            default: break
            }
        }
    }

    private mutating func noteScenario(_ node: YAMLNode, _ context: ReadingContext) {
        guard case .mapping(let entries) = node.content,
            let entry = entries.first(where: { $0.key == "id" }), case .scalar(let id, _) = entry.value.content
        else { return }
        note(id, kind: "scenario", at: entry.value.span, context)
    }

    private mutating func note(_ id: String, kind: String, at span: SourceSpan, _ context: ReadingContext) {
        if let place = places["\(kind) \(id)"] {
            context.error(span, "there is already a \(kind) `\(id)`, at \(place)", expected: "an id of its own")
        } else {
            places["\(kind) \(id)"] = context.text.location(of: span)
        }
    }
}
