import MoqBase

/// Single values. Each returns nil after reporting what is wrong; `name` is the key, for messages.
extension ReadingContext {
    /// Any text. Numbers are text too.
    func text(_ node: YAMLNode, _ name: String) -> String? {
        if notes(.text, node.span) { return shapes?.text(of: name) }
        guard case .scalar(let text, let isPlain) = node.content else {
            return wrong(node, name, expected: "a text")
        }
        if isPlain, text.isEmpty || text == "~" {
            return wrong(node, name, expected: "a text; `\"\"` for an empty one")
        }
        return text
    }

    /// A whole number, decimal or with `0x`.
    func integer(_ node: YAMLNode, _ name: String, in range: ClosedRange<UInt64>) -> UInt64? {
        if notes(.whole(range), node.span) { return range.lowerBound }
        let expected =
            range.upperBound == VarInt.maximum
            ? "a whole number\(range.lowerBound > 0 ? " from \(range.lowerBound) on" : "")"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .scalar(let text, let isPlain) = node.content else { return wrong(node, name, expected: expected) }
        guard let number = Self.number(text) else { return wrong(node, name, expected: expected) }
        guard isPlain else {
            error(node.span, "`\(name)` is a text in quotes", expected: expected, suggestion: text)
            return nil
        }
        guard range.contains(number) else { return wrong(node, name, expected: expected) }
        return number
    }

    /// `true` or `false`.
    func truth(_ node: YAMLNode, _ name: String) -> Bool? {
        if notes(.truth, node.span) { return true }
        if case .scalar(let text, isPlain: true) = node.content {
            switch text {
            case "true": return true
            case "false": return false
            case "yes", "on", "True", "TRUE", "Yes", "On":
                return wrong(node, name, expected: "`true` or `false`", suggestion: "true")
            case "no", "off", "False", "FALSE", "No", "Off":
                return wrong(node, name, expected: "`true` or `false`", suggestion: "false")
            default: break
            }
        }
        return wrong(node, name, expected: "`true` or `false`")
    }

    /// One of the words of an enumeration.
    func word<Word>(_ node: YAMLNode, _ name: String, as type: Word.Type) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        if notes(.words(words), node.span) { return Word.allCases.first }
        guard case .scalar(let text, _) = node.content else {
            return wrong(node, name, expected: words.map { "`\($0)`" }.joined(separator: ", "))
        }
        guard let word = Word(rawValue: text) else {
            unknownWord(text, at: node.span, "`\(name)` is `\(text)`", among: words)
            return nil
        }
        return word
    }

    func duration(_ node: YAMLNode, _ name: String) -> Duration? {
        var family = UnitFamily.duration
        if ["delay", "jitter", "every", "pace"].contains(name) { family.usual = "ms" }
        return measured(node, name, in: family).map { .nanoseconds(Int64($0 + 0.5)) }
    }

    /// Bytes.
    func size(_ node: YAMLNode, _ name: String) -> Int? {
        measured(node, name, in: .size).map { Int($0 + 0.5) }
    }

    /// A percentage, as a share from 0 to 1.
    func share(_ node: YAMLNode, _ name: String) -> Double? {
        measured(node, name, in: .share).map { $0 / 100 }
    }

    /// Bytes a second.
    func rate(_ node: YAMLNode, _ name: String) -> UInt64? {
        guard let rate = measured(node, name, in: .rate) else { return nil }
        guard rate >= 1 else { return wrong(node, name, expected: "a rate above nothing; to let nothing pass, `cut`") }
        return UInt64(rate)
    }

    /// Bytes written as hexadecimal digits, with blanks between them as one likes.
    func hexadecimal(_ node: YAMLNode, _ name: String) -> [UInt8]? {
        if notes(.text, node.span) { return [] }
        let expected = "pairs of hexadecimal digits, such as `\"02 40 ff\"`"
        guard case .scalar(let text, _) = node.content else { return wrong(node, name, expected: expected) }
        let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else {
            return wrong(node, name, expected: expected)
        }
        let values = digits.compactMap { $0 }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// A list, or a single value standing for a list of one.
    func list(_ node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let items) = node.content { return items }
        return [node]
    }

    /// A protocol version, by its whole name or without `moq-lite-`.
    func version(_ node: YAMLNode, _ name: String) -> String? {
        let words = vocabulary.versions.flatMap { $0.hasPrefix("moq-lite-") ? [$0, String($0.dropFirst(9))] : [$0] }
        if notes(.words(words), node.span) { return vocabulary.versions.first }
        guard let text = text(node, name) else { return nil }
        if let version = vocabulary.versions.first(where: { $0 == text || $0 == "moq-lite-\(text)" }) { return version }
        unknownWord(text, at: node.span, "`\(name)` is `\(text)`, which is not a version", among: vocabulary.versions)
        return nil
    }

    /// A transport, by its name; `auto` is a race between them.
    func transport(_ node: YAMLNode, _ name: String) -> String? {
        let words = vocabulary.transports + [Self.race]
        if notes(.words(words), node.span) { return words.first }
        guard let text = text(node, name) else { return nil }
        if words.contains(text) { return text }
        if let meant = TransportWord.meant(by: text) {
            error(
                node.span, "`\(name)` is `\(text)`, which is not the name of a transport",
                expected: meant.map { "`\($0)`" }.joined(separator: " or "),
                suggestion: meant.count == 1 ? meant[0] : nil)
        } else {
            unknownWord(text, at: node.span, "`\(name)` is `\(text)`", among: words)
        }
        return nil
    }

    /// The transport that is a race.
    static let race = "auto"

    /// A number, `{ at_least: N }`, `{ at_most: N }` or both, up to `greatest`.
    func count(
        _ node: YAMLNode, _ name: String, to greatest: UInt64 = ReadingContext.greatestCount
    ) -> CountExpectation? {
        if notes(.count(most: greatest), node.span) { return CountExpectation(minimum: 1, maximum: nil) }
        guard case .mapping = node.content else {
            if case .scalar(let text, isPlain: true) = node.content, Self.number(text) == nil {
                return wrong(
                    node, name, expected: "a whole number, `{ at_least: N }`, `{ at_most: N }` or both",
                    suggestion: Self.countMeant(text))
            }
            return integer(node, name, in: 0...greatest).map {
                CountExpectation(minimum: Int($0), maximum: Int($0))
            }
        }
        guard let reader = MappingReader(node, of: name, context: self) else { return nil }
        let least = reader.take("at_least").flatMap { integer($0.value, "at_least", in: 0...greatest) }
        let most = reader.take("at_most").flatMap { integer($0.value, "at_most", in: 0...greatest) }
        reader.finish()
        if let least, let most, least > most {
            error(node.span, "`\(name)` cannot be at least \(least) and at most \(most)")
            return nil
        }
        guard least != nil || most != nil else {
            return reader.keys.isEmpty ? wrong(node, name, expected: "a number, or `at_least` or `at_most`") : nil
        }
        return CountExpectation(minimum: Int(least ?? 0), maximum: most.map { Int($0) })
    }

    /// Reports a value of the wrong kind.
    func wrong<Value>(_ node: YAMLNode, _ name: String, expected: String, suggestion: String? = nil) -> Value? {
        error(node.span, "`\(name)` is \(node.kindDescription)", expected: expected, suggestion: suggestion)
        return nil
    }

    /// What a count in words stands for: `at least 3`.
    private static func countMeant(_ text: String) -> String? {
        let words = text.split { $0 == " " || $0 == "_" }.map { $0.lowercased() }
        guard words.count == 3, words[0] == "at", ["least", "most"].contains(words[1]), let number = number(words[2])
        else { return nil }
        return "{ at_\(words[1]): \(number) }"
    }

    /// Counts above this are a slip of the finger.
    static let greatestCount: UInt64 = 1_000_000_000

    /// A whole number, decimal or with `0x`; nil for anything else.
    static func number(_ text: String) -> UInt64? {
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16) }
        return text.first?.isNumber == true ? UInt64(text) : nil
    }

    private func measured(_ node: YAMLNode, _ name: String, in family: UnitFamily) -> Double? {
        if notes(.measured(units: family.units.map(\.name)), node.span) { return 1 }
        guard case .scalar(let text, _) = node.content else { return wrong(node, name, expected: family.expected) }
        do {
            return try family.value(of: text)
        } catch {
            self.error(
                node.span, "`\(name)` \(text.isEmpty ? "is \(node.kindDescription)" : error.message)",
                expected: error.expected, suggestion: error.suggestion)
            return nil
        }
    }
}
