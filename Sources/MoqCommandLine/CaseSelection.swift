import MoqBase
import MoqScenario
import MoqWire

/// Which of the cases are wanted.
public struct CaseSelection: Equatable, Sendable {
    /// A case is wanted when one of them selects it; without any, all are.
    public var patterns: [CasePattern]
    /// The versions that are wanted; nil for all, also those that cannot be run and are reported as skipped.
    public var versions: [Version]?

    /// Reads `--filter` and `--moq-version`.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        var patterns: [CasePattern] = []
        for text in arguments.values(of: "filter") { patterns.append(try CasePattern(text)) }
        self.patterns = patterns
        versions = arguments.value(of: "moq-version") == "all" ? nil : try arguments.versions(of: "moq-version")
    }

    /// The cases that are wanted, in the order of the files. A pattern that selects nothing is an error.
    public func cases(of suites: [Suite]) throws(UsageError) -> [ScenarioCase] {
        let all = suites.flatMap(\.cases)
        guard !all.isEmpty else { throw UsageError("there is no case in the scenario files") }
        let wanted = all.filter(isOfVersion)
        guard !wanted.isEmpty else { throw UsageError("no case is of \(versionNames): --moq-version selects nothing") }
        for pattern in patterns where !wanted.contains(where: pattern.selects) {
            throw unmatched(pattern, all)
        }
        guard !patterns.isEmpty else { return wanted }
        return wanted.filter { scenarioCase in patterns.contains { $0.selects(scenarioCase) } }
    }

    /// The suites with only the cases that are wanted, without what has none of them.
    public func suites(of suites: [Suite]) throws(UsageError) -> [Suite] {
        let wanted = Set(try cases(of: suites).map(\.id))
        return suites.compactMap { suite in
            var suite = suite
            suite.scenarios = suite.scenarios.compactMap { scenario in
                var scenario = scenario
                scenario.cases = scenario.cases.filter { wanted.contains($0.id) }
                return scenario.cases.isEmpty ? nil : scenario
            }
            return suite.scenarios.isEmpty ? nil : suite
        }
    }

    private func isOfVersion(_ scenarioCase: ScenarioCase) -> Bool {
        guard let versions else { return true }
        return versions.contains { $0.description == scenarioCase.version }
    }

    private var versionNames: String {
        (versions ?? []).map(\.description).joined(separator: " or ")
    }

    private func unmatched(_ pattern: CasePattern, _ all: [ScenarioCase]) -> UsageError {
        if all.contains(where: pattern.selects) {
            return UsageError("--filter \(pattern) selects only cases of other versions than \(versionNames)")
        }
        let nearest: String?
        if let tag = pattern.tag {
            nearest = NearestWord.of(tag, among: all.flatMap(\.tags)).map { "tag:\($0)" }
        } else {
            nearest = NearestWord.of(pattern.description, among: all.flatMap { CasePattern.names(of: $0) })
        }
        let question = nearest.map { "; did you mean `\($0)`?" } ?? "; moqspec list --cases shows what there is"
        return UsageError("--filter \(pattern) selects nothing\(question)")
    }
}
