import MoqCommandLine
import MoqKit

/// `moqspec schema`: prints the JSON Schema of a kind of file.
struct SchemaCommand {
    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.has("machines") else {
            throw UsageError("the schema of what? --machines is that of files that define machines")
        }
    }

    /// Prints; gives the exit status.
    func execute() throws(UsageError) -> Int32 {
        OutputFile.standardOutput().write(MachineSchema.bytes())
        return 0
    }
}
