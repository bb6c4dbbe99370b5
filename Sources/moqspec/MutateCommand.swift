import MoqCommandLine
import MoqDrivers
import MoqEvents
import MoqRunner

/// `moqspec mutate`: breaks the embedded relay in one way after another, and shows which case noticed.
struct MutateCommand {
    private let arguments: MutateArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try MutateArguments(arguments)
    }

    /// Plays; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        // First of all, so that every thread has the signals blocked.
        let signals = TerminationSignals()
        let loaded = try LoadedScenarios(arguments.paths, registries: arguments.registries)
        var selection = arguments.selection
        selection.registry = loaded.registry
        let cases = try selection.cases(of: loaded.suites())
        var file: OutputFile?
        switch arguments.report {
        case .standardOutput: file = output.standard
        case .file(let path): file = try output.file(path, flag: "--report json")
        case nil: break
        }
        let screen = output.screen(isTaken: arguments.report == .standardOutput)
        let began = ProcessClock.monotonic
        var signal: Int32?
        let results: [MutationResult]
        do {
            let run = try MutationRun(
                faults: arguments.faults, cases: cases, jobs: arguments.jobs, seed: arguments.seed,
                moqspecVersion: Moqspec.version)
            let width = arguments.faults.map(\.name.count).max() ?? 0
            results = try run.execute(
                isCutShort: {
                    if signal == nil { signal = signals.wait(for: .zero) }
                    return signal != nil
                },
                onResult: { result in
                    if !arguments.isQuiet { screen.line(MutationReport.line(of: result, width: width)) }
                })
        } catch {
            output.errors.line("moqspec mutate: \(error)")
            return ExitStatus.Reason.environment("").code
        }
        let report = MutationReport(
            results, asked: arguments.faults.count, jobs: arguments.jobs,
            duration: began.duration(to: ProcessClock.monotonic))
        screen.line(arguments.isQuiet ? report.text : "\n" + report.text)
        file?.write(report.json())
        if let signal { return 128 + signal }
        return report.isGood ? 0 : ExitStatus.Reason.failures(1).code
    }
}
