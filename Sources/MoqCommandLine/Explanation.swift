import MoqBase
import MoqReport
import MoqScenario

/// What `moqspec explain ID` prints, for a requirement, a scenario or one of its cases.
public struct Explanation: Sendable {
    /// For people.
    public let text: String

    /// What an id of these files stands for; `paths` is where they were found, none for the usual folder.
    public init(_ id: String, in loaded: LoadedScenarios, paths: [String] = []) throws(UsageError) {
        let run = (["moqspec", "run"] + paths.map(Rerun.quoted)).joined(separator: " ")
        let suites = try loaded.suites()
        let scenarios = suites.flatMap(\.scenarios)
        if let requirement = loaded.registry?[id] {
            text = Self.text(requirement, loaded.registry, scenarios, run)
        } else if let scenario = scenarios.first(where: { $0.id == id || $0.cases.contains { $0.id == id } }) {
            text = Self.text(scenario, scenario.cases.filter { $0.id == id }, loaded.registry, run)
        } else {
            if let words = Self.whole(id, suites, loaded.registry) { throw UsageError(words) }
            let ids = (loaded.registry?.ids ?? []) + scenarios.map(\.id)
            let question = NearestWord.of(id, among: ids).map { "; did you mean `\($0)`?" } ?? ""
            throw UsageError("`\(id)` is neither a requirement nor a scenario\(question)")
        }
    }

    /// What to ask instead where an id is that of a whole suite or area; nil where it is neither.
    private static func whole(_ id: String, _ suites: [Suite], _ registry: RequirementRegistry?) -> String? {
        var ways: [String] = []
        if suites.contains(where: { $0.id == id }) { ways.append("`moqspec list --filter \(id)` shows the suite") }
        if registry?.ids.contains(where: { $0.hasPrefix("\(id).") }) == true {
            ways.append("`moqspec list --requirements --filter '\(id).*'` shows the requirements of that area")
        }
        return ways.isEmpty ? nil : "`\(id)` is not one requirement or scenario: \(ways.joined(separator: ", "))"
    }

    // MARK: Requirements

    private static func text(
        _ requirement: Requirement, _ registry: RequirementRegistry?, _ all: [Scenario], _ run: String
    ) -> String {
        let naming = all.filter { $0.requirements.contains(requirement.id) }
        var lines = ["\(requirement.id)  (requirement)", "", "  \(requirement.says)", ""]
        lines += fields([
            ("level", levelText(requirement.level)),
            ("binds", requirement.binds == .any ? "both ends of a session" : requirement.binds.rawValue),
            ("versions", requirement.versionText(among: Vocabulary.ofThisRelease.versions)),
            ("transports", requirement.transports?.joined(separator: ", ") ?? "all"),
            ("source", "\(requirement.source)"),
            ("checked", checkedText(requirement)),
            ("stands at", "\(requirement.location)"),
        ])
        if let profile = requirement.profile, let id = requirement.differsFrom {
            lines += [
                "",
                "Draft and running code differ here. This is the profile `\(profile.rawValue)`; the other is `\(id)`:",
            ]
            if let other = registry?[id] { lines.append("  \(other.says)") }
        }
        guard !naming.isEmpty else {
            return (lines + (requirement.checked.needsScenario ? ["", "No scenario names it."] : []))
                .joined(separator: "\n")
        }
        lines += [
            "", "\(LoadedScenarios.plural(naming.count, "scenario")) that check\(naming.count == 1 ? "s" : "") it:",
        ]
        for scenario in naming {
            lines += ["  \(scenario.id)", "    \(scenario.title)"]
            let steps = scenario.cases.first?.steps.steps(about: requirement.id) ?? []
            lines += steps.map { "    \($0.location): \($0.source)" }
        }
        lines += [
            "", "To run \(naming.count == 1 ? "it" : "them") alone:",
            "  \(run) \(naming.map { filter($0.id) }.joined(separator: " "))",
        ]
        return lines.joined(separator: "\n")
    }

    private static func levelText(_ level: RequirementLevel) -> String {
        switch level {
        case .must: "must"
        case .should: "should"
        case .observed: "observed: what running code does, not demanded"
        }
    }

    private static func checkedText(_ requirement: Requirement) -> String {
        switch requirement.checked {
        case .monitor: "in every session, by the monitor"
        case .scenario: "by scenarios"
        case .both: "in every session, by the monitor, and by scenarios"
        case .no: "no: \(requirement.because ?? "")"
        }
    }

    // MARK: Scenarios

    private static func text(
        _ scenario: Scenario, _ chosen: [ScenarioCase], _ registry: RequirementRegistry?, _ run: String
    ) -> String {
        let cases = chosen.isEmpty ? scenario.cases : chosen
        let kind = chosen.isEmpty ? "scenario" : "case of scenario \(scenario.id)"
        var lines = ["\(chosen.first?.id ?? scenario.id)  (\(kind))", "", "  \(scenario.title)"]
        if let about = scenario.about { lines += ["", "  \(about)"] }
        let actors = (cases.first?.actors ?? []).map { "\($0.name) (\($0.kind.rawValue))" }
        let needs = cases.first?.needs ?? []
        let buildsOn = cases.first?.buildsOn ?? []
        lines.append("")
        lines += fields([
            ("suite", cases.first?.suite ?? ""),
            ("stands at", "\(scenario.location)"),
            ("actors", actors.joined(separator: ", ")),
            ("programs", programs(cases.first)),
            ("steps", "\(cases.first?.steps.count ?? 0)"),
            ("needs", needs.isEmpty ? "nothing of the relay that others lack" : needs.joined(separator: ", ")),
            ("builds on", buildsOn.isEmpty ? "nothing" : buildsOn.joined(separator: ", ")),
            ("tags", scenario.tags.isEmpty ? "none" : scenario.tags.joined(separator: ", ")),
        ])
        lines += ["", "It checks:"]
        for id in scenario.requirements {
            guard let row = registry?[id] else {
                lines.append("  \(id)")
                continue
            }
            lines += ["  \(id)  (\(row.level.rawValue); \(row.source))", "    \(row.says)"]
        }
        lines += ["", "\(LoadedScenarios.plural(cases.count, "case")):"]
        lines += cases.map { "  \($0.id)" + ($0.exclusion.map { "  cannot exist: \($0)" } ?? "") }
        lines += ["", "To run it alone:", "  \(run) \(filter(chosen.first?.id ?? scenario.id))"]
        return lines.joined(separator: "\n")
    }

    /// The outside programs of a case, with how a run is given them.
    private static func programs(_ scenario: ScenarioCase?) -> String {
        var names: [String] = []
        for actor in scenario?.actors ?? [] where actor.kind == .program && !names.contains(actor.programName) {
            names.append(actor.programName)
        }
        return names.isEmpty ? "none" : names.map { "\($0) (--program \($0)=COMMAND)" }.joined(separator: ", ")
    }

    /// Brackets mean something to shells.
    private static func filter(_ id: String) -> String {
        id.contains("[") ? "--filter '\(id)'" : "--filter \(id)"
    }

    private static func fields(_ fields: [(name: String, value: String)]) -> [String] {
        let width = fields.map(\.name.count).max() ?? 0
        return fields.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.value)" }
    }
}

extension [Step] {
    /// The innermost steps, in the order of the file, that name a requirement as what they put to the test.
    fileprivate func steps(about requirement: String) -> [Step] {
        flatMap { step -> [Step] in
            switch step.kind {
            case .parallel(let branches): branches.flatMap { $0.steps(about: requirement) }
            case .repeat(let inner): inner.firstRound.steps(about: requirement)
            case .after(let inner): inner.steps.steps(about: requirement)
            case .session, .client, .program, .relay, .network, .expect, .never, .wait:
                step.requirements.contains(requirement) ? [step] : []
            }
        }
    }
}
