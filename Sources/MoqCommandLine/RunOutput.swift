import MoqEvents
import MoqReport

/// Takes the events of a run and gives them to the console and to the reports.
public final class RunOutput {
    private var console: ConsoleReport
    private let screen: OutputFile
    private let reports: ReportFiles
    private let rerun: Rerun?

    /// An output to `screen` and to files.
    public init(_ options: ConsoleReport.Options, screen: OutputFile, reports: ReportFiles) {
        console = ConsoleReport(options)
        self.screen = screen
        self.reports = reports
        rerun = options.rerun
    }

    /// Takes the next event. Its line is in the file of events before the console shows anything of it.
    public func take(_ event: RunEvent) {
        reports.take(event)
        show(console.lines(for: event))
    }

    /// Writes what needs the whole run, also when its end never came. Gives what could not be written.
    public func finish() -> [String] {
        show(console.linesAtStop())
        return reports.finish(console.results, rerun: rerun)
    }

    private func show(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        screen.line(lines.joined(separator: "\n"))
    }
}
