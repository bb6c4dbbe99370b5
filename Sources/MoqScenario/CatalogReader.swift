/// Reads catalogs: what is written, and what is expected.
enum CatalogReader {
    /// The track that carries the catalog unless a step names another.
    static let usualTrack = "catalog.json"

    static func action(_ reader: MappingReader) -> CatalogAction? {
        let context = reader.context
        let target = reader.track(otherwise: usualTrack)
        var changes: [CatalogChange] = []
        for section in CatalogSection.allCases {
            guard let entry = reader.take(section.rawValue) else { continue }
            if context.refers(entry.value, to: ShapeRecorder.renditions) { continue }
            guard case .mapping(let renditions) = entry.value.content else {
                context.error(
                    entry.value.span, "`\(section.rawValue)` is \(entry.value.kindDescription)",
                    expected: "the renditions by name, such as `{ hd: { codec: avc1.64001f } }`")
                continue
            }
            changes.append(.replaceRenditions(section, members(renditions)))
        }
        if let entry = reader.take("add") { changes += added(entry, context) }
        if let entry = reader.take("remove") { changes += removed(entry, context) }
        if let entry = reader.take("set"), let fields = MappingReader(entry.value, of: "set", context: context) {
            changes += fields.takeAll().map { .setField(name: $0.key, value($0.value)) }
        }
        if let names = reader.texts("unset") { changes += names.map { .removeField(name: $0) } }
        if let text = reader.text("raw") { changes.append(.raw(text)) }
        return target.map { CatalogAction(target: $0, changes: changes) }
    }

    static func expectation(_ node: YAMLNode, broadcast: String?, context: ReadingContext) -> CatalogExpectation? {
        guard let reader = MappingReader(node, of: "catalog", context: context) else { return nil }
        var target = reader.track(otherwise: usualTrack)
        if target?.broadcast == nil { target?.broadcast = broadcast }
        let expectation = target.map {
            CatalogExpectation(
                target: $0, video: renditions(reader, "video"), audio: renditions(reader, "audio"),
                olderThanSeen: reader.truth("older_than_seen"), newest: reader.truth("newest"))
        }
        reader.finish()
        return expectation
    }

    static func renditions(_ reader: MappingReader, _ key: String) -> RenditionsExpectation? {
        guard let entry = reader.take(key) else { return nil }
        if case .sequence(let items) = entry.value.content {
            return .names(items.compactMap { reader.context.text($0, key) })
        }
        if case .scalar(let text, _) = entry.value.content, ReadingContext.number(text) == nil {
            return reader.context.wrong(
                entry.value, key, expected: "how many renditions, or their names in a list", suggestion: "[\(text)]")
        }
        return reader.context.count(entry.value, key).map(RenditionsExpectation.count)
    }

    /// `{ video: { hd: {...} } }`, or `{ video: hd, codec: ... }` for one rendition.
    private static func added(_ entry: YAMLNode.Entry, _ context: ReadingContext) -> [CatalogChange] {
        guard let reader = MappingReader(entry.value, of: "add", context: context) else { return [] }
        var changes: [CatalogChange] = []
        var single: (CatalogSection, String)?
        for section in CatalogSection.allCases {
            guard let part = reader.take(section.rawValue) else { continue }
            _ = context.refers(part.value, to: ShapeRecorder.renditions)
            if case .mapping(let renditions) = part.value.content {
                changes += members(renditions).map { .addRendition(section, name: $0.key, $0.value) }
            } else if let name = context.text(part.value, section.rawValue) {
                single = (section, name)
            }
        }
        // The fields of a single rendition stand beside its name.
        guard let (section, name) = single, context.shapes == nil else {
            _ = reader.takeAll().map { context.notes(.anything, $0.value.span) }
            reader.finish()
            return changes
        }
        let fields = reader.takeAll().filter { CatalogSection(rawValue: $0.key) == nil }
        return changes + [.addRendition(section, name: name, .object(members(fields)))]
    }

    /// `{ video: hd }`, or a list of names.
    private static func removed(_ entry: YAMLNode.Entry, _ context: ReadingContext) -> [CatalogChange] {
        guard let reader = MappingReader(entry.value, of: "remove", context: context) else { return [] }
        var changes: [CatalogChange] = []
        for section in CatalogSection.allCases {
            let names = reader.texts(section.rawValue) ?? []
            changes += names.map { .removeRendition(section, name: $0) }
        }
        reader.finish()
        return changes
    }

    private static func members(_ entries: [YAMLNode.Entry]) -> [ScenarioValue.Member] {
        entries.map { ScenarioValue.Member(key: $0.key, value: value($0.value)) }
    }

    /// A value of free form. Words without quotes may be numbers, truth values or null.
    static func value(_ node: YAMLNode) -> ScenarioValue {
        switch node.content {
        case .mapping(let entries): return .object(members(entries))
        case .sequence(let items): return .array(items.map(value))
        case .scalar(let text, isPlain: false): return .string(text)
        case .scalar(let text, isPlain: true):
            switch text {
            case "", "~", "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default: break
            }
            let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
            guard digits.first?.isNumber == true, !(digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true)
            else { return .string(text) }
            if let integer = Int64(text) { return .integer(integer) }
            let isNumber = digits.allSatisfy { $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }
            return isNumber ? Double(text).map(ScenarioValue.number) ?? .string(text) : .string(text)
        }
    }
}
