import MoqBase

/// Reads one row of the registry.
struct RequirementRow {
    let context: ReadingContext
    /// The area of the file; nil when it could not be read.
    let area: String?

    /// The requirement, or nil after saying what is wrong with it.
    func requirement(_ node: YAMLNode, _ rows: inout RequirementCrossCheck) -> Requirement? {
        guard let reader = MappingReader(node, of: "requirement", context: context) else { return nil }
        let before = context.sink.errorCount
        let idEntry = reader.need("id")
        let id = idEntry.flatMap { identifier($0.value) }
        let says = reader.need("says").flatMap { sentence($0) }
        let level = needed(reader, "level", as: RequirementLevel.self)
        let binds = needed(reader, "binds", as: Binding.self)
        let versions = versions(reader.take("versions"))
        let transports = reader.take("transports").map { self.transports($0) }
        let sourceEntry = reader.need("source")
        let source = sourceEntry.flatMap { self.source($0, level) }
        let checked = needed(reader, "checked", as: Checking.self)
        let because = because(reader, checked)
        let profile = reader.word("profile", as: RequirementProfile.self)
        let differsFrom = reader.take("differs_from")
        let other = differsFrom.flatMap { context.text($0.value, "differs_from") }
        if let differsFrom, !reader.has("profile") {
            context.error(
                differsFrom.keySpan, "`differs_from` without `profile`",
                expected: "`profile: draft` or `profile: deployed`")
        }
        if reader.has("profile"), differsFrom == nil {
            context.error(
                reader.span, "a requirement with a `profile` stands in place of another",
                expected: "`differs_from` with the id of that")
        }
        reader.finish()
        guard let id, let idEntry else { return nil }
        rows.note(id: id, at: idEntry.value.span, context)
        if let other, let profile, let differsFrom {
            rows.note(id: id, profile, differsFrom: other, at: differsFrom.value.span, context)
        }
        guard let says, let level, let binds, let source, let checked, context.sink.errorCount == before else {
            return nil
        }
        return Requirement(
            id: id, area: area ?? "", says: says, level: level, binds: binds, versions: versions,
            transports: transports, source: source, checked: checked, because: because, profile: profile,
            differsFrom: other, location: context.text.location(of: node.span))
    }

    private func needed<Word>(_ reader: MappingReader, _ key: String, as type: Word.Type) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        reader.need(key).flatMap { context.word($0.value, key, as: type) }
    }

    private func identifier(_ node: YAMLNode) -> String? {
        guard let id = context.text(node, "id") else { return nil }
        let prefix = area.map { "\($0)." } ?? ""
        guard ScenarioReader.isIdentifier(id), id.hasPrefix(prefix), id.count > prefix.count else {
            context.error(
                node.span, "`id` is `\(id)`",
                expected: "`\(prefix)` and a name in lower-case letters, digits, `-` and `.`")
            return nil
        }
        return id
    }

    private func sentence(_ entry: YAMLNode.Entry) -> String? {
        guard let text = context.text(entry.value, entry.key) else { return nil }
        guard text.hasSuffix("."), !text.contains("\n") else {
            context.error(entry.value.span, "`\(entry.key)` is no sentence", expected: "one line with a full stop")
            return nil
        }
        return text
    }

    private func versions(_ entry: YAMLNode.Entry?) -> [String] {
        guard let entry else { return context.vocabulary.versions }
        let reader = MatrixReader(context: context)
        var found: Set<String> = []
        for item in context.list(entry.value) {
            for version in reader.versions(item, entry.key) where !found.insert(version).inserted {
                context.error(item.span, "`\(version)` is twice in `\(entry.key)`")
            }
        }
        return context.vocabulary.versions.filter { found.contains($0) }
    }

    private func transports(_ entry: YAMLNode.Entry) -> [String] {
        var found: [String] = []
        for item in context.list(entry.value) {
            guard let name = context.text(item, entry.key) else { continue }
            if !context.vocabulary.transports.contains(name) {
                context.unknownWord(
                    name, at: item.span, "there is no transport `\(name)`", among: context.vocabulary.transports)
            } else if found.contains(name) {
                context.error(item.span, "`\(name)` is twice in `\(entry.key)`")
            }
            found.append(name)
        }
        return found
    }

    private func source(_ entry: YAMLNode.Entry, _ level: RequirementLevel?) -> RequirementSource? {
        guard let reader = MappingReader(entry.value, of: "source", at: entry.keySpan, context: context) else {
            return nil
        }
        let draft = reader.take("draft")
        let source = RequirementSource(
            draft: draft.flatMap { context.text($0.value, "draft") }, peer: reader.text("peer"))
        reader.finish()
        if let draft, let text = source.draft, !text.contains(", ") {
            context.error(
                draft.value.span, "`draft` is `\(text)`", expected: "a draft and its section, as `moq-lite-06, Routing`"
            )
        }
        if !reader.has("draft"), !reader.has("peer") {
            context.error(entry.keySpan, "`source` names nothing", expected: "`draft`, `peer` or both")
        } else if level == .observed, !reader.has("peer") {
            context.error(
                entry.keySpan, "nobody is named who was seen to do it",
                expected: "`peer` with a program and release, as in `peer: moq-ffi 0.4.18`")
        }
        return source
    }

    private func because(_ reader: MappingReader, _ checked: Checking?) -> String? {
        let entry = reader.take("because")
        if let entry, let checked, checked != .no {
            context.error(
                entry.keySpan, "`because` says why nothing is checked, and `checked` is `\(checked.rawValue)`",
                expected: "`checked: no`, or no `because`")
        }
        if entry == nil, checked == .no {
            context.error(reader.span, "the requirement is not checked, and does not say why", expected: "`because`")
        }
        return entry.flatMap { context.text($0.value, "because") }
    }
}
