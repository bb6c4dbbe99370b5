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
        holdStandardDescriptors()
        exit(status(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what the words say; gives the exit status.
    private static func status(_ words: [String]) -> Int32 {
        let output = CommandOutput()
        do {
            let code = try run(Invocation(words), output)
            if let loss = output.loss {
                output.errors.line("moqspec: what was to be said or written is lost: \(loss)")
            }
            return output.code(code)
        } catch {
            output.errors.line(complaint(error, words))
            return UsageError.exitCode
        }
    }

    /// Takes the numbers of standard input, output and error where they are closed: the first files and sockets would have
    /// them otherwise, and get what is meant for people. What is written there fails.
    private static func holdStandardDescriptors() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    private static func complaint(_ error: UsageError, _ words: [String]) -> String {
        // Starts with the place in a file, so that editors can jump to it.
        if error.isAboutFiles { return error.description }
        let command = words.first.flatMap { word in CommandDescription.all.first { $0.name == word } }
        let help = command.map { "moqspec \($0.name) --help" } ?? "moqspec --help"
        return "moqspec: \(Redaction.text(error.description))\nTry `\(help)`."
    }

    private static func run(_ invocation: Invocation, _ output: CommandOutput) throws(UsageError) -> Int32 {
        switch invocation {
        case .help(let command):
            let text = command.map(HelpText.text) ?? HelpText.general(version: version)
            output.standard.line(text)
            return 0
        case .version:
            let versions = Version.allCases.map(\.description).joined(separator: ", ")
            output.standard.line("moqspec \(version) (\(versions))")
            return 0
        case .command(let command, let arguments):
            switch command.name {
            case CommandDescription.run.name: return try RunCommand(arguments).execute(output)
            case CommandDescription.probe.name: return try ProbeCommand(arguments).execute(output)
            case CommandDescription.list.name: return try ListCommand(arguments).execute(output)
            case CommandDescription.explain.name: return try ExplainCommand(arguments).execute(output)
            case CommandDescription.lint.name: return try LintCommand(arguments).execute(output)
            case CommandDescription.schema.name: return try SchemaCommand(arguments).execute(output)
            case CommandDescription.machines.name: return try MachinesCommand(arguments).execute(output)
            case CommandDescription.trace.name: return try TraceCommand(arguments).execute(output)
            case CommandDescription.coverage.name: return try CoverageCommand(arguments).execute(output)
            case CommandDescription.report.name: return try ReportCommand(arguments).execute(output)
            case CommandDescription.new.name: return try NewCommand(arguments).execute(output)
            case CommandDescription.hops.name: return try HopsCommand(arguments).execute(output)
            case CommandDescription.publish.name: return try PublishCommand(arguments).execute(output)
            case CommandDescription.watch.name: return try WatchCommand(arguments).execute(output)
            case CommandDescription.mutate.name: return try MutateCommand(arguments).execute(output)
            default: return try RelayCommand(arguments).execute(output)
            }
        }
    }
}
