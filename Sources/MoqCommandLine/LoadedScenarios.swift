import MoqRunner
import MoqScenario
import MoqTransport
import MoqWire

extension Vocabulary {
    /// The words that this release understands.
    public static let ofThisRelease = Vocabulary(
        conditions: ErrorCondition.allNames, capabilities: Capability.names,
        versions: Version.allCases.map(\.description),
        transports: TransportKind.allCases.map(\.rawValue))
}

/// Scenario files, read and checked.
public struct LoadedScenarios: Equatable, Sendable {
    /// How many files there are.
    public var fileCount: Int
    /// What is in them.
    public var result: LoadResult

    /// Reads the files of paths; without any, those of the usual folder.
    public init(_ paths: [String]) throws(UsageError) {
        let files = try ScenarioFiles.read(paths)
        self.init(fileCount: files.count, result: SuiteLoader(vocabulary: .ofThisRelease).load(files))
    }

    init(fileCount: Int, result: LoadResult) {
        self.fileCount = fileCount
        self.result = result
    }

    /// The suites of files without a mistake; else all mistakes, for people.
    public func suites() throws(UsageError) -> [Suite] {
        guard !result.hasErrors else {
            throw UsageError("\(findings)\n\n\(Self.counts(result.diagnostics)): nothing was run", isAboutFiles: true)
        }
        return result.suites
    }

    /// One line about warnings; nil when there are none.
    public var warningLine: String? {
        let count = result.diagnostics.count { $0.severity == .warning }
        guard count > 0 else { return nil }
        return "the scenario files have \(Self.plural(count, "warning")); moqspec lint shows them"
    }

    /// What `lint` prints. Its last line counts.
    public var lintText: String {
        let scenarios = result.suites.reduce(0) { $0 + $1.scenarios.count }
        let cases = result.suites.reduce(0) { $0 + $1.cases.count }
        let size = [Self.plural(fileCount, "file"), Self.plural(scenarios, "scenario"), Self.plural(cases, "case")]
        let last = "\(size.joined(separator: ", ")): \(Self.counts(result.diagnostics))"
        return result.diagnostics.isEmpty ? last : "\(findings)\n\n\(last)"
    }

    /// The exit code of `lint`.
    public func lintCode(isStrict: Bool) -> Int32 {
        result.hasErrors || (isStrict && !result.diagnostics.isEmpty) ? 2 : 0
    }

    private var findings: String {
        result.diagnostics.map { DiagnosticRenderer.text($0) }.joined(separator: "\n\n")
    }

    private static func counts(_ diagnostics: [Diagnostic]) -> String {
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { plural($0.0, $0.1) }
        return parts.isEmpty ? "no mistakes" : parts.joined(separator: ", ")
    }

    static func plural(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
