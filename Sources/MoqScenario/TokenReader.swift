/// Reads `token`.
struct TokenReader {
    let context: ReadingContext

    private static let expected =
        "`none`, `nonsense`, or what the token says, such as `{ publish: none, expires: 2s }`; `{}` allows everything"

    func token(_ entry: YAMLNode.Entry) -> ActorToken? {
        if case .scalar(let text, isPlain: true) = entry.value.content {
            switch text {
            case "none": return ActorToken.none
            case "nonsense": return .nonsense
            case "", "~":
                context.error(entry.keySpan, "`token` has no value", expected: Self.expected)
            default:
                context.unknownWord(
                    text, at: entry.value.span, "`\(text)` is no token", among: ["none", "nonsense"])
            }
            return nil
        }
        guard case .mapping = entry.value.content else {
            context.error(entry.value.span, "`token` is \(entry.value.kindDescription)", expected: Self.expected)
            return nil
        }
        guard let reader = MappingReader(entry.value, of: "token", at: entry.keySpan, context: context) else {
            return nil
        }
        var token = TokenDefinition()
        token.root = reader.text("root")
        token.publish = grant("publish", reader) ?? .all
        token.subscribe = grant("subscribe", reader) ?? .all
        reader.exclude("expires", "expired", because: "a token expires once")
        if let duration = reader.duration("expires") { token.expires = .after(duration) }
        if let duration = reader.duration("expired") { token.expires = .before(duration) }
        if let key = reader.word("key", as: TokenDefinition.Key.self) { token.key = key }
        if let algorithm = reader.word("algorithm", as: TokenDefinition.Algorithm.self) { token.algorithm = algorithm }
        reader.finish()
        if token.publish == .none, token.subscribe == .none {
            context.error(
                entry.keySpan, "the token allows neither to publish nor to subscribe",
                expected: "one of the two; relays refuse a token without either")
        }
        return .minted(token)
    }

    private func grant(_ key: String, _ reader: MappingReader) -> TokenDefinition.Grant? {
        guard let entry = reader.take(key) else { return nil }
        if case .scalar(let text, isPlain: true) = entry.value.content {
            if text == "all" { return .all }
            if text == "none" { return TokenDefinition.Grant.none }
        }
        let prefixes = context.list(entry.value).compactMap { context.text($0, key) }
        return prefixes.isEmpty ? nil : .prefixes(prefixes)
    }
}
