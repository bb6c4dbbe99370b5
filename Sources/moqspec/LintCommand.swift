import MoqCommandLine

/// `moqspec lint`: checks scenario files.
struct LintCommand {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
    }

    /// Checks; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let loaded = try LoadedScenarios(arguments.operands, registries: arguments.values(of: "registry"))
        if let known = arguments.value(of: "known") {
            _ = try KnownFailureList(path: known, requirements: loaded.registry?.ids)
        }
        output.standard.line(loaded.lintText)
        return loaded.lintCode(isStrict: arguments.has("strict"))
    }
}
