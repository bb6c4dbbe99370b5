/// A piece of a line of a file.
public struct SourceSpan: Hashable, Sendable {
    /// Line, counted from 1.
    public var line: Int
    /// Column in characters, counted from 1.
    public var column: Int
    /// How many characters, at least 1.
    public var length: Int
}

/// A value of a YAML document, with its place.
public struct YAMLNode: Equatable, Sendable {
    /// What it holds.
    public indirect enum Content: Equatable, Sendable {
        /// Text; `isPlain` when written without quotes, so that it may stand for a number, a truth value or null.
        case scalar(String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// Keys with values, in the order of the file.
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    public struct Entry: Equatable, Sendable {
        /// The key.
        public var key: String
        /// Where the key stands.
        public var keySpan: SourceSpan
        /// What it has.
        public var value: YAMLNode
    }

    /// What it holds.
    public var content: Content
    /// Where it begins.
    public var span: SourceSpan

    /// How many values it holds, itself included.
    var size: Int {
        switch content {
        case .scalar: 1
        case .sequence(let items): items.reduce(1) { $0 + $1.size }
        case .mapping(let entries): entries.reduce(1) { $0 + 1 + $1.value.size }
        }
    }

    /// What it is, for messages: `a mapping`.
    public var kindDescription: String {
        switch content {
        case .scalar(let text, let isPlain):
            isPlain && (text.isEmpty || text == "~" || text == "null") ? "nothing" : "`\(text)`"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
