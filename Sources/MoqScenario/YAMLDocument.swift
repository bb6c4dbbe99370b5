import CYaml
import MoqBase

/// Reads one YAML document into nodes with their places.
///
/// Everything has a bound: the loader sees to the size of the file, this reader to depth and number of nodes, where
/// an alias counts for as many nodes as it stands for.
struct YAMLDocument {
    /// Deeper nesting than any scenario has, and safe for readers that recurse.
    static let deepest = 64
    /// More nodes than a file of the greatest size sensibly has; the bound on what aliases expand to.
    static let mostNodes = 100_000

    /// The root; nil when the text is not YAML, or empty.
    var root: YAMLNode?

    /// Reads a document. Mistakes go to `context`; after a syntax error nothing more is read.
    static func read(_ bytes: [UInt8], context: ReadingContext) -> YAMLDocument {
        bytes.withUnsafeBufferPointer { buffer in
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) == 1 else {
                context.error(SourceSpan(line: 1, column: 1, length: 1), "there is no memory to read the file")
                return YAMLDocument()
            }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
            return withUnsafeMutablePointer(to: &parser) { parser in
                let builder = YAMLTreeBuilder(parser: parser, bytes: bytes, context: context)
                return YAMLDocument(root: builder.document())
            }
        }
    }
}

/// One event of libyaml, copied out of its memory.
private struct YAMLEvent {
    enum Kind {
        case start, end, documentStart, documentEnd, sequenceEnd, mappingEnd
        case alias(String)
        case scalar(String, isPlain: Bool, anchor: String?)
        case sequenceStart(anchor: String?)
        case mappingStart(anchor: String?)
    }

    var kind: Kind
    var span: SourceSpan
}

private final class YAMLTreeBuilder {
    /// Reading stops; what is wrong has been reported.
    private struct Stop: Error {}

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: [UInt8]
    private let context: ReadingContext
    private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
    private var openAnchors: Set<String> = []
    private var nodeCount = 0

    init(parser: UnsafeMutablePointer<yaml_parser_t>, bytes: [UInt8], context: ReadingContext) {
        self.parser = parser
        self.bytes = bytes
        self.context = context
    }

    func document() -> YAMLNode? {
        do {
            _ = try next()
            let first = try next()
            guard case .documentStart = first.kind else {
                context.error(
                    SourceSpan(line: 1, column: 1, length: 1), "the file is empty",
                    expected: context.documentForm)
                return nil
            }
            let root = try node(from: try next(), depth: 0)
            _ = try next()
            let after = try next()
            if case .documentStart = after.kind {
                context.error(after.span, "the file holds more than one document", expected: "one in a file")
            }
            return root
        } catch {
            return nil
        }
    }

    private func node(from event: YAMLEvent, depth: Int) throws(Stop) -> YAMLNode {
        guard depth <= YAMLDocument.deepest else {
            context.error(event.span, "this is nested more than \(YAMLDocument.deepest) levels deep")
            throw Stop()
        }
        try count(1, at: event.span)
        let before = nodeCount
        let anchor: String?
        var node: YAMLNode
        switch event.kind {
        case .alias(let name): return try expanded(name, at: event.span)
        case .scalar(let text, let isPlain, let name):
            anchor = name
            node = YAMLNode(content: .scalar(text, isPlain: isPlain), span: event.span)
        case .sequenceStart(let name):
            anchor = name
            node = try within(anchor: name) { () throws(Stop) in
                YAMLNode(content: .sequence(try self.items(depth: depth)), span: event.span)
            }
        case .mappingStart(let name):
            anchor = name
            node = try within(anchor: name) { () throws(Stop) in
                YAMLNode(content: .mapping(try self.entries(depth: depth)), span: event.span)
            }
        case .start, .end, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            context.error(event.span, "a value is missing here")
            throw Stop()
        }
        if let anchor { anchors[anchor] = (node, nodeCount - before + 1) }
        return node
    }

    private func within(anchor: String?, _ body: () throws(Stop) -> YAMLNode) throws(Stop) -> YAMLNode {
        guard let anchor else { return try body() }
        openAnchors.insert(anchor)
        defer { openAnchors.remove(anchor) }
        return try body()
    }

    private func items(depth: Int) throws(Stop) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind { return items }
            items.append(try node(from: event, depth: depth + 1))
        }
    }

    private func entries(depth: Int) throws(Stop) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var merged: [YAMLNode.Entry] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { break }
            let key = try node(from: event, depth: depth + 1)
            let value = try node(from: try next(), depth: depth + 1)
            guard case .scalar(let name, let isPlain) = key.content else {
                context.error(key.span, "a key must be a word, not \(key.kindDescription)")
                continue
            }
            if name == "<<", isPlain {
                merged += mergedEntries(of: value)
            } else if let line = lines[name] {
                context.error(
                    key.span, "the key `\(name)` is here twice: it is already on line \(line)",
                    expected: "every key once")
            } else {
                lines[name] = key.span.line
                entries.append(YAMLNode.Entry(key: name, keySpan: key.span, value: value))
            }
        }
        for entry in merged where lines[entry.key] == nil {
            lines[entry.key] = entry.keySpan.line
            entries.append(entry)
        }
        return entries
    }

    private func mergedEntries(of node: YAMLNode) -> [YAMLNode.Entry] {
        switch node.content {
        case .mapping(let entries): return entries
        case .sequence(let items): return items.flatMap { mergedEntries(of: $0) }
        case .scalar:
            context.error(
                node.span, "`<<` takes the keys of another mapping, not \(node.kindDescription)",
                expected: "an alias of a mapping, such as `*base`")
            return []
        }
    }

    private func expanded(_ name: String, at span: SourceSpan) throws(Stop) -> YAMLNode {
        if openAnchors.contains(name) {
            context.error(span, "the alias `*\(name)` stands inside what it stands for")
            throw Stop()
        }
        guard let (node, size) = anchors[name] else {
            context.error(
                span, "there is no anchor `&\(name)` before this alias",
                suggestion: NearestWord.of(name, among: anchors.keys.sorted()).map { "*\($0)" })
            throw Stop()
        }
        try count(size - 1, at: span)
        return node
    }

    private func count(_ nodes: Int, at span: SourceSpan) throws(Stop) {
        nodeCount += nodes
        guard nodeCount <= YAMLDocument.mostNodes else {
            context.error(
                span, "the file stands for more than \(YAMLDocument.mostNodes) values here",
                expected: "fewer aliases inside aliases")
            throw Stop()
        }
    }

    private func next() throws(Stop) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            reportSyntaxError()
            throw Stop()
        }
        defer { yaml_event_delete(&event) }
        let span = context.text.span(
            fromLine: Int(event.start_mark.line), column: Int(event.start_mark.column),
            toLine: Int(event.end_mark.line), column: Int(event.end_mark.column))
        let kind: YAMLEvent.Kind
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .start
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_ALIAS_EVENT: kind = .alias(Self.text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let value = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            kind = .scalar(
                String(decoding: value, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
                anchor: Self.text(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT: kind = .sequenceStart(anchor: Self.text(event.data.sequence_start.anchor))
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT: kind = .mappingStart(anchor: Self.text(event.data.mapping_start.anchor))
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        default: kind = .end
        }
        return YAMLEvent(kind: kind, span: span)
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }

    private func reportSyntaxError() {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "it cannot be read"
        guard state.error != YAML_READER_ERROR else {
            let span = SourceText.place(ofByte: Int(state.problem_offset), in: bytes)
            context.error(
                span, "this is not text that YAML allows: \(problem)", expected: "UTF-8 without control characters")
            return
        }
        let mark = state.problem_mark
        let span = context.text.span(
            fromLine: Int(mark.line), column: Int(mark.column), toLine: Int(mark.line), column: Int(mark.column) + 1)
        let line = context.text.line(span.line) ?? ""
        let character = line.unicodeScalars.dropFirst(span.column - 1).first
        if character == "\t" {
            context.error(span, "YAML does not allow a tab here", expected: "spaces")
        } else if line.contains("${"), state.error == YAML_PARSER_ERROR {
            context.error(
                span, "this is not YAML: \(problem)",
                expected: "quotes around a variable inside `{ }` and `[ ]`: `\"${i}\"`")
        } else {
            let start = state.context_mark
            let hint = SyntaxHint(
                problem: problem, reading: state.context.map { String(cString: $0) },
                start: (Int(start.line) + 1, Int(start.column)), line: line, column: span.column)
            guard !hint.isOpenQuote else {
                let opening = context.text.span(
                    fromLine: Int(start.line), column: Int(start.column), toLine: Int(start.line),
                    column: Int(start.column) + 1)
                context.error(opening, "this is not YAML: a text in quotes has no end", expected: hint.expected)
                return
            }
            let opening = hint.reading.map { " (\($0) at line \(hint.start.line))" } ?? ""
            context.error(span, "this is not YAML: \(problem)\(opening)", expected: hint.expected)
        }
    }
}
