import MoqCommandLine
import MoqReport

/// `moqspec report`: merges recordings of runs, or makes a list of known failures of them.
struct ReportCommand {
    private let arguments: ReportArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ReportArguments(arguments)
    }

    /// Merges or lists; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        var files: [(name: String, bytes: [UInt8])] = []
        for path in arguments.files {
            try InputFile.checkOperand(path)
            let bytes = try InputFile.read(path, limit: ReportArguments.greatestFile + 1)
            guard bytes.count <= ReportArguments.greatestFile else {
                throw UsageError("\(path): the file is too large for a recording of a run")
            }
            files.append((path, bytes))
        }
        switch arguments.verb {
        case .merge: return try merge(files, output)
        case .known: return try list(files, output)
        }
    }

    private func merge(_ files: [(name: String, bytes: [UInt8])], _ output: CommandOutput) throws(UsageError) -> Int32 {
        let merged = try MergedRuns(files, isStrict: arguments.isStrict)
        let reports = try ReportFiles(arguments.reports)
        let isTaken = arguments.reports.contains { $0.path == nil }
        let screen = output.screen(isTaken: isTaken)
        let options = ConsoleReport.Options(
            verbosity: arguments.isQuiet ? .quiet : .normal, isTerminal: screen.isTerminal,
            noColor: Environment.value("NO_COLOR") != nil)
        let shown = RunOutput(options, screen: screen, reports: reports)
        for event in merged.events { shown.take(event) }
        let problems = shown.finish()
        for problem in problems {
            output.errors.line("moqspec: a report could not be written: \(problem)")
        }
        return merged.status.code(withReportsLost: !problems.isEmpty)
    }

    private func list(_ files: [(name: String, bytes: [UInt8])], _ output: CommandOutput) throws(UsageError) -> Int32 {
        var runs: [RunEvidence] = []
        for (name, bytes) in files { runs.append(try RunEvidence(reading: bytes, path: name)) }
        let draft = KnownFailureDraft(runs)
        try output.file(arguments.output, flag: "--output").write(Array(draft.yaml.utf8))
        if arguments.output != nil {
            output.standard.line("\(draft.count) \(draft.count == 1 ? "entry" : "entries")")
        }
        return 0
    }
}
