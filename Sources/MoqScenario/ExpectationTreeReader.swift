/// What readers of expectations do alike, whatever their actors can see: a mapping in which every key names one thing,
/// all must hold, and `any_of` and `all_of` take such mappings again.
protocol ExpectationTreeReader {
    /// What actors of this kind can see.
    associatedtype Seen

    var context: ReadingContext { get }
    /// Whose expectations are read.
    var kind: ActorKind { get }

    /// What an actor can see, as one of the things that any actor can.
    static func kind(of seen: Seen) -> ExpectationKind

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree?
}

extension ExpectationTreeReader {
    /// One thing, expected at a key.
    func one(_ seen: Seen, _ entry: YAMLNode.Entry, _ occurrences: CountExpectation? = nil) -> ExpectationTree {
        context.expectation(Self.kind(of: seen), at: entry, occurrences)
    }

    /// The value of a key that is a mapping of its own.
    func nested<Value>(_ entry: YAMLNode.Entry, _ read: (MappingReader) -> Value?) -> Value? {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return nil
        }
        let value = read(reader)
        reader.finish()
        return value
    }

    /// The items of a key whose value is a list of at least one; nil where the key is not there, or is wrong.
    func items(_ reader: MappingReader, _ key: String, expected: String) -> (YAMLNode.Entry, [YAMLNode])? {
        guard let entry = reader.take(key) else { return nil }
        guard case .sequence(let items) = entry.value.content, !items.isEmpty else {
            return context.wrong(entry.value, key, expected: expected)
        }
        return (entry, items)
    }

    /// The expectations in the list of a key such as `any_of`.
    func branches(
        _ reader: MappingReader, _ key: String, expected: String = "a list of expectations"
    ) -> [ExpectationTree]? {
        items(reader, key, expected: expected).map { $1.compactMap { branch($0, of: key) } }
    }

    private func branch(_ item: YAMLNode, of key: String) -> ExpectationTree? {
        if context.refers(item, to: ShapeRecorder.expectation(of: kind)) { return nil }
        guard let inner = MappingReader(item, of: key, context: context) else { return nil }
        let before = context.sink.errorCount
        let tree = self.tree(inner)
        inner.finish()
        if tree == nil, context.sink.errorCount == before {
            context.error(item.span, "an item of `\(key)` expects nothing")
        }
        return tree
    }

    /// Reports a number of times with nothing beside it that happens so often.
    func countsNothing(_ reader: MappingReader, expected: String) {
        context.error(
            reader.span, "there is nothing here that `count`, `at_least` or `at_most` could count", expected: expected)
    }
}

extension ReadingContext {
    /// What is expected at a key.
    func expectation(
        _ kind: ExpectationKind, at entry: YAMLNode.Entry, _ occurrences: CountExpectation? = nil
    ) -> ExpectationTree {
        .one(
            Expectation(
                kind: kind, occurrences: occurrences, location: text.location(of: entry.keySpan),
                source: text.trimmedLine(entry.keySpan.line)))
    }
}

extension MappingReader {
    /// How often something happens: `count`, or `at_least` and `at_most`.
    func occurrences() -> CountExpectation? {
        if let count = count("count") { return count }
        let least = integer("at_least", in: 0...ReadingContext.greatestCount)
        let most = integer("at_most", in: 0...ReadingContext.greatestCount)
        guard least != nil || most != nil else { return nil }
        return CountExpectation(minimum: Int(least ?? 0), maximum: most.map { Int($0) })
    }
}
