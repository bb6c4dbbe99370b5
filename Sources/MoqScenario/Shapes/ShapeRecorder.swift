import MoqBase

/// Learns what readers take by letting them read what is not there.
///
/// A reader is given a value that the recorder made up. Each question that it asks of it (a text? one of these words? the
/// key `group`?) is noted at the place of the value, and answered with something that lets the reader go on. What the
/// value is (a scalar, a list, a mapping) and which keys it has differs from round to round, so that after many rounds a
/// reader has shown all of its ways. So the readers are the only declaration of the language there is.
final class ShapeRecorder {
    /// Enough for every combination of keys and kinds that a reader of this language tells apart.
    static let rounds = 160
    /// Deeper than any value of a scenario outside of what is defined by itself.
    private static let deepest = 7
    /// Lines of files end below this; a span beyond it is one of a place.
    private static let firstLine = 1 << 40

    /// What was noted at one place.
    private final class Place {
        let path: String
        let depth: Int
        var leaves: [ValueShape.Leaf] = []
        var references: [String] = []
        /// The keys, each with how many readings needed it and which was the last of these.
        var keys: [(key: String, needs: Int, last: Int)] = []
        var readings = 0
        init(path: String, depth: Int) {
            self.path = path
            self.depth = depth
        }
    }

    private var places: [Place] = []
    private var byPath: [String: Int] = [:]
    private var round: UInt64 = 0
    /// The text that stands at a key, where what is read depends on it.
    var fixed: (key: String, text: String)?

    /// Lets `read` read the value of a definition in round after round.
    func learn(_ name: String, _ read: (YAMLNode) -> Void) {
        for round in 0..<Self.rounds {
            self.round = UInt64(round)
            read(node(name, depth: 0))
        }
    }

    // MARK: What readers find

    /// A mapping at the place of a definition.
    func mapping(_ name: String) -> YAMLNode {
        YAMLNode(content: content(name, depth: 0, kind: 2), span: span(place(name, depth: 0)))
    }

    private func node(_ path: String, depth: Int) -> YAMLNode {
        let kind = depth >= Self.deepest ? 0 : draw(path) % 3
        return YAMLNode(content: content(path, depth: depth, kind: kind), span: span(place(path, depth: depth)))
    }

    private func content(_ path: String, depth: Int, kind: UInt64) -> YAMLNode.Content {
        switch kind {
        case 0: .scalar(Self.someText, isPlain: true)
        case 1: .sequence([node(path + Self.item, depth: depth + 1)])
        default: .mapping([entry(Self.someKey, at: path + Self.other, depth: depth + 1)])
        }
    }

    private func entry(_ key: String, at path: String, depth: Int) -> YAMLNode.Entry {
        let value = node(path, depth: depth)
        return YAMLNode.Entry(key: key, keySpan: value.span, value: value)
    }

    /// No word of the language.
    private static let someText = "any-text"
    private static let someKey = "any_key"
    private static let item = "/[]"
    private static let other = "/*"

    /// The value of a key of a mapping; nil where the key is not there in this round.
    func member(_ key: String, of span: SourceSpan, isNeeded: Bool) -> YAMLNode.Entry? {
        guard let place = place(of: span) else { return nil }
        let index = place.keys.firstIndex { $0.key == key } ?? place.keys.count
        if index == place.keys.count { place.keys.append((key, 0, 0)) }
        if isNeeded, place.keys[index].last != place.readings {
            place.keys[index].needs += 1
            place.keys[index].last = place.readings
        }
        guard isNeeded || has(key, of: span) else { return nil }
        return entry(key, at: place.path + "/" + key, depth: place.depth + 1)
    }

    /// Whether a key is there in this round.
    func has(_ key: String, of span: SourceSpan) -> Bool {
        place(of: span).map { !draw("\($0.path)?\(key)").isMultiple(of: 4) } ?? false
    }

    // MARK: What readers ask

    /// Notes that a mapping is read key by key.
    func reads(_ span: SourceSpan) { place(of: span)?.readings += 1 }

    /// Notes what a reader takes for a value; false where the value is one of a file.
    func note(_ leaf: ValueShape.Leaf, at span: SourceSpan) -> Bool {
        guard let place = place(of: span) else { return false }
        if !place.leaves.contains(leaf) { place.leaves.append(leaf) }
        return true
    }

    /// Notes that a definition says what the value is; false where the value is one of a file.
    func refer(to name: String, at span: SourceSpan) -> Bool {
        guard let place = place(of: span) else { return false }
        if !place.references.contains(name) { place.references.append(name) }
        return true
    }

    /// The text that a reader of any text gets.
    func text(of name: String) -> String { fixed?.key == name ? fixed?.text ?? "" : Self.someText }

    // MARK: Places

    private func place(_ path: String, depth: Int) -> Int {
        if let known = byPath[path] { return known }
        places.append(Place(path: path, depth: depth))
        byPath[path] = places.count - 1
        return places.count - 1
    }

    private func span(_ index: Int) -> SourceSpan {
        SourceSpan(line: Self.firstLine + index, column: 1, length: 1)
    }

    private func place(of span: SourceSpan) -> Place? {
        span.line >= Self.firstLine ? places[span.line - Self.firstLine] : nil
    }

    /// A number that the path and the round decide.
    private func draw(_ path: String) -> UInt64 {
        // The hash alone is alike for paths that are.
        var value = StableHash.of("\(round) \(path)")
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value >> 33
    }

    // MARK: What was learned

    /// What stands at the place of a definition.
    func shape(_ path: String) -> ValueShape? {
        let shape = ValueShape()
        guard let index = byPath[path] else { return nil }
        let place = places[index]
        // A word that is not known is reported after the text was read: it is one of the words then.
        let isWord = place.leaves.contains { if case .words = $0 { true } else { false } }
        shape.leaves = place.leaves.filter { !isWord || $0 != .text }
        shape.references = place.references
        shape.items = self.shape(path + Self.item)
        shape.others = self.shape(path + Self.other)
        if place.readings > 0 {
            shape.members = place.keys.map { key in
                let value = self.shape("\(path)/\(key.key)") ?? ValueShape()
                return ValueShape.Member(key: key.key, shape: value, isNeeded: key.needs == place.readings)
            }
        }
        let isUntouched =
            shape.leaves.isEmpty && shape.references.isEmpty && shape.items == nil && shape.members == nil
            && shape.others == nil
        return isUntouched ? nil : shape
    }
}

// The names of what is defined by itself, because it is needed in several places or contains itself.
extension ShapeRecorder {
    static let scenario = "scenario"
    static let matrix = "matrix"
    static let actor = "actor"
    static let step = "step"
    static let renditions = "renditions"

    static func expectation(of kind: ActorKind) -> String {
        kind == .raw ? expectation(of: .session) : "seen by a \(kind.rawValue)"
    }
}
