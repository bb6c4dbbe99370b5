/// Reads what is expected of an outside program: a mapping in which every key names one thing, and all must hold.
struct ProgramExpectationReader: ExpectationTreeReader {
    let context: ReadingContext
    let kind = ActorKind.program

    static func kind(of seen: ProgramExpectation) -> ExpectationKind { .program(seen) }

    /// Takes the keys that say what is expected. The caller takes the others (`within`, `for`) and finishes.
    func tree(_ reader: MappingReader) -> ExpectationTree? {
        var parts: [ExpectationTree] = []
        let occurrences = reader.occurrences()
        if let entry = reader.take("running"), let runs = context.truth(entry.value, entry.key) {
            parts.append(one(.running(runs), entry))
        }
        if let entry = reader.take("exit"), let exit = exit(entry.value) { parts.append(one(.exit(exit), entry)) }
        if let entry = reader.take("line") {
            if let pattern = pattern(entry.value) { parts.append(one(.line(pattern), entry, occurrences)) }
        } else if occurrences != nil {
            countsNothing(reader, expected: "the number beside a `line`")
        }
        if let (entry, items) = items(reader, "in_order", expected: "a list of lines, such as `[ready, done]`") {
            parts.append(one(.lines(items.compactMap(pattern)), entry))
        }
        if let branches = branches(reader, "any_of") { parts.append(.any(branches)) }
        if let branches = branches(reader, "all_of") { parts.append(.all(branches)) }
        return parts.count > 1 ? .all(parts) : parts.first
    }

    /// `any`, an exit status, or `{ status: N }` or `{ signal: NAME }`.
    private func exit(_ node: YAMLNode) -> ProgramExit? {
        let statuses: ClosedRange<UInt64> = 0...255
        if case .mapping = node.content {
            guard let reader = MappingReader(node, of: "exit", context: context) else { return nil }
            let status = reader.integer("status", in: statuses)
            let signal = reader.word("signal", as: RelaySignal.self)
            reader.exclude("status", "signal", because: "a program ends in one of the two ways")
            reader.finish()
            if reader.keys.isEmpty { context.error(node.span, "`exit` says nothing", expected: "`any`") }
            return signal.map(ProgramExit.signal) ?? status.map { .status(Int32($0)) }
        }
        _ = context.notes(.words(["any"]), node.span)
        if case .scalar("any", _) = node.content { return .any }
        if case .scalar(let text, _) = node.content, let signal = RelaySignal(rawValue: text) {
            context.error(node.span, "`exit` is the name of a signal", suggestion: "{ signal: \(signal.rawValue) }")
            return nil
        }
        return context.integer(node, "exit", in: statuses).map { .status(Int32($0)) }
    }

    /// A part of a line, or `{ is, contains, matches, json, stream }`.
    private func pattern(_ node: YAMLNode) -> ProgramLinePattern? {
        guard case .mapping = node.content else {
            return context.text(node, "line").map { ProgramLinePattern(part: $0) }
        }
        guard let reader = MappingReader(node, of: "line", context: context) else { return nil }
        let before = context.sink.errorCount
        let pattern = ProgramLinePattern(
            stream: reader.word("stream", as: ProgramLinePattern.Stream.self) ?? .output, whole: reader.text("is"),
            part: reader.text("contains"), pattern: reader.text("matches"),
            fields: reader.take("json").map(fields) ?? [])
        reader.finish()
        if pattern.whole == nil, pattern.part == nil, pattern.pattern == nil, pattern.fields.isEmpty,
            context.sink.errorCount == before, context.shapes == nil
        {
            context.error(
                node.span, "`line` says nothing of the line", expected: "`is`, `contains`, `matches` or `json`")
        }
        return pattern
    }

    /// Members of a JSON object, by their names.
    private func fields(_ entry: YAMLNode.Entry) -> [ProgramLinePattern.Field] {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return []
        }
        return reader.takeAll().compactMap { member in
            if case .mapping = member.value.content {
                return context.count(member.value, member.key).map {
                    ProgramLinePattern.Field(name: member.key, value: .count($0))
                }
            }
            return context.text(member.value, member.key).map {
                ProgramLinePattern.Field(name: member.key, value: .text($0))
            }
        }
    }
}
