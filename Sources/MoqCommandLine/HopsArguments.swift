import MoqRunner
import MoqScenario

/// What `moqspec hops` was asked for.
public struct HopsArguments: Sendable {
    /// The relay, and how its cases are run.
    public var run: RunArguments
    /// The reports to write: `json` or `markdown`, each with its path, nil for standard output.
    public var reports: [(kind: Kind, path: String?)]
    /// An earlier report to compare with.
    public var against: String?

    /// A form of the table.
    public enum Kind: String, Sendable {
        case json, markdown
    }

    /// Understands the flags.
    public init(_ arguments: ParsedArguments) throws(UsageError) {
        var others = arguments
        others.flags.removeAll { ["report", "against"].contains($0.name) }
        run = try RunArguments(others)
        against = arguments.value(of: "against")
        reports = []
        for text in arguments.values(of: "report") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else {
                throw UsageError("--report \(text): it is json=PATH or markdown=PATH; - is standard output")
            }
            reports.append((kind, parts[1] == "-" ? nil : parts[1]))
        }
        guard reports.count(where: { $0.path == nil }) < 2 else {
            throw UsageError("--report: two reports want standard output; give one of them a file")
        }
    }

    /// The cases of the survey that the flags select.
    public func cases() throws(UsageError) -> [ScenarioCase] {
        let loaded = LoadedScenarios(
            fileCount: 1, result: SuiteLoader(vocabulary: .ofThisRelease).load([HopSurvey.file]))
        return try run.selection.cases(of: loaded.suites())
    }
}
