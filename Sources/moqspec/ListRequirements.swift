import MoqCommandLine
import MoqScenario

/// `moqspec list --requirements`: shows the registry of requirements, or writes the page about it.
struct ListRequirements {
    private let arguments: ParsedArguments
    private let patterns: [CasePattern]
    /// Where the page goes; nil when none is wanted, `-` for standard output.
    private let page: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        for flag in ["cases", "explain", "moq-version", "wip", "transport"] where arguments.has(flag) {
            throw UsageError("--\(flag) is about cases; with --requirements, --filter selects by id")
        }
        patterns = try CasePattern.list(arguments.values(of: "filter"))
        page = try RequirementReport.path(arguments)
    }

    /// Lists; gives the exit status.
    func execute(_ output: CommandOutput) throws(UsageError) -> Int32 {
        let loaded = try LoadedScenarios(arguments.operands, registries: arguments.values(of: "registry"))
        let registry = try loaded.requirements()
        if let page {
            let bytes = Array(RequirementPage(registry).markdown.utf8)
            try output.file(page, flag: "--report markdown").write(bytes)
            return 0
        }
        let listing = try RequirementListing(registry, suites: loaded.result.suites, patterns: patterns)
        if arguments.has("json") {
            output.standard.write(listing.json())
        } else {
            output.standard.line(listing.text)
        }
        return 0
    }
}
