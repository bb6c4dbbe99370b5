import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqReport
import MoqRunner
import MoqWire

/// `moqspec hops`: sends every error code through a relay, on every way, and shows what comes out.
struct HopsCommand {
    private let arguments: HopsArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try HopsArguments(arguments)
    }

    /// Greatest report that `--against` reads: every code on every way, version and transport, with room.
    private static let greatestFile = 64 << 20

    /// Plays; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let signals = TerminationSignals()
        let cases = try arguments.cases()
        var before: HopTable?
        if let path = arguments.against {
            try InputFile.checkOperand(path)
            before = try HopsReport.table(parsing: InputFile.read(path, limit: Self.greatestFile), path: path)
        }
        var files: [OutputFile] = []
        for report in arguments.reports {
            files.append(try output.file(report.path, flag: "--report \(report.kind.rawValue)"))
        }
        let survey = HopSurvey(cases: cases)
        var options = arguments.run.options(
            cases: cases, seed: arguments.run.seed ?? ProcessClock.freshSeed(),
            keyLogPath: Environment.value("SSLKEYLOGFILE"), moqspecVersion: Moqspec.version,
            startedAt: ProcessClock.iso8601)
        survey.attach(to: &options)
        var results = RunResults()
        let status = Run(options) { results.apply($0) }.execute(signals: signals)
        results.conclude()
        let generation: CodeGeneration = results.probe?.generation == .first ? .first : .second
        let table = survey.table(generation)
        let report = HopsReport(
            table, target: results.run?.target.description ?? "a relay", generation: generation,
            moqspecVersion: Moqspec.version)
        let isTaken = arguments.reports.contains { $0.path == nil }
        let screen = output.screen(isTaken: isTaken)
        screen.line(report.text)
        for (wanted, file) in zip(arguments.reports, files) {
            file.write(wanted.kind == .json ? report.json() : Array(report.markdown.utf8))
        }
        var code: Int32 = table.count(.illegal) > 0 ? ExitStatus.Reason.failures(1).code : 0
        if let before, let path = arguments.against {
            let comparison = report.comparison(with: before, path: path)
            screen.line("\n\(comparison.text)")
            if !comparison.isSame { code = ExitStatus.Reason.failures(1).code }
        }
        // What could not be run is no news about codes: cases fail here where a code does not come out.
        let withoutVerdict = status.reasons.first {
            if case .failures = $0 { false } else if case .warnings = $0 { false } else { true }
        }
        if let withoutVerdict {
            output.errors.line("moqspec hops: \(withoutVerdict.description)")
            return withoutVerdict.code
        }
        return code
    }
}
