import MoqCommandLine

/// `moqspec new`: begins a file of scenarios.
struct NewCommand {
    private let path: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.operands.first else {
            throw UsageError("which file is to be made? It is moqspec new PATH, such as scenarios/mine.yaml")
        }
        guard arguments.operands.count == 1 else {
            throw UsageError("moqspec new takes one PATH, and \(arguments.operands.count) are named")
        }
        self.path = path
    }

    /// Writes; gives the exit status.
    func execute() throws(UsageError) -> Int32 {
        let template = try ScenarioTemplate(path: path)
        guard InputFile.isAbsent(path) else { throw UsageError("\(path): it is there already, and is left alone") }
        let file = try OutputFile(creating: path, flag: "new")
        file.write(Array(template.text.utf8))
        if let problem = file.problem { throw UsageError(problem) }
        OutputFile.standardOutput().line(
            "\(path) is begun: moqspec lint \(path) checks it, moqspec run --simulate \(path) plays it")
        return 0
    }
}
