import MoqCommandLine
import MoqScenario

/// `moqspec list`: shows what there is.
struct ListCommand {
    private let arguments: ParsedArguments
    private let selection: CaseSelection
    private let requirements: ListRequirements?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.has("explain"), arguments.has("json") {
            throw UsageError("--explain and --json do not go together: --cases --json says why a case cannot exist")
        }
        self.arguments = arguments
        selection = try CaseSelection(arguments)
        _ = try RequirementReport.path(arguments)
        requirements = arguments.has("requirements") ? try ListRequirements(arguments) : nil
    }

    /// Lists; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        if arguments.has("faults") {
            let listing = try FaultListing(arguments)
            if arguments.has("json") {
                output.standard.write(listing.json())
            } else {
                output.standard.line(listing.text)
            }
            return 0
        }
        if let requirements { return try requirements.execute(output) }
        let loaded = try LoadedScenarios(arguments.operands, registries: arguments.values(of: "registry"))
        let suites = try loaded.suites()
        var selection = selection
        selection.registry = loaded.registry
        if arguments.has("explain") {
            output.standard.line(SelectionExplanation(try selection.outcome(of: suites)).text)
            return 0
        }
        let listing = SuiteListing(try selection.suites(of: suites), of: suites)
        if arguments.has("json") {
            output.standard.write(listing.json())
        } else {
            output.standard.line(listing.text(withCases: arguments.has("cases")))
        }
        return 0
    }
}
