/// What scenarios of a file build on: whether it is there, and whether nothing builds on itself.
struct DependencyCheck {
    /// One scenario that builds on another.
    struct Edge {
        var scenario: String
        var base: String
        var span: SourceSpan
    }

    let context: ReadingContext
    /// The ids of all scenarios of the file, also of those that could not be read.
    let ids: [String]

    func run(_ edges: [Edge]) {
        for edge in edges {
            if edge.base == edge.scenario {
                context.error(edge.span, "`\(edge.scenario)` builds on itself")
            } else if !ids.contains(edge.base) {
                context.unknownWord(
                    edge.base, at: edge.span, "there is no scenario `\(edge.base)` in this file",
                    among: ids.filter { $0 != edge.scenario })
            } else if let way = way(from: edge.base, to: edge.scenario, edges) {
                let circle = ([edge.scenario] + way).map { "`\($0)`" }.joined(separator: " on ")
                context.error(edge.span, "scenarios build on each other in a circle: \(circle)")
            }
        }
    }

    /// The scenarios by which one builds on another, both ends among them; nil when it does not.
    private func way(from first: String, to last: String, _ edges: [Edge]) -> [String]? {
        var cameFrom: [String: String] = [:]
        var waiting = [first]
        var next = 0
        while next < waiting.count {
            let here = waiting[next]
            next += 1
            if here == last {
                var way = [here]
                while let before = way.first.flatMap({ cameFrom[$0] }) { way.insert(before, at: 0) }
                return way
            }
            for edge in edges where edge.scenario == here && edge.base != first && cameFrom[edge.base] == nil {
                cameFrom[edge.base] = here
                waiting.append(edge.base)
            }
        }
        return nil
    }
}
