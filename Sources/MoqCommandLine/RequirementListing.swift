import MoqJSON
import MoqScenario

/// What `moqspec list --requirements` prints.
public struct RequirementListing: Sendable {
    private let areas: [RequirementArea]
    private let namedBy: [String: [String]]
    private let knownVersions: [String]

    /// A listing of the requirements whose ids match one of the patterns; of all when there is no pattern. Each pattern
    /// has to match something.
    public init(
        _ registry: RequirementRegistry, suites: [Suite], patterns: [CasePattern] = [],
        knownVersions: [String] = Vocabulary.ofThisRelease.versions
    ) throws(UsageError) {
        for pattern in patterns where !registry.requirements.contains(where: { pattern.selects($0) }) {
            let question = registry.nearest(to: pattern.description).map { "; did you mean `\($0)`?" } ?? ""
            throw UsageError("--filter \(pattern) selects no requirement\(question)")
        }
        areas = registry.areas.compactMap { area in
            var area = area
            area.requirements.removeAll { row in !patterns.isEmpty && !patterns.contains { $0.selects(row) } }
            return area.requirements.isEmpty ? nil : area
        }
        namedBy = Self.scenarios(of: suites)
        self.knownVersions = knownVersions
    }

    /// The ids of the scenarios that name a requirement, by its id.
    static func scenarios(of suites: [Suite]) -> [String: [String]] {
        var namedBy: [String: [String]] = [:]
        for scenario in suites.flatMap(\.scenarios) {
            for id in scenario.requirements { namedBy[id, default: []].append(scenario.id) }
        }
        return namedBy
    }

    /// For people: a table for each area. The last lines count.
    public var text: String {
        var lines: [String] = []
        for area in areas {
            lines += ["\(area.name)  \(area.about)", ""]
            let rows = area.requirements.map { row in
                [
                    row.id, row.level.rawValue, row.binds.rawValue, row.versionText(among: knownVersions),
                    row.checked.rawValue, row.profile?.rawValue ?? "", scenarioCount(row),
                ]
            }
            lines += Self.aligned([["id", "level", "binds", "versions", "checked", "profile", "scenarios"]] + rows)
                .map { "  \($0)" }
            lines.append("")
        }
        return (lines + counts).joined(separator: "\n")
    }

    private func scenarioCount(_ row: Requirement) -> String {
        let count = namedBy[row.id]?.count ?? 0
        return count == 0 && !row.checked.needsScenario ? "" : String(count)
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// How many there are, in all and of each kind.
    private var counts: [String] {
        let rows = areas.flatMap(\.requirements)
        let levels = RequirementLevel.allCases.map { level in "\(rows.count { $0.level == level }) \(level.rawValue)" }
        let unnamed = rows.count { $0.checked.needsScenario && namedBy[$0.id] == nil }
        let checks = [
            "\(rows.count(where: \.checked.isMonitored)) watched in every session",
            "\(rows.count(where: \.checked.needsScenario)) for scenarios, of which no scenario names \(unnamed)",
            "\(rows.count { $0.checked == .no }) not checked",
        ]
        return [
            "\(LoadedScenarios.plural(rows.count, "requirement")): \(levels.joined(separator: ", "))",
            checks.joined(separator: "; "),
        ]
    }

    /// For programs (docs/command-line.md).
    public func json() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("schema", 1)
            writer.name("areas")
            writer.array { writer in for area in areas { write(area, to: &writer) } }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ area: RequirementArea, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", area.name)
            writer.member("about", area.about)
            writer.name("requirements")
            writer.array { writer in for row in area.requirements { write(row, to: &writer) } }
        }
    }

    private func write(_ row: Requirement, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", row.id)
            writer.member("says", row.says)
            writer.member("level", row.level.rawValue)
            writer.member("binds", row.binds.rawValue)
            writer.member("versions", row.versions)
            if let transports = row.transports { writer.member("transports", transports) }
            writer.member("draft", row.source.draft)
            writer.member("peer", row.source.peer)
            writer.member("checked", row.checked.rawValue)
            writer.member("because", row.because)
            writer.member("profile", row.profile?.rawValue)
            writer.member("differsFrom", row.differsFrom)
            writer.member("file", row.location.file)
            writer.member("line", row.location.line)
            writer.member("scenarios", namedBy[row.id] ?? [])
        }
    }
}
