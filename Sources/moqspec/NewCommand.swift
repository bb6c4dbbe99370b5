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
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let template = try ScenarioTemplate(path: path)
        guard InputFile.isAbsent(path) else { throw UsageError("\(path): it is there already, and is left alone") }
        try output.file(path, flag: "new").write(Array(template.text.utf8))
        guard output.loss == nil else { return 0 }
        output.standard.line(
            "\(path) is begun: moqspec lint \(path) checks it, moqspec run --simulate \(path) plays it")
        return 0
    }
}
