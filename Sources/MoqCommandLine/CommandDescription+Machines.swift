extension CommandDescription {
    /// `moqspec schema`.
    public static let schema = CommandDescription(
        name: "schema",
        summary: "Print the JSON Schema of a kind of file, for editors.",
        operands: nil,
        about: [
            "An editor that knows the schema completes keys and marks wrong ones while one types; `moqspec lint` finds the "
                + "rest."
        ],
        flags: [
            Flag("scenarios", help: "The schema of files of scenarios."),
            Flag("machines", help: "The schema of files that define machines."), help,
        ],
        examples: [
            Example(line: "schema --scenarios", purpose: "that of scenarios/**.yaml"),
            Example(line: "schema --machines", purpose: "that of fixtures/machines/*.yaml"),
        ])

    /// `moqspec machines`.
    public static let machines = CommandDescription(
        name: "machines",
        summary: "Show the state machines of client objects.",
        operands: "[NAME...]",
        about: [
            "Without a name all machines are listed; with names each is shown as a table, under each of its profiles or "
                + "the one that --profile names.",
            "Profiles: ios and android are what the code of moq-kit does, ios-documented and android-documented what its "
                + "manual says, moqom what the public documentation of MoqomKit says.",
        ],
        flags: [
            profileOfMachines,
            Flag("table", help: "As tables (the default when there is a name)."),
            Flag("mermaid", help: "As state diagrams in Mermaid."),
            Flag("json", help: "As one JSON document."),
            Flag("report", "markdown=PATH", help: "Write the page about all machines; - is standard output."),
            definitions,
            help,
        ],
        examples: [
            Example(line: "machines session --profile ios", purpose: "one machine"),
            Example(line: "machines player --mermaid --profile android", purpose: "as a diagram"),
        ])

    /// `moqspec trace`.
    public static let trace = CommandDescription(
        name: "trace",
        summary: "Hold a trace of an SDK against a state machine, or make one of a log.",
        operands: "check|convert FILE",
        about: [
            "`trace check FILE` reads a trace (JSON Lines, docs/traces.md) and holds each of its objects against a machine: "
                + "the one that --machine names, or those that the lines name. It is accepted, or the first illegal step "
                + "is shown with what was legal there. A trace may show states only, or events only.",
            "`trace convert FILE` makes a trace of what moq-kit logs: lines of logcat, of os_log, or JSON, with events and "
                + "states in them.",
            "The exit status of check is 0 when all objects are accepted, 1 when one is not, 2 when the file is no trace, "
                + "5 when there is nothing in it.",
        ],
        flags: [
            Flag("machine", "NAME", help: "The machine to hold it against."),
            profileOfMachines,
            Flag(
                "report", "KIND=PATH", isRepeatable: true,
                help: "Write what came of each object: junit or json; - is standard output."),
            Flag("coverage", help: "Show which transitions the trace took."),
            Flag("output", "PATH", help: "convert: where the trace goes (default standard output)."),
            definitions,
            help,
        ],
        examples: [
            Example(line: "trace check run.jsonl --machine session --profile ios", purpose: "one machine"),
            Example(line: "trace convert logcat.txt --profile android --output run.jsonl", purpose: "a log of Android"),
        ])

    private static let profileOfMachines = Flag(
        "profile", "NAME", help: "ios, android, ios-documented, android-documented or moqom.")

    private static let definitions = Flag(
        "definitions", "PATH", help: "Take the machines from this file or folder, not those of this release.")
}
