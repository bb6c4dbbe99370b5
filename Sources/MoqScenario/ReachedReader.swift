/// Reads the sentences under `reached`.
enum ReachedReader {
    static let forms =
        "`ACTOR was behind by SIZE`, `network lost at least N packets` (or an actor instead of `network`; or "
        + "`delayed`, `duplicated`, `reordered`), "
        + "`ACTOR received at least N frames` (or `groups`, `datagrams`) or `ACTOR was connected at least N times`"

    static func read(_ node: YAMLNode, context: ReadingContext) -> Reached? {
        guard let source = context.text(node, "reached") else { return nil }
        let words = source.split(separator: " ").map(String.init)
        guard let subject = words.first else {
            return context.wrong(node, "reached", expected: forms)
        }
        guard let condition = condition(Array(words.dropFirst()), of: subject, at: node, context) else {
            return nil
        }
        let isLink = if case .link = condition { true } else { false }
        if !(isLink && subject == "network"), !context.actors.contains(where: { $0.name == subject }) {
            context.unknownWord(
                subject, at: node.span, "`reached` speaks of `\(subject)`, which is not an actor",
                among: context.actors.map(\.name) + ["network"])
            return nil
        }
        return Reached(condition: condition, source: source, location: context.text.location(of: node.span))
    }

    private static func condition(
        _ words: [String], of subject: String, at node: YAMLNode, _ context: ReadingContext
    ) -> Reached.Condition? {
        if words.starts(with: ["was", "behind", "by"]) {
            var size = node
            size.content = .scalar(words.dropFirst(3).joined(separator: " "), isPlain: true)
            return context.size(size, "reached").map { .behind(actor: subject, bytes: $0) }
        }
        if let effect = words.first.flatMap(Reached.LinkEffect.init), let (least, rest) = atLeast(words.dropFirst()),
            rest.isEmpty || ["packet", "packets"].contains(rest)
        {
            return .link(actor: subject == "network" ? nil : subject, effect, atLeast: least)
        }
        if words.first == "received", let (least, rest) = atLeast(words.dropFirst()) {
            let unit = Reached.Unit(rawValue: rest) ?? Reached.Unit(rawValue: rest + "s")
            if let unit { return .received(actor: subject, unit, atLeast: least) }
        }
        if words.starts(with: ["was", "connected"]), let (least, rest) = atLeast(words.dropFirst(2)),
            ["time", "times"].contains(rest)
        {
            return .connected(actor: subject, atLeast: least)
        }
        return context.wrong(node, "reached", expected: forms)
    }

    /// The number after "at least", and the words after the number.
    private static func atLeast(_ words: ArraySlice<String>) -> (Int, rest: String)? {
        let words = Array(words)
        guard words.starts(with: ["at", "least"]), words.count >= 3, let number = Int(words[2]), number > 0 else {
            return nil
        }
        return (number, words.dropFirst(3).joined(separator: " "))
    }
}
