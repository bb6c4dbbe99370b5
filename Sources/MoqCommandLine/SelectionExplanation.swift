import MoqScenario

/// What `--explain` prints: which cases are run, which combinations are left out, and why.
public struct SelectionExplanation: Sendable {
    private let outcome: CaseSelection.Outcome

    private let programs: [String]
    private let isSimulated: Bool

    /// An explanation of a selection, for a run with these programs.
    public init(_ outcome: CaseSelection.Outcome, programs: [String] = [], isSimulated: Bool = false) {
        self.outcome = outcome
        self.programs = programs
        self.isSimulated = isSimulated
    }

    /// For people, scenario by scenario in the order of the files; the last line counts.
    public var text: String {
        var lines: [String] = []
        for scenario in scenarios {
            let run = outcome.cases.filter { $0.scenario == scenario }
            let leftOut = outcome.leftOut.filter { $0.scenario == scenario }
            lines.append("\(scenario)  \(LoadedScenarios.plural(run.count, "case"))")
            lines += run.map { scenario in
                guard let reason = scenario.reasonToLackPrograms(programs, isSimulated: isSimulated) else {
                    return "  run       \(scenario.id)"
                }
                return "  skipped   \(scenario.id)  \(reason)"
            }
            lines += leftOut.map { "  left out  \($0.id)  \($0.exclusion ?? "")" }
        }
        lines.append("")
        lines.append(
            "\(LoadedScenarios.plural(outcome.cases.count, "case")) to run, "
                + "\(LoadedScenarios.plural(outcome.leftOut.count, "combination")) left out")
        return lines.joined(separator: "\n")
    }

    /// One line about what is left out; nil when nothing is.
    public var line: String? {
        guard !outcome.leftOut.isEmpty else { return nil }
        let count = LoadedScenarios.plural(outcome.leftOut.count, "combination")
        return
            "\(count) of version and transport cannot exist and \(outcome.leftOut.count == 1 ? "is" : "are") left out; "
            + "--explain says why"
    }

    private var scenarios: [String] {
        let all = (outcome.cases + outcome.leftOut).sorted {
            ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line)
        }
        var found: [String] = []
        for scenarioCase in all where found.last != scenarioCase.scenario { found.append(scenarioCase.scenario) }
        return found
    }
}
