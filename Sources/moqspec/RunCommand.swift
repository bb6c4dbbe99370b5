import Glibc
import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqReport
import MoqRunner
import MoqScenario

/// `moqspec run`: checks everything that can be wrong beforehand, plays the cases, and writes what was asked for.
struct RunCommand {
    private let arguments: RunArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try RunArguments(arguments)
    }

    /// Runs; gives the exit status. What it throws, it throws before anything ran.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        // First of all, so that every thread has the signals blocked and none gets lost while files are read.
        let signals = TerminationSignals()
        let errors = output.errors
        let loaded = try LoadedScenarios(arguments.paths, registries: arguments.registries)
        let suites = try loaded.suites()
        var selection = arguments.selection
        selection.registry = loaded.registry
        try ProgramArguments.check(arguments.programs, against: suites)
        let outcome = try selection.outcome(of: suites)
        let explanation = SelectionExplanation(
            outcome, programs: arguments.programs.map(\.name), isSimulated: arguments.isSimulated)
        if arguments.explains {
            output.standard.line(explanation.text)
            return 0
        }
        let cases = try outcome.someCases()
        try checkFiles()
        let seed = arguments.seed ?? ProcessClock.freshSeed()
        var options = arguments.options(
            cases: cases, seed: seed, keyLogPath: Environment.value("SSLKEYLOGFILE"),
            moqspecVersion: Moqspec.version, startedAt: ProcessClock.iso8601)
        options.notHeldTo = loaded.notHeldTo(under: arguments.profile)
        options.requirementSources = loaded.registry?.sources ?? [:]
        options.known = try knownFailures(cases, of: suites, loaded, today: options.startedAt)
        let shown = try makeOutput(seed, output)
        if arguments.verbosity > .quiet {
            for line in [loaded.warningLine, explanation.line].compactMap({ $0 }) { errors.line("moqspec: \(line)") }
        }

        let status = Run(options, write: shown.take).execute(signals: signals)
        let problems = shown.finish()
        for problem in problems { errors.line("moqspec: a report could not be written: \(problem)") }
        return status.code(withReportsLost: !problems.isEmpty)
    }

    /// The list of known failures, held against the cases of this run.
    private func knownFailures(
        _ cases: [ScenarioCase], of suites: [Suite], _ loaded: LoadedScenarios, today: String
    ) throws(UsageError) -> KnownFailures? {
        guard let path = arguments.known else { return nil }
        let list = try KnownFailureList(path: path, requirements: loaded.registry?.ids)
        return try list.plan(
            for: cases, of: suites.flatMap(\.cases), isPartial: arguments.namesOnlyFiles, registry: loaded.registry,
            target: KnownFailureList.Target(arguments.target, release: arguments.release), today: today)
    }

    private func makeOutput(_ seed: UInt64, _ output: CommandOutput) throws(UsageError) -> RunOutput {
        let reports = try ReportFiles(arguments.reports)
        // Standard output belongs to a report that wants it.
        let isTaken = arguments.reports.contains { $0.path == nil }
        let screen = output.screen(isTaken: isTaken)
        let program = CommandLine.arguments.first ?? "moqspec"
        let options = ConsoleReport.Options(
            verbosity: arguments.verbosity, isTerminal: screen.isTerminal,
            noColor: arguments.noColor || Environment.value("NO_COLOR") != nil,
            rerun: arguments.rerun(program: program, seed: seed))
        return RunOutput(options, screen: screen, reports: reports)
    }

    /// Looks at the files that flags name.
    private func checkFiles() throws(UsageError) {
        try TrustFiles.check(arguments.trust)
        if case .command(_, _, let output) = arguments.target {
            // Made here, empty, so that the log is of this run alone; the relay's process appends to it.
            _ = try OutputFile(creating: output, flag: "--relay-output")
        }
    }
}

/// The environment's variables.
enum Environment {
    /// The value of a variable; nil when it is not set or empty.
    static func value(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }
}
