extension CommandDescription {
    /// `moqspec mutate`.
    public static let mutate = CommandDescription(
        name: "mutate",
        summary: "Break the relay, then client kits, way after way; see what notices.",
        operands: "[PATH...]",
        about: [
            "PATH is a scenario file, or a folder of them; without any it is `scenarios`.",
            "Each fault (moqspec list --faults) breaks requirements. In simulated time the cases that name them are "
                + "played against a relay with the fault, then the rest of its suite, until one says that one of these "
                + "requirements does not hold. That case is played without the fault, too: there it has to pass.",
            "The exit status is 1 when a fault is noticed by nothing, or only by something that is about other "
                + "requirements, else 0.",
        ],
        flags: [
            registry,
            Flag("fault", "NAME", isRepeatable: true, help: "Only this fault of the relay."),
            Flag("kit-fault", "NAME", isRepeatable: true, help: "Only this fault of client kits."),
            Flag("filter", "PATTERN", isRepeatable: true, help: "Only the cases that a pattern selects."),
            Flag("moq-version", "LIST", help: "Only the cases of these versions (default all that are released)."),
            Flag("transport", "LIST|all", help: "Only the cases over these transports (default all)."),
            Flag("jobs", "N", help: "How many faults are played side by side (default \(MutateArguments.usualJobs))."),
            Flag("seed", "N", help: "The seed of all chance (default \(MutateArguments.usualSeed))."),
            Flag("report", "json=PATH", help: "Write what came of each fault; - is standard output."),
            Flag("quiet", help: "Say only which faults were not noticed, and the summary."),
            help,
        ],
        examples: [
            Example(line: "mutate", purpose: "all faults"),
            Example(line: "mutate --fault group-torn --filter 'groups.*'", purpose: "one, and the cases of one suite"),
        ])
}
