import MoqEvents
import MoqJSON
import MoqScenario

/// What `moqspec list` prints.
public struct SuiteListing: Sendable {
    private let suites: [Suite]
    /// Scenarios and cases of the files beyond those that are listed.
    private let others: (scenarios: Int, cases: Int)

    /// A listing of these suites, which were selected among `all`.
    public init(_ suites: [Suite], of all: [Suite]? = nil) {
        self.suites = suites
        func count(_ suites: [Suite]) -> (Int, Int) {
            (suites.reduce(0) { $0 + $1.scenarios.count }, suites.reduce(0) { $0 + $1.cases.count })
        }
        let (listed, whole) = (count(suites), count(all ?? suites))
        others = (whole.0 - listed.0, whole.1 - listed.1)
    }

    /// For people; with every case if wanted. The last line counts.
    public func text(withCases: Bool) -> String {
        var lines: [String] = []
        for suite in suites {
            lines += ["\(suite.id)  \(suite.file)", "  \(suite.about)"]
            for scenario in suite.scenarios { lines += self.lines(scenario, withCases) }
            lines.append("")
        }
        return (lines + [counts]).joined(separator: "\n")
    }

    private func lines(_ scenario: Scenario, _ withCases: Bool) -> [String] {
        let excluded = scenario.cases.count { $0.exclusion != nil }
        var notes = [LoadedScenarios.plural(scenario.cases.count, "case")]
        if excluded > 0 { notes.append("\(excluded) cannot exist") }
        if !scenario.tags.isEmpty { notes.append("tags \(scenario.tags.joined(separator: ", "))") }
        if let needs = scenario.cases.first?.needs, !needs.isEmpty {
            notes.append("needs \(needs.joined(separator: ", "))")
        }
        var lines = ["", "  \(scenario.id)  (\(notes.joined(separator: "; ")))", "    \(scenario.title)"]
        if withCases {
            lines += scenario.cases.map { "      \($0.id)" + ($0.exclusion.map { "  cannot exist: \($0)" } ?? "") }
        }
        return lines
    }

    private var counts: String {
        let cases = suites.flatMap(\.cases)
        let excluded = cases.count { $0.exclusion != nil }
        let scenarios = suites.reduce(0) { $0 + $1.scenarios.count }
        let parts = [(suites.count, "suite"), (scenarios, "scenario"), (cases.count, "case")]
        return parts.map { LoadedScenarios.plural($0.0, $0.1) }.joined(separator: ", ")
            + (excluded > 0 ? ", of which \(excluded) cannot exist" : "") + left
    }

    /// What `lint` counts and this does not list.
    private var left: String {
        let parts = [(others.scenarios, "scenario"), (others.cases, "case")].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "" }
        let words = parts.map { "\($0.0) more \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
        return "\nnot selected: \(words), by a flag or since the version is not frozen (--wip)"
    }

    /// For programs (docs/command-line.md).
    public func json() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("schema", 1)
            writer.name("suites")
            writer.array { writer in for suite in suites { Self.write(suite, to: &writer) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ suite: Suite, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", suite.id)
            writer.member("about", suite.about)
            writer.member("file", suite.file)
            writer.name("scenarios")
            writer.array { writer in for scenario in suite.scenarios { write(scenario, to: &writer) } }
        }
    }

    private static func write(_ scenario: Scenario, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", scenario.id)
            writer.member("title", scenario.title)
            writer.member("about", scenario.about)
            writer.member("file", scenario.location.file)
            writer.member("line", scenario.location.line)
            writer.member("requirements", scenario.requirements)
            writer.member("tags", scenario.tags)
            writer.name("cases")
            writer.array { writer in for scenarioCase in scenario.cases { write(scenarioCase, to: &writer) } }
        }
    }

    private static func write(_ scenarioCase: ScenarioCase, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", scenarioCase.id)
            writer.member("version", scenarioCase.version)
            writer.member("transport", scenarioCase.transport)
            writer.member("variables", NamedValues(scenarioCase.variables.map { ($0.name, $0.value) }))
            writer.member("needs", scenarioCase.needs)
            writer.member("isolation", scenarioCase.isolation.rawValue)
            writer.name("timeoutSeconds")
            writer.value(seconds: scenarioCase.timeout)
            writer.member("exclusion", scenarioCase.exclusion)
        }
    }
}
