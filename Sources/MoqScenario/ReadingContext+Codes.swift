import MoqBase

/// Error codes and sets of them.
extension ReadingContext {
    /// The greatest code that an application can choose.
    private static let greatestApplicationCode: UInt64 = 0xFFFF

    /// A code to be sent on a stream as it stands: as `code`, or `wire(24)` for a number of QUIC.
    func sentCode(_ node: YAMLNode, _ name: String) -> Code? {
        guard case .scalar(let text, _) = node.content, text.hasPrefix("wire("), text.hasSuffix(")") else {
            return code(node, name)
        }
        guard let number = Self.number(String(text.dropFirst(5).dropLast())), number <= VarInt.maximum else {
            return wrong(node, name, expected: "`wire(N)` with N from 0 to 2^62 - 1")
        }
        return .wire(number)
    }

    /// One code: a condition, `app(7)`, or a number.
    func code(_ node: YAMLNode, _ name: String) -> Code? {
        if notes(.code(vocabulary.conditions), node.span) { return .number(0) }
        let expected = "a condition such as `not_found`, `app(N)`, or a number"
        guard case .scalar(let text, _) = node.content else { return wrong(node, name, expected: expected) }
        if let number = Self.number(text) {
            guard number <= VarInt.maximum else { return wrong(node, name, expected: expected) }
            return .number(number)
        }
        if text.hasPrefix("app("), text.hasSuffix(")") {
            guard let number = Self.number(String(text.dropFirst(4).dropLast())),
                number <= Self.greatestApplicationCode
            else {
                return wrong(node, name, expected: "`app(N)` with N from 0 to \(Self.greatestApplicationCode)")
            }
            return .application(number)
        }
        guard vocabulary.conditions.contains(text) else {
            unknownWord(
                text, at: node.span, "`\(name)` is `\(text)`, which is not a condition",
                among: vocabulary.conditions)
            return nil
        }
        if !conditions.contains(text) { conditions.append(text) }
        return .condition(text)
    }

    /// One code, `any`, or `{ any_of: [...] }`.
    func codes(_ node: YAMLNode, _ name: String) -> CodeExpectation? {
        _ = notes(.words(["any"]), node.span)
        switch node.content {
        case .scalar("any", _): return .any
        case .scalar: return code(node, name).map { .oneOf([$0]) }
        case .sequence:
            return wrong(node, name, expected: "a set of codes is written `{ any_of: [...] }`")
        case .mapping:
            guard let reader = MappingReader(node, of: name, context: self) else { return nil }
            let set = reader.need("any_of")
            reader.finish()
            guard let set else { return nil }
            guard case .sequence(let items) = set.value.content, !items.isEmpty else {
                return wrong(set.value, "any_of", expected: "a list of codes")
            }
            let codes = items.compactMap { code($0, "any_of") }
            return codes.isEmpty ? nil : .oneOf(codes)
        }
    }
}
