import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqRunner
import MoqScenario

/// `moqspec coverage`: holds results of runs against the registry of requirements.
struct CoverageCommand {
    private let arguments: CoverageArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try CoverageArguments(arguments)
    }

    /// Shows and writes; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let signals = TerminationSignals()
        let loaded = try LoadedScenarios(arguments.scenarios, registries: arguments.registries)
        let registry = try loaded.requirements()
        var runs: [RunEvidence] = []
        for path in arguments.files {
            try InputFile.checkOperand(path)
            let bytes = try InputFile.read(path, limit: CoverageArguments.greatestFile + 1)
            guard bytes.count <= CoverageArguments.greatestFile else {
                throw UsageError("\(path): the file is too large for results of a run")
            }
            runs.append(try RunEvidence(parsing: bytes, path: path))
        }
        var files: [OutputFile] = []
        for report in arguments.reports {
            files.append(try output.file(report.path, flag: "--report \(report.kind.rawValue)"))
        }
        var runStatus: ExitStatus?
        if arguments.runs {
            let (evidence, status) = try runAll(loaded, signals)
            runs.append(evidence)
            runStatus = status
        }
        let whole = Coverage(runs, registry: registry, suites: loaded.result.suites, profile: arguments.profile)
        let coverage = try whole.selecting(arguments.patterns, arguments.statuses)
        let text = CoverageText(coverage, hasDetail: arguments.hasDetail).text
        let isTaken = arguments.reports.contains { $0.path == nil }
        output.screen(isTaken: isTaken).line(text)
        for (report, file) in zip(arguments.reports, files) {
            switch report.kind {
            case .markdown: file.write(Array(CoverageMarkdown(coverage).text.utf8))
            case .json: file.write(CoverageJSON(coverage).bytes())
            }
        }
        // A run that was cut short says so first, whatever it had covered.
        if let runStatus, [3, 124, 130, 143].contains(runStatus.code) { return runStatus.code }
        return whole.exitCode(isStrict: arguments.isStrict)
    }

    /// Plays every case on the embedded relay in simulated time.
    private func runAll(
        _ loaded: LoadedScenarios, _ signals: TerminationSignals?
    ) throws(UsageError) -> (RunEvidence, ExitStatus) {
        let words = ["--simulate", "--transport", "all", "--seed", "1", "--profile", arguments.profile.rawValue]
        let run = try RunArguments(FlagParser(.run).parse(words))
        var selection = run.selection
        selection.registry = loaded.registry
        var options = run.options(
            cases: try selection.cases(of: loaded.suites()), seed: run.seed ?? 1, keyLogPath: nil,
            moqspecVersion: Moqspec.version, startedAt: ProcessClock.iso8601)
        options.notHeldTo = loaded.notHeldTo(under: arguments.profile)
        var results = RunResults()
        let status = Run(options) { results.apply($0) }.execute(signals: signals)
        results.conclude()
        OutputFile.standardError().line("moqspec: \(results.ledger)")
        return (RunEvidence(results, source: "this run"), status)
    }
}
