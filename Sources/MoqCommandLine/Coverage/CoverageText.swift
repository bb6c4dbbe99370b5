import MoqKit
import MoqReport

/// Coverage for people at a terminal.
public struct CoverageText: Sendable {
    private let coverage: Coverage
    private let hasDetail: Bool

    /// Lines of one list; the rest is counted. With detail all are shown.
    private static let listLimit = 40
    /// Cases shown of one row with detail.
    private static let caseLimit = 10

    /// The text of coverage; with detail every row is shown, with its cases.
    public init(_ coverage: Coverage, hasDetail: Bool = false) {
        self.coverage = coverage
        self.hasDetail = hasDetail
    }

    /// All of it. The last line adds up.
    public var text: String {
        var lines = coverage.runs.map(Self.line)
        lines += [""] + table
        if hasDetail {
            lines += coverage.areas.flatMap(details)
        } else {
            for status in [CoverageRow.Status.broken, .known, .informational, .notReached] { lines += list(status) }
        }
        lines += transitions
        lines += unattributed
        lines += ["", Self.sum(coverage)]
        return lines.map(Printable.line).joined(separator: "\n")
    }

    /// `476 requirements = 300 held + 2 broken + ...`
    static func sum(_ coverage: Coverage) -> String {
        let totals = coverage.totals
        let parts = CoverageRow.Status.allCases.filter { $0 == .held || totals[$0] > 0 }
            .map { "\(totals[$0]) \($0.label)" }
        return "\(LoadedScenarios.plural(totals.all, "requirement")) = \(parts.joined(separator: " + ")), "
            + "profile \(coverage.profile.rawValue)"
    }

    private static func line(_ run: RunEvidence) -> String {
        let parts = [
            run.source, run.target, run.world, run.started, LoadedScenarios.plural(run.cases.count, "case"),
            run.isComplete ? "" : "CUT SHORT",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private var table: [String] {
        let statuses = CoverageRow.Status.allCases
        var rows = [["area", "all"] + statuses.map(\.label)]
        for area in coverage.areas {
            rows.append([area.name, "\(area.totals.all)"] + statuses.map { Self.count(area.totals[$0]) })
        }
        rows.append(["all", "\(coverage.totals.all)"] + statuses.map { Self.count(coverage.totals[$0]) })
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }
            return cells.joined(separator: "  ")
        }
    }

    /// A dot is easier to overlook than a nought.
    private static func count(_ number: Int) -> String { number == 0 ? "." : "\(number)" }

    private func list(_ status: CoverageRow.Status) -> [String] {
        let rows = coverage.rows.filter { $0.status == status }
        guard !rows.isEmpty else { return [] }
        var lines = ["", "\(status.label)"]
        for row in rows.prefix(Self.listLimit) {
            lines.append("  \(row.requirement.id)  (\(row.requirement.level.rawValue))  \(row.reason ?? "")")
            lines += row.witnesses.prefix(1).map { "    \(Self.evidence($0))" }
            if row.witnesses.count > 1 { lines.append("    and \(row.witnesses.count - 1) more cases") }
        }
        if rows.count > Self.listLimit {
            lines.append("  and \(rows.count - Self.listLimit) more; --status \(status.rawValue) --detail shows all")
        }
        return lines.map(Self.trimmed)
    }

    private func details(_ area: Coverage.Area) -> [String] {
        var lines = ["", "\(area.name)  \(area.about)"]
        for row in area.rows {
            let level = row.requirement.level.rawValue
            lines += ["", "  \(row.requirement.id)  \(row.status.label)  (\(level))", "    \(row.requirement.says)"]
            if let reason = row.reason { lines.append("    \(reason)") }
            if row.tally.held + row.tally.broken > 0 {
                lines.append("    counted in sessions and steps: \(row.tally.held) held, \(row.tally.broken) broken")
            }
            lines += row.witnesses.prefix(Self.caseLimit).map { "    \(Self.evidence($0))" }
            let left = row.witnesses.count - Self.caseLimit
            if left > 0 { lines.append("    and \(left) more cases") }
        }
        return lines.map(Self.trimmed)
    }

    private var transitions: [String] {
        let table = coverage.transitions.lines()
        guard !table.isEmpty else { return [] }
        guard hasDetail else { return ["", "transitions of machines"] + table.map { "  \($0)" } }
        let rows = coverage.transitions.rows.map { "  \($0.machine) (\($0.profile.rawValue))  \($0.key)  \($0.taken)" }
        return ["", "transitions of machines"] + table.map { "  \($0)" } + [""] + rows
    }

    private var unattributed: [String] {
        guard !coverage.unattributed.isEmpty else { return [] }
        let lines = coverage.unattributed.prefix(Self.listLimit).map { "  \(Self.evidence($0))" }
        let left = coverage.unattributed.count - lines.count
        return ["", "failures that name no requirement"] + lines + (left > 0 ? ["  and \(left) more"] : [])
    }

    static func evidence(_ witness: CoverageRow.Witness) -> String {
        let line = witness.line.map { "  \($0)" } ?? ""
        return "\(witness.caseID)  \(witness.place.fileAndLine)\(line)"
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
