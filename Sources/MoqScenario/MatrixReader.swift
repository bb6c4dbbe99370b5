/// One variable of a matrix with its values.
struct MatrixAxis: Equatable {
    var name: String
    var values: [String]
}

/// Reads matrices, and multiplies them out.
struct MatrixReader {
    let context: ReadingContext

    /// More cases of one scenario than anybody wants to run.
    static let mostCases = 4096

    func axes(_ node: YAMLNode) -> [MatrixAxis] {
        guard let reader = MappingReader(node, of: "matrix", context: context) else { return [] }
        // Two variables have values of their own kinds.
        if context.shapes != nil { _ = ["version", "transport"].compactMap(reader.take).map(axis) }
        return reader.takeAll().compactMap(axis)
    }

    private func axis(_ entry: YAMLNode.Entry) -> MatrixAxis? {
        let name = entry.key
        guard name.first?.isLetter == true,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else {
            context.error(
                entry.keySpan, "`\(name)` cannot be the name of a variable",
                expected: "a letter, then letters, digits and `_`")
            return nil
        }
        var values: [String] = []
        for item in context.list(entry.value) {
            let read: [String]
            if Self.isOfVersions(name) {
                read = versions(item, name)
            } else if Self.isOfTransports(name) {
                read = transports(item, of: name)
            } else {
                read = context.text(item, name).map { [$0] } ?? []
            }
            for value in read {
                if values.contains(value) { context.error(item.span, "`\(value)` is twice in `\(name)`") }
                if value.contains(where: { "[],=\n".contains($0) }) {
                    context.error(
                        item.span, "a value of `\(name)` becomes part of the id of a case",
                        expected: "no `[`, `]`, `,` and `=` in it")
                }
                values.append(value)
            }
        }
        if case .sequence(let items) = entry.value.content, items.isEmpty {
            context.error(entry.value.span, "`\(name)` has no values")
        }
        return values.isEmpty ? nil : MatrixAxis(name: name, values: values)
    }

    /// Whether a variable has versions for its values: `version` itself, and that of some actor (`viewer_version`).
    static func isOfVersions(_ name: String) -> Bool { name == "version" || name.hasSuffix("_version") }

    /// Whether a variable has transports for its values: `transport` itself, and that of some actor.
    static func isOfTransports(_ name: String) -> Bool { name == "transport" || name.hasSuffix("_transport") }

    /// A version, or several of them: `all`, or a range such as `04..06`, `05..`, `..04`.
    func versions(_ node: YAMLNode, _ name: String) -> [String] {
        if context.notes(.text, node.span) { return [] }
        if case .scalar("all", _) = node.content { return context.vocabulary.versions }
        guard case .scalar(let text, _) = node.content, let dots = text.firstRange(of: "..") else {
            return context.version(node, name).map { [$0] } ?? []
        }
        let known = context.vocabulary.versions
        func bound(_ part: Substring, _ otherwise: Int) -> Int? {
            if part.isEmpty { return otherwise }
            let index = known.firstIndex { $0 == part || $0 == "moq-lite-\(part)" }
            if index == nil {
                context.unknownWord(
                    String(part), at: node.span, "`\(name)` is `\(text)`, and `\(part)` is not a version", among: known)
            }
            return index
        }
        guard let first = bound(text[..<dots.lowerBound], 0),
            let last = bound(text[dots.upperBound...], known.count - 1)
        else { return [] }
        guard first <= last else {
            context.error(node.span, "`\(name)` is `\(text)`, which is backwards", expected: "the older version first")
            return []
        }
        return Array(known[first...last])
    }

    /// A transport, or `all` of them.
    private func transports(_ node: YAMLNode, of name: String) -> [String] {
        _ = context.notes(.words(["all"]), node.span)
        if case .scalar("all", _) = node.content { return context.vocabulary.transports }
        return context.transport(node, name).map { [$0] } ?? []
    }

    /// The axes of a scenario over those of its suite: an axis of the same name replaces, others are added. Version
    /// and transport are always there, and first.
    func combined(_ defaults: [MatrixAxis], _ own: [MatrixAxis]) -> [MatrixAxis] {
        var axes = defaults.map { axis in own.first { $0.name == axis.name } ?? axis }
        axes += own.filter { axis in !defaults.contains { $0.name == axis.name } }
        let version =
            axes.first { $0.name == "version" } ?? MatrixAxis(name: "version", values: context.vocabulary.versions)
        let transport =
            axes.first { $0.name == "transport" }
            ?? MatrixAxis(name: "transport", values: context.vocabulary.transports)
        return [version, transport] + axes.filter { $0.name != "version" && $0.name != "transport" }
    }

    /// Every combination, the last axis varying fastest.
    func combinations(_ axes: [MatrixAxis], at span: SourceSpan) -> [[MatrixVariable]] {
        let count = axes.reduce(1) { count, axis in
            count > Self.mostCases ? count : count * axis.values.count
        }
        guard count <= Self.mostCases else {
            context.error(span, "the matrix has more than \(Self.mostCases) combinations", expected: "fewer values")
            return []
        }
        return axes.reduce([[]]) { rows, axis in
            rows.flatMap { row in axis.values.map { row + [MatrixVariable(name: axis.name, value: $0)] } }
        }
    }
}
