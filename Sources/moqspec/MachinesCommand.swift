import MoqCommandLine
import MoqKit

/// `moqspec machines`: shows the state machines of client objects, or writes the page about them.
struct MachinesCommand {
    private let arguments: MachinesArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try MachinesArguments(arguments)
    }

    /// Shows; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        guard let page = arguments.page else {
            output.standard.line(arguments.text)
            return 0
        }
        try output.file(page, flag: "--report markdown").write(Array(MachinePage(arguments.library).markdown.utf8))
        return 0
    }
}
