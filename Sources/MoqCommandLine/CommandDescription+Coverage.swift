extension CommandDescription {
    /// `moqspec coverage`.
    public static let coverage = CommandDescription(
        name: "coverage",
        summary: "Hold the results of runs against the requirements.",
        operands: "[RESULTS.json...]",
        about: [
            "RESULTS.json is what `moqspec run --report json=PATH` wrote. Several files add up: shards of one run, or runs "
                + "of other versions and transports.",
            "A requirement is held when a case that names it passed, or the monitor saw it hold; never by a case that was "
                + "skipped, blocked, vacuous or that failed as is known.",
            "The exit status is 1 when something is broken that the relay is held to, 5 when nothing was checked.",
        ],
        flags: [
            Flag("run", help: "Run all scenarios on the embedded relay in simulated time, and take these results too."),
            Flag(
                "filter", "PATTERN", isRepeatable: true,
                help: "Only the requirements that a pattern selects: an id with * in it, level:must, @FILE."),
            Flag(
                "status", "LIST",
                help: "Only the requirements of these: "
                    + CoverageRow.Status.allCases.map(\.rawValue).joined(separator: ", ") + "."),
            Flag("detail", help: "Show every requirement, with the cases and the line of evidence."),
            profile,
            Flag("strict", help: "What is broken by a warning only counts too."),
            Flag(
                "report", "markdown=PATH|json=PATH", isRepeatable: true,
                help: "Write the coverage to a file; - is standard output."),
            Flag(
                "scenarios", "PATH", isRepeatable: true,
                help: "The scenarios with the registry beside them (default `scenarios`)."),
            registry,
            help,
        ],
        examples: [
            Example(line: "coverage reports/results.json", purpose: "what the last run checked"),
            Example(
                line: "coverage reports/*.json --filter 'announce.*' --detail", purpose: "with all evidence of one area"
            ),
        ])

    /// Registries that stand elsewhere than beside the scenarios.
    static let registry = Flag(
        "registry", "PATH", isRepeatable: true,
        help: "A folder or file of requirements besides those that stand beside or above the scenarios.")

    /// What a relay is held to where the draft and running code differ.
    static let profile = Flag(
        "profile", "draft|deployed",
        help: "What the relay is held to where the draft and running code differ (default deployed).")
}
