import MoqScenario

/// The page about all requirements, `docs/requirements.md`: made from the registry and nothing else.
public struct RequirementPage: Sendable {
    private let registry: RequirementRegistry
    private let knownVersions: [String]

    /// A page about a registry.
    public init(_ registry: RequirementRegistry, knownVersions: [String] = Vocabulary.ofThisRelease.versions) {
        self.registry = registry
        self.knownVersions = knownVersions
    }

    /// The page, in Markdown.
    public var markdown: String {
        let rows = registry.requirements
        var lines = [
            "# Requirements", "",
            "What a moq-lite relay is held to, row by row. This page is made from `scenarios/requirements` by",
            "`moqspec list --requirements --report markdown=docs/requirements.md`; change it there.", "",
            "- **Level**: *must* where peers break without it or the draft demands it; *should* where the draft asks for it;",
            "  *observed* for what running code does and nobody demands.",
            "- **Source**: the draft and the name of its section, and the release that was seen to do so.",
            "- **Checked**: by the *monitor*, which watches every session of every scenario; by a *scenario* that names the",
            "  requirement (`moqspec explain ID` lists them); by *both*; or not at all, with the reason.",
            "- Where the draft and running code say different things both are rows, each with its **profile**, and a relay is",
            "  held to one of them.", "",
            "| area | requirements | must | should | observed | monitor | scenarios | not checked |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for area in registry.areas { lines.append(summary("[\(area.name)](#\(area.name))", area.requirements)) }
        lines.append(summary("all", rows))
        for area in registry.areas { lines += section(area) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ name: String, _ rows: [Requirement]) -> String {
        let counts = [
            rows.count, rows.count { $0.level == .must }, rows.count { $0.level == .should },
            rows.count { $0.level == .observed }, rows.count(where: \.checked.isMonitored),
            rows.count(where: \.checked.needsScenario), rows.count { $0.checked == .no },
        ]
        return "| \(name) | \(counts.map(String.init).joined(separator: " | ")) |"
    }

    private func section(_ area: RequirementArea) -> [String] {
        let head = [
            "", "## \(area.name)", "", area.about, "",
            "| id | what has to hold | level | binds | versions | source | checked |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        return head + area.requirements.map(row)
    }

    private func row(_ row: Requirement) -> String {
        var says = row.says
        if let profile = row.profile, let other = row.differsFrom {
            says += " *Profile \(profile.rawValue), in place of `\(other)`.*"
        }
        var range = row.versionText(among: knownVersions)
        if let transports = row.transports { range += "; \(transports.joined(separator: ", "))" }
        var checked = row.checked.rawValue
        if let because = row.because { checked += ": \(because)" }
        let cells = ["`\(row.id)`", says, row.level.rawValue, row.binds.rawValue, range, "\(row.source)", checked]
        return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }
}
