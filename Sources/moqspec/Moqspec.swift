import Glibc
import MoqCommandLine
import MoqEvents
import MoqWire

/// The program: understands the command line and hands it to the command.
@main
enum Moqspec {
    /// The version of this release.
    static let version = "0.1.0"

    static func main() {
        // A reader of our output that goes away must not take the reports with it.
        signal(SIGPIPE, SIG_IGN)
        exit(status(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what the words say; gives the exit status.
    private static func status(_ words: [String]) -> Int32 {
        do {
            return try run(Invocation(words))
        } catch {
            OutputFile.standardError().line(complaint(error, words))
            return UsageError.exitCode
        }
    }

    private static func complaint(_ error: UsageError, _ words: [String]) -> String {
        // Starts with the place in a file, so that editors can jump to it.
        if error.isAboutFiles { return error.description }
        let command = words.first.flatMap { word in CommandDescription.all.first { $0.name == word } }
        let help = command.map { "moqspec \($0.name) --help" } ?? "moqspec --help"
        return "moqspec: \(Redaction.text(error.description))\nTry `\(help)`."
    }

    private static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
        switch invocation {
        case .help(let command):
            let text = command.map(HelpText.text) ?? HelpText.general(version: version)
            OutputFile.standardOutput().line(text)
            return 0
        case .version:
            let versions = Version.allCases.map(\.description).joined(separator: ", ")
            OutputFile.standardOutput().line("moqspec \(version) (\(versions))")
            return 0
        case .command(let command, let arguments):
            switch command.name {
            case CommandDescription.run.name: return try RunCommand(arguments).execute()
            case CommandDescription.probe.name: return try ProbeCommand(arguments).execute()
            case CommandDescription.list.name: return try ListCommand(arguments).execute()
            case CommandDescription.explain.name: return try ExplainCommand(arguments).execute()
            case CommandDescription.lint.name: return try LintCommand(arguments).execute()
            case CommandDescription.schema.name: return try SchemaCommand(arguments).execute()
            case CommandDescription.machines.name: return try MachinesCommand(arguments).execute()
            case CommandDescription.trace.name: return try TraceCommand(arguments).execute()
            case CommandDescription.coverage.name: return try CoverageCommand(arguments).execute()
            case CommandDescription.report.name: return try ReportCommand(arguments).execute()
            case CommandDescription.new.name: return try NewCommand(arguments).execute()
            case CommandDescription.hops.name: return try HopsCommand(arguments).execute()
            case CommandDescription.publish.name: return try PublishCommand(arguments).execute()
            case CommandDescription.watch.name: return try WatchCommand(arguments).execute()
            case CommandDescription.mutate.name: return try MutateCommand(arguments).execute()
            default: return try RelayCommand(arguments).execute()
            }
        }
    }
}
