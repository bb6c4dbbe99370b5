import MoqBase

// Figures of the statistics and of what was seen: a number, perhaps after a comparison.
extension ClientExpectationReader {
    func statistics(_ entry: YAMLNode.Entry) -> [ExpectationTree] {
        let words = ClientStatistic.allCases.map(\.rawValue)
        let found = figures(entry, "a figure of the statistics", among: words) {
            figure -> ClientStatisticExpectation? in
            guard let statistic = ClientStatistic(rawValue: figure.key),
                let (comparison, value) = comparison(figure.value, figure.key, isDuration: statistic.isDuration)
            else { return nil }
            return ClientStatisticExpectation(
                statistic: statistic, comparison: comparison, value: value,
                source: context.text(figure.value, figure.key) ?? "")
        }
        return found.isEmpty ? [] : [one(.statistics(found), entry)]
    }

    func sights(_ entry: YAMLNode.Entry) -> [ExpectationTree] {
        let words = ClientSight.allCases.map(\.rawValue)
        let found = figures(entry, "something that is seen or heard", among: words) {
            figure -> ClientSightExpectation? in
            guard let sight = ClientSight(rawValue: figure.key),
                let (comparison, value) = comparison(figure.value, figure.key, isDuration: sight.isDuration)
            else { return nil }
            return ClientSightExpectation(sight: sight, comparison: comparison, value: value)
        }
        return found.isEmpty ? [] : [one(.seen(found), entry)]
    }

    private func figures<Figure>(
        _ entry: YAMLNode.Entry, _ what: String, among words: [String], _ read: (YAMLNode.Entry) -> Figure?
    ) -> [Figure] {
        guard let reader = MappingReader(entry.value, of: entry.key, at: entry.keySpan, context: context) else {
            return []
        }
        let found = reader.takeAll(among: words).compactMap { figure -> Figure? in
            guard words.contains(figure.key) else {
                context.unknownWord(
                    figure.key, at: figure.keySpan, "`\(figure.key)` is not \(what)", among: words)
                return nil
            }
            return read(figure)
        }
        if reader.keys.isEmpty { context.error(entry.keySpan, "`\(entry.key)` expects nothing") }
        return found
    }

    /// `3`, `"< 300 ms"`, `"none"`.
    private func comparison(
        _ node: YAMLNode, _ key: String, isDuration: Bool
    ) -> (ClientStatisticExpectation.Comparison, Double?)? {
        guard let text = context.text(node, key) else { return nil }
        if text == "none" { return (.equal, nil) }
        var rest = Substring(text)
        var comparison = ClientStatisticExpectation.Comparison.equal
        if let found = ClientStatisticExpectation.Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
            comparison = found
            rest = rest.dropFirst(found.rawValue.count)
        }
        let value = rest.drop { $0 == " " }
        if isDuration {
            do throws(UnitProblem) {
                return (comparison, try UnitFamily.duration.value(of: String(value)))
            } catch {
                context.error(
                    node.span, "`\(key)` \(error.message)", expected: error.expected, suggestion: error.suggestion)
                return nil
            }
        }
        guard let number = Double(value) else {
            return context.wrong(
                node, key, expected: "a number, perhaps after `<`, `<=`, `>` or `>=`, or `none`")
        }
        return (comparison, number)
    }
}
