import MoqEvents
import MoqKit
import MoqScenario

/// Requirements x what runs said about them. Several runs add up: shards of one, or other versions and transports.
public struct Coverage: Sendable {
    /// The rows of one file of the registry.
    public struct Area: Sendable {
        /// The area's name, which its ids begin with.
        public var name: String
        /// What it is about.
        public var about: String
        /// Its rows, in the order of the file.
        public var rows: [CoverageRow]

        /// How many rows there are of each status.
        public var totals: CoverageTotals { CoverageTotals(rows) }
    }

    /// The runs.
    public let runs: [RunEvidence]
    /// What the relay is held to where the draft and running code differ.
    public let profile: RequirementProfile
    /// The rows, area by area.
    public let areas: [Area]
    /// Failures that name no requirement of the registry: they count all the same.
    public let unattributed: [CoverageRow.Witness]

    /// Which transitions of machines actors took.
    public let transitions: TransitionCoverage

    /// All rows.
    public var rows: [CoverageRow] { areas.flatMap(\.rows) }
    /// How many rows there are of each status.
    public var totals: CoverageTotals { CoverageTotals(rows) }

    /// What these runs say about a registry. `suites` are those that belong to it: what no run touched may at least
    /// have a scenario.
    public init(
        _ runs: [RunEvidence], registry: RequirementRegistry, suites: [Suite], profile: RequirementProfile = .deployed
    ) {
        self.runs = runs
        self.profile = profile
        let namedBy = RequirementListing.scenarios(of: suites)
        var rows: [String: CoverageRow] = [:]
        for requirement in registry.requirements {
            rows[requirement.id] = CoverageRow(
                requirement, isHeldTo: requirement.isHeld(under: profile), scenarios: namedBy[requirement.id] ?? [])
        }
        var unattributed: [CoverageRow.Witness] = []
        for run in runs {
            for evidence in run.cases {
                for id in Self.ids(in: evidence) { rows[id]?.take(evidence) }
                unattributed += Self.unattributed(evidence, registry)
            }
        }
        self.unattributed = unattributed
        transitions = TransitionCoverage(runs.flatMap(\.cases).flatMap(\.transitions))
        areas = registry.areas.map { area in
            Area(name: area.name, about: area.about, rows: area.requirements.compactMap { rows[$0.id] })
        }
    }

    private init(_ whole: Coverage, areas: [Area]) {
        (runs, profile, unattributed) = (whole.runs, whole.profile, whole.unattributed)
        transitions = whole.transitions
        self.areas = areas
    }

    /// The same with only the rows that some pattern selects, and that have one of these statuses.
    public func selecting(_ patterns: [CasePattern], _ statuses: [CoverageRow.Status]) throws(UsageError) -> Coverage {
        for pattern in patterns where !rows.contains(where: { pattern.selects($0.requirement) }) {
            throw UsageError("--filter \(pattern) selects no requirement; moqspec list --requirements shows them")
        }
        let kept = areas.compactMap { area -> Area? in
            var area = area
            area.rows.removeAll { row in
                (!patterns.isEmpty && !patterns.contains { $0.selects(row.requirement) })
                    || (!statuses.isEmpty && !statuses.contains(row.status))
            }
            return area.rows.isEmpty ? nil : area
        }
        return Coverage(self, areas: kept)
    }

    /// The exit code: 1 when something that the relay is held to is broken and nobody knew, 5 when nothing was checked.
    public func exitCode(isStrict: Bool) -> Int32 {
        let isBroken = rows.contains { $0.status == .broken && (isStrict || $0.isBrokenByFailure) }
        if isBroken || !unattributed.isEmpty { return 1 }
        let checked = rows.contains { [.held, .broken, .known, .informational].contains($0.status) }
        return checked ? 0 : 5
    }

    /// The requirements that a case has something to do with, each once.
    private static func ids(in evidence: CaseEvidence) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        let all =
            evidence.requirements + evidence.checked.map(\.requirement) + evidence.findings.flatMap(\.requirements)
        for id in all where seen.insert(id).inserted { found.append(id) }
        return found
    }

    private static func unattributed(
        _ evidence: CaseEvidence, _ registry: RequirementRegistry
    ) -> [CoverageRow.Witness] {
        guard evidence.verdict == .fail else { return [] }
        let failures = evidence.findings.filter { $0.severity == .fail }
        let strange = failures.filter { finding in !finding.requirements.contains { registry[$0] != nil } }
        if failures.isEmpty { return [CoverageRow.Witness(evidence, finding: nil)] }
        return strange.map { CoverageRow.Witness(evidence, finding: $0) }
    }
}

/// How many requirements are in which status. It adds up.
public struct CoverageTotals: Equatable, Sendable {
    private var counts: [CoverageRow.Status: Int] = [:]

    /// The totals of rows.
    public init(_ rows: [CoverageRow]) {
        for row in rows { counts[row.status, default: 0] += 1 }
    }

    /// How many have a status.
    public subscript(status: CoverageRow.Status) -> Int { counts[status] ?? 0 }

    /// All of them.
    public var all: Int { CoverageRow.Status.allCases.reduce(0) { $0 + self[$1] } }
}
