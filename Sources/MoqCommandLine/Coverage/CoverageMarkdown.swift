import MoqKit
import MoqReport

/// Coverage as a page of Markdown.
public struct CoverageMarkdown: Sendable {
    private let coverage: Coverage

    /// The page of coverage.
    public init(_ coverage: Coverage) {
        self.coverage = coverage
    }

    /// The page.
    public var text: String {
        var lines = ["# Coverage of requirements", "", CoverageText.sum(coverage) + ".", ""]
        lines += ["| results | relay | world | began | cases |", "| --- | --- | --- | --- | ---: |"]
        for run in coverage.runs {
            lines.append(Self.row([run.source, run.target, run.world, run.started, "\(run.cases.count)"]))
        }
        let statuses = CoverageRow.Status.allCases
        lines += ["", Self.row(["area", "all"] + statuses.map(\.label))]
        lines.append(Self.row(["---"] + [String](repeating: "---:", count: statuses.count + 1)))
        for area in coverage.areas {
            let counts = statuses.map { "\(area.totals[$0])" }
            lines.append(Self.row(["[\(area.name)](#\(area.name))", "\(area.totals.all)"] + counts))
        }
        lines.append(Self.row(["all", "\(coverage.totals.all)"] + statuses.map { "\(coverage.totals[$0])" }))
        for area in coverage.areas { lines += section(area) }
        let totals = coverage.transitions.totals(of: .builtIn)
        if !totals.isEmpty {
            lines += [
                "", "## Transitions of machines", "", "| machine | profile | taken | of |",
                "| --- | --- | ---: | ---: |",
            ]
            lines += totals.map { Self.row([$0.machine, $0.profile.rawValue, "\($0.taken)", "\($0.all)"]) }
        }
        if !coverage.unattributed.isEmpty {
            lines += ["", "## Failures that name no requirement", ""]
            lines += coverage.unattributed.map { "- \(Self.cell(CoverageText.evidence($0)))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ area: Coverage.Area) -> [String] {
        var lines = ["", "## \(area.name)", "", area.about, ""]
        lines += ["| requirement | level | status | cases | evidence |", "| --- | --- | --- | ---: | --- |"]
        for row in area.rows {
            let profile = row.requirement.profile.map { " (\($0.rawValue))" } ?? ""
            lines.append(
                Self.row([
                    "`\(row.requirement.id)`\(profile)", row.requirement.level.rawValue, row.status.label,
                    "\(row.witnesses.count)", row.reason ?? row.witnesses.first.map(CoverageText.evidence) ?? "",
                ]))
        }
        return lines
    }

    private static func row(_ cells: [String]) -> String {
        "| \(cells.map(cell).joined(separator: " | ")) |"
    }

    /// What a relay put into a text must not end the cell, nor be taken for markup.
    private static func cell(_ text: String) -> String {
        Printable.line(text).replacing("|", with: "\\|").replacing("<", with: "&lt;")
    }
}
