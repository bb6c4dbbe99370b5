/// A piece of a line of a file.
struct SourceSpan: Hashable, Sendable {
    /// Line, counted from 1.
    var line: Int
    /// Column in characters, counted from 1.
    var column: Int
    /// How many characters, at least 1.
    var length: Int
}

/// A value of a YAML document, with its place.
struct YAMLNode: Equatable, Sendable {
    /// What it holds.
    indirect enum Content: Equatable, Sendable {
        /// Text; `isPlain` when written without quotes, so that it may stand for a number, a truth value or null.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    struct Entry: Equatable, Sendable {
        var key: String
        var keySpan: SourceSpan
        var value: YAMLNode
    }

    var content: Content
    var span: SourceSpan

    /// How many values it holds, itself included.
    var size: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): items.reduce(1) { $0 + $1.size }
        case .mapping(let entries): entries.reduce(1) { $0 + 1 + $1.value.size }
        }
    }

    /// What it is, for messages: `a mapping`.
    var kindDescription: String {
        switch content {
        case .scalar(let text, let isPlain):
            isPlain && (text.isEmpty || text == "~" || text == "null") ? "nothing" : "`\(text)`"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
