import MoqCommandLine
import MoqDrivers
import MoqKit
import MoqReport

/// `moqspec trace`: holds a trace against machines, or makes one of a log.
struct TraceCommand {
    private let arguments: TraceArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try TraceArguments(arguments)
    }

    /// Checks or converts; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        try InputFile.checkOperand(arguments.file)
        let bytes = try InputFile.read(arguments.file, limit: TraceArguments.greatestFile + 1)
        guard bytes.count <= TraceArguments.greatestFile else {
            throw UsageError("\(arguments.file): it has more than \(TraceArguments.greatestFile) bytes: split it")
        }
        switch arguments.verb {
        case .check: return try check(bytes, output)
        case .convert: return try convert(bytes, output)
        }
    }

    private func check(_ bytes: [UInt8], _ output: CommandOutput) throws(UsageError) -> Int32 {
        let check: TraceCheck
        do {
            check = try TraceCheck(
                Trace(parsing: bytes), machine: arguments.machine, profile: arguments.profile,
                library: arguments.library)
        } catch {
            throw UsageError("\(arguments.file): \(error)", isAboutFiles: true)
        }
        let report = TraceReport(check, file: arguments.file, hasCoverage: arguments.hasCoverage)
        let isTaken = arguments.reports.contains { $0.path == nil }
        output.screen(isTaken: isTaken).line(report.text)
        let results = report.results(moqspecVersion: Moqspec.version, startedAt: ProcessClock.iso8601)
        for wanted in arguments.reports {
            let file = try output.file(wanted.path, flag: "--report \(wanted.kind.rawValue)")
            switch wanted.kind {
            case .junit: file.write(Array(JUnitReport(results).text().utf8))
            case .json: file.write(JSONReport(results).bytes())
            }
        }
        return report.exitCode
    }

    private func convert(_ bytes: [UInt8], _ output: CommandOutput) throws(UsageError) -> Int32 {
        let converted: TraceConversion
        do {
            converted = try TraceConversion(bytes, profile: arguments.profile)
        } catch {
            throw UsageError("\(arguments.file): \(error)", isAboutFiles: true)
        }
        try output.file(arguments.output, flag: "--output").write(converted.trace.json())
        output.errors.line(converted.summary)
        return 0
    }
}
