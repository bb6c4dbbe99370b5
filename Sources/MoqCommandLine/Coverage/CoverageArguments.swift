import MoqBase
import MoqScenario

/// What `moqspec coverage` was asked for.
public struct CoverageArguments: Sendable {
    /// A report about coverage.
    public enum ReportKind: String, CaseIterable, Sendable {
        /// A page of Markdown.
        case markdown
        /// One JSON document.
        case json
    }

    /// Files of results.
    public var files: [String]
    /// Whether all scenarios are run, too.
    public var runs: Bool
    /// Which rows; empty for all.
    public var patterns: [CasePattern]
    /// Which statuses; empty for all.
    public var statuses: [CoverageRow.Status]
    /// Whether every row is shown.
    public var hasDetail: Bool
    /// Whether warnings count.
    public var isStrict: Bool
    /// What the relay is held to.
    public var profile: RequirementProfile
    /// The reports, each with its path; nil for standard output.
    public var reports: [(kind: ReportKind, path: String?)]
    /// Where the scenarios are; empty for the usual folder.
    public var scenarios: [String]
    /// Registries besides those that stand beside the scenarios.
    public var registries: [String]

    /// Results above this are no results: a run of all scenarios on all transports has a few MiB.
    public static let greatestFile = 512 << 20

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        files = arguments.operands
        runs = arguments.has("run")
        guard runs || !files.isEmpty else {
            throw UsageError(
                "whose coverage? Name files that `moqspec run --report json=PATH` wrote, or run all scenarios with --run"
            )
        }
        let named = arguments.operands
        if let twice = named.indices.first(where: { named[..<$0].contains(named[$0]) }).map({ named[$0] }) {
            throw UsageError("\(twice) is named twice, and its cases would count twice")
        }
        patterns = try CasePattern.list(arguments.values(of: "filter"))
        statuses = try Self.statuses(arguments.value(of: "status"))
        hasDetail = arguments.has("detail")
        isStrict = arguments.has("strict")
        profile = try arguments.profile()
        scenarios = arguments.values(of: "scenarios")
        registries = arguments.values(of: "registry")
        reports = []
        for text in arguments.values(of: "report") {
            let report = try Self.report(text)
            guard !reports.contains(where: { $0.path == report.path }) else {
                throw UsageError("--report \(text): two reports would be written to the same place")
            }
            reports.append(report)
        }
    }

    private static func statuses(_ text: String?) throws(UsageError) -> [CoverageRow.Status] {
        guard let text else { return [] }
        var statuses: [CoverageRow.Status] = []
        for word in text.split(separator: ",").map(String.init) {
            guard let status = CoverageRow.Status(rawValue: word) else {
                let problem = UsageError.unknown("status", word, among: CoverageRow.Status.allCases.map(\.rawValue))
                throw UsageError("--status: \(problem)")
            }
            statuses.append(status)
        }
        return statuses
    }

    private static func report(_ text: String) throws(UsageError) -> (kind: ReportKind, path: String?) {
        let kinds = ReportKind.allCases.map(\.rawValue)
        guard let sign = text.firstIndex(of: "="), text.index(after: sign) < text.endIndex else {
            throw UsageError("--report \(text): a report is KIND=PATH; kinds are \(kinds.joined(separator: ", "))")
        }
        guard let kind = ReportKind(rawValue: String(text[..<sign])) else {
            let problem = UsageError.unknown("report about coverage", String(text[..<sign]), among: kinds)
            throw UsageError("--report: \(problem)")
        }
        let path = String(text[text.index(after: sign)...])
        return (kind, path == "-" ? nil : path)
    }
}

extension ParsedArguments {
    /// What `--profile` says; running code decides where it says nothing.
    func profile() throws(UsageError) -> RequirementProfile {
        guard let word = value(of: "profile") else { return .deployed }
        guard let profile = RequirementProfile(rawValue: word) else {
            let problem = UsageError.unknown("profile", word, among: RequirementProfile.allCases.map(\.rawValue))
            throw UsageError("--profile: \(problem)")
        }
        return profile
    }
}
