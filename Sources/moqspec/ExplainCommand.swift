import MoqCommandLine

/// `moqspec explain`: says what a requirement, a scenario or a case is about.
struct ExplainCommand {
    private let id: String
    private let paths: [String]
    private let registries: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let id = arguments.operands.first else {
            throw UsageError("what is to be explained? The id of a requirement, a scenario or a case is missing")
        }
        self.id = id
        registries = arguments.values(of: "registry")
        paths = Array(arguments.operands.dropFirst())
    }

    /// Explains; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        output.standard.line(
            try Explanation(id, in: LoadedScenarios(paths, registries: registries), paths: paths).text)
        return 0
    }
}
