/// Fills in `${name}`, `${name+1}`, `${name-1}` and `${name*2}` in the texts and keys of a tree.
struct VariableSubstitution {
    /// The variables that have a value.
    var values: [MatrixVariable]
    /// Variables whose value comes later, which stay as they are.
    var later: Set<String> = []
    /// Where undefined variables are reported; nil when that was done before.
    var context: ReadingContext?

    /// The name of a repeat's variable when it names none.
    static let roundVariable = "i"

    func apply(to node: YAMLNode) -> YAMLNode {
        switch node.content {
        case .scalar(let text, let isPlain):
            guard Self.mayHaveVariables(text) else { return node }
            let (result, isWhole) = filled(text, at: node.span)
            return YAMLNode(content: .scalar(result, isPlain: isPlain || isWhole), span: node.span)
        case .sequence(let items):
            return YAMLNode(content: .sequence(items.map(apply)), span: node.span)
        case .mapping(let entries):
            return YAMLNode(content: .mapping(entries.map(apply)), span: node.span)
        }
    }

    private func apply(to entry: YAMLNode.Entry) -> YAMLNode.Entry {
        var inner = self
        if entry.key == "repeat", case .mapping(let parts) = entry.value.content {
            let variable = Self.variable(ofRepeat: parts)
            inner.values.removeAll { $0.name == variable }
            inner.later.insert(variable)
        }
        let key = Self.mayHaveVariables(entry.key) ? filled(entry.key, at: entry.keySpan).text : entry.key
        return YAMLNode.Entry(key: key, keySpan: entry.keySpan, value: inner.apply(to: entry.value))
    }

    /// The variable that the steps of a repeat use for its round.
    static func variable(ofRepeat entries: [YAMLNode.Entry]) -> String {
        guard let named = entries.first(where: { $0.key == "as" }), case .scalar(let text, _) = named.value.content
        else { return roundVariable }
        return text
    }

    /// Whether a variable may still be filled in somewhere below a node.
    static func mentions(_ variable: String, in node: YAMLNode) -> Bool {
        func isIn(_ text: String) -> Bool { mayHaveVariables(text) && text.contains("${\(variable)") }
        switch node.content {
        case .scalar(let text, _): return isIn(text)
        case .sequence(let items): return items.contains { mentions(variable, in: $0) }
        case .mapping(let entries): return entries.contains { isIn($0.key) || mentions(variable, in: $0.value) }
        }
    }

    /// Whether it is worth a search: most texts have no variable, and every text of every case is asked.
    private static func mayHaveVariables(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "$")) }

    /// The text with its variables filled in, and whether it was nothing but one variable.
    private func filled(_ text: String, at span: SourceSpan) -> (text: String, isWhole: Bool) {
        var result = ""
        var isWhole = false
        var rest = Substring(text)
        while let opening = rest.firstRange(of: "${") {
            result += rest[..<opening.lowerBound]
            guard let closing = rest[opening.upperBound...].firstIndex(of: "}") else {
                context?.error(span, "`${` has no `}` after it")
                return (text, false)
            }
            let expression = rest[opening.upperBound..<closing]
            let whole = opening.lowerBound == text.startIndex && rest.index(after: closing) == text.endIndex
            if let value = value(of: expression, at: span) {
                result += value
                isWhole = whole
            } else {
                result += rest[opening.lowerBound...closing]
            }
            rest = rest[rest.index(after: closing)...]
        }
        return (result + rest, isWhole)
    }

    private func value(of expression: Substring, at span: SourceSpan) -> String? {
        let name = expression.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let operation = expression[name.endIndex...]
        if later.contains(String(name)) { return nil }
        guard let value = values.first(where: { $0.name == name })?.value else {
            context?.unknownWord(
                "${\(name)}", at: span, "the variable `${\(expression)}` is not defined",
                among: (values.map(\.name) + later.sorted()).map { "${\($0)}" })
            context?.sink.silence(span)
            return nil
        }
        if operation.isEmpty { return value }
        guard let sign = operation.first, "+-*".contains(sign), let right = Int64(operation.dropFirst()) else {
            context?.error(
                span, "`${\(expression)}` cannot be worked out",
                expected: "a variable, or a variable and `+`, `-` or `*` and a whole number")
            return nil
        }
        guard let left = Int64(value) else {
            context?.error(span, "`${\(expression)}` cannot be worked out: `\(name)` is `\(value)`, not a whole number")
            return nil
        }
        let (outcome, overflow) =
            switch sign {
            case "+": left.addingReportingOverflow(right)
            case "-": left.subtractingReportingOverflow(right)
            default: left.multipliedReportingOverflow(by: right)
            }
        return overflow ? nil : String(outcome)
    }
}
