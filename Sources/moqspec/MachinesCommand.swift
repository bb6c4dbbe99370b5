import MoqCommandLine
import MoqKit

/// `moqspec machines`: shows the state machines of client objects, or writes the page about them.
struct MachinesCommand {
    private let arguments: MachinesArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try MachinesArguments(arguments)
    }

    /// Shows; gives the exit status.
    func execute() throws(UsageError) -> Int32 {
        guard let page = arguments.page else {
            OutputFile.standardOutput().line(arguments.text)
            return 0
        }
        let file = page == "-" ? OutputFile.standardOutput() : try OutputFile(creating: page, flag: "--report markdown")
        file.write(Array(MachinePage(arguments.library).markdown.utf8))
        if let problem = file.problem { throw UsageError(problem) }
        return 0
    }
}
