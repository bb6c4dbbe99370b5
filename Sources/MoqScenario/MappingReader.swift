import MoqBase

/// Takes the keys of one mapping one by one, then says which were not wanted or are missing.
///
/// The keys that a reader asks for are the keys that exist: there is no second list of them to keep true.
public final class MappingReader {
    let context: ReadingContext
    /// What the mapping describes, for messages: `viewer.subscribe`.
    let what: String
    /// Where the mapping begins, or the key that it belongs to.
    let span: SourceSpan
    private let entries: [YAMLNode.Entry]
    /// Where the mapping itself begins.
    private let place: SourceSpan
    /// The keys that were asked for, some more than once.
    private var known: [String] = []
    /// Which of the entries were taken.
    private var taken: [Bool]
    private var missing: [String] = []

    /// Reads a mapping; nothing (`key:` with no value) is an empty one. Reports anything else.
    init?(_ node: YAMLNode, of what: String, at span: SourceSpan? = nil, context: ReadingContext) {
        self.context = context
        self.what = what
        self.span = span ?? node.span
        place = node.span
        switch node.content {
        case .mapping(let entries):
            self.entries = entries
            taken = Array(repeating: false, count: entries.count)
            context.shapes?.reads(node.span)
        case .scalar("", isPlain: true), .scalar("~", isPlain: true):
            entries = []
            taken = []
        case .scalar, .sequence:
            context.error(
                node.span, "\(Self.title(what)) is \(node.kindDescription)",
                expected: "a mapping, such as `{ key: value }`")
            return nil
        }
    }

    /// What the mapping describes as it stands in a sentence: a key in its quotes, or `the suite file`.
    private var title: String { Self.title(what) }

    private static func title(_ what: String) -> String { what.contains(" ") ? "the \(what)" : "`\(what)`" }

    /// The keys that are there.
    public var keys: [String] { entries.map(\.key) }

    /// All keys with their values, where any key is allowed.
    public func takeAll() -> [YAMLNode.Entry] {
        taken = Array(repeating: true, count: entries.count)
        return entries
    }

    /// All keys with their values, where only these are allowed; whether they are, the caller sees.
    func takeAll(among keys: [String]) -> [YAMLNode.Entry] {
        context.shapes == nil ? takeAll() : keys.compactMap(take)
    }

    /// The value of a key that may be absent.
    public func take(_ key: String) -> YAMLNode.Entry? {
        known.append(key)
        if let shapes = context.shapes { return shapes.member(key, of: place, isNeeded: false) }
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        taken[index] = true
        return entries[index]
    }

    /// The value of a key that must be there. A missing one is reported by `finish`.
    public func need(_ key: String) -> YAMLNode.Entry? {
        if let shapes = context.shapes { return shapes.member(key, of: place, isNeeded: true) }
        let entry = take(key)
        if entry == nil { missing.append(key) }
        return entry
    }

    /// Whether a key is there, without taking it.
    public func has(_ key: String) -> Bool {
        context.shapes?.has(key, of: place) ?? entries.contains { $0.key == key }
    }

    /// Reports two keys that exclude each other.
    func exclude(_ first: String, _ second: String, because reason: String) {
        guard has(first), let other = entries.first(where: { $0.key == second }) else { return }
        context.error(
            other.keySpan, "`\(what)` has both `\(first)` and `\(second)`: \(reason)", expected: "one of the two")
    }

    /// Reports keys that nobody asked for, and then those that are missing.
    public func finish() {
        if context.shapes != nil { return }
        for (entry, isTaken) in zip(entries, taken) where !isTaken {
            var seen: Set<String> = []
            let known = known.filter { seen.insert($0).inserted }
            let free = known.filter { key in !zip(entries, taken).contains { $0.key == key && $1 } }
            context.unknownWord(
                entry.key, at: entry.keySpan, "unknown key `\(entry.key)` in \(title)",
                among: free.isEmpty ? known : free)
            if let nearest = NearestWord.of(entry.key, among: free) { missing.removeAll { $0 == nearest } }
        }
        guard let last = missing.popLast() else { return }
        let others = missing.map { "`\($0)`" }.joined(separator: ", ")
        context.error(span, "\(title) needs \(others.isEmpty ? "" : "\(others) and ")`\(last)`")
    }
}
