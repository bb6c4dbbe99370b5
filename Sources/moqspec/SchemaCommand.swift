import MoqCommandLine
import MoqKit

/// `moqspec schema`: prints the JSON Schema of a kind of file.
struct SchemaCommand {
    private let isOfMachines: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.has("machines") != arguments.has("scenarios") else {
            throw UsageError(
                "the schema of what? --scenarios is that of files of scenarios, --machines that of files that define machines"
            )
        }
        isOfMachines = arguments.has("machines")
    }

    /// Prints; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        output.standard.write(isOfMachines ? MachineSchema.bytes() : ScenarioSchema().bytes())
        return 0
    }
}
