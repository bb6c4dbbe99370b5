import MoqKit
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

/// Scenario files and the registry of requirements that belongs to them, read and checked.
public struct LoadedScenarios: Equatable, Sendable {
    /// How many files there are.
    public var fileCount: Int
    /// What is in them. What is wrong in the registry stands before what is wrong in the scenarios.
    public var result: LoadResult
    /// The registry; nil where scenario files have none, and may name what they like.
    public var registry: RequirementRegistry?
    /// How many machines are defined in files among them, one for each profile.
    public private(set) var machineCount = 0
    /// Whether all scenarios that the registry is about were read.
    private var coversAllScenarios = false

    /// Reads the files of paths; without any, those of the usual folder. Paths of a registry are read as such, and so
    /// is what `registries` names, folders or files of registries that stand elsewhere.
    public init(_ paths: [String], registries: [String] = []) throws(UsageError) {
        let named = paths.filter(RequirementFiles.isPart) + registries
        let others = paths.filter { !RequirementFiles.isPart($0) }
        let all = others.isEmpty && !paths.isEmpty ? [] : try ScenarioFiles.read(others)
        // Definitions of machines are checked like scenarios, and are none.
        let areMachines = all.map(MachineReader.isMachine)
        let files = zip(all, areMachines).filter { !$0.1 }.map(\.0)
        let machines = MachineReader().read(
            zip(all, areMachines).filter(\.1).map(\.0), beside: MachineLibrary.builtIn.definitions)
        let beside = paths.isEmpty ? [ScenarioFiles.usualPath] : others
        guard let found = try RequirementFiles.read(beside: beside, named: named) else {
            self.init(fileCount: all.count, result: SuiteLoader(vocabulary: .ofThisRelease).loadInParallel(files))
            take(machines)
            return
        }
        let reading = RequirementReader(vocabulary: .ofThisRelease).read(found.files)
        var vocabulary = Vocabulary.ofThisRelease
        vocabulary.requirements = reading.registry.ids
        var result = SuiteLoader(vocabulary: vocabulary).loadInParallel(files)
        result.diagnostics = reading.diagnostics + result.diagnostics
        self.init(fileCount: all.count + found.files.count, result: result)
        take(machines)
        registry = reading.registry
        // A registry from elsewhere is also about scenarios that were not read.
        coversAllScenarios = found.coversAllScenarios && registries.isEmpty
    }

    init(fileCount: Int, result: LoadResult) {
        self.fileCount = fileCount
        self.result = result
    }

    private mutating func take(_ machines: MachineReader.Reading) {
        machineCount = machines.definitions.count
        result.diagnostics = machines.diagnostics + result.diagnostics
    }

    /// The registry, without a mistake; else all mistakes, for people. Files that have none are an error.
    public func requirements() throws(UsageError) -> RequirementRegistry {
        _ = try suites()
        guard let registry else {
            throw UsageError(
                "these scenario files have no registry of requirements: there is no folder "
                    + "`\(RequirementFiles.folderName)` beside or above them")
        }
        return registry
    }

    /// The requirements that a relay is not held to under a profile; none where there is no registry.
    public func notHeldTo(under profile: RequirementProfile) -> Set<String> {
        Set((registry?.requirements ?? []).filter { !$0.isHeld(under: profile) }.map(\.id))
    }

    /// Requirements that scenarios have to name and none does, as warnings; none while not all scenarios were read, or
    /// while some could not be.
    private var unnamed: [Diagnostic] {
        guard coversAllScenarios, !result.hasErrors, let registry else { return [] }
        return registry.warnings(about: result.suites)
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
        let unnamed = unnamed
        let diagnostics = result.diagnostics + unnamed
        let scenarios = result.suites.reduce(0) { $0 + $1.scenarios.count }
        let cases = result.suites.reduce(0) { $0 + $1.cases.count }
        var size = [Self.plural(fileCount, "file"), Self.plural(scenarios, "scenario"), Self.plural(cases, "case")]
        if machineCount > 0 { size.append(Self.plural(machineCount, "machine")) }
        if let registry { size.append(Self.plural(registry.requirements.count, "requirement")) }
        let last = "\(size.joined(separator: ", ")): \(Self.counts(diagnostics))"
        guard !diagnostics.isEmpty else { return last }
        // There may be many of these, and each is one line.
        let lines = unnamed.map { DiagnosticRenderer.text($0) }.joined(separator: "\n")
        return ([findings, lines].filter { !$0.isEmpty } + [last]).joined(separator: "\n\n")
    }

    /// The exit code of `lint`.
    public func lintCode(isStrict: Bool) -> Int32 {
        result.hasErrors || (isStrict && !(result.diagnostics.isEmpty && unnamed.isEmpty)) ? 2 : 0
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
