extension CommandDescription {
    /// `moqspec report`.
    public static let report = CommandDescription(
        name: "report",
        summary: "Merge the recordings of shards, or make a list of known failures.",
        operands: "merge|known FILE...",
        about: [
            "merge takes files that `run --report events=PATH` wrote, of runs that divided the cases among them, shows "
                + "their common summary and writes the reports that are asked for. Its exit status is that of a run of "
                + "all their cases.",
            "known takes files of events or of results (`run --report json=PATH`), and writes a list for `--known` with "
                + "an entry for each kind of failure. Reason, link and expiry are left empty: `lint --known` asks for them.",
        ],
        flags: [
            Flag(
                "report", "KIND=PATH", isRepeatable: true,
                help: "Of merge: junit, json or events; - is standard output."),
            Flag("output", "PATH", help: "Of known: where the list goes (default standard output)."),
            Flag("quiet", help: "Of merge: say only what went wrong and the summary."),
            Flag("strict", help: "Of merge: a case that passed with warnings fails the run."),
            help,
        ],
        examples: [
            Example(
                line: "report merge shard-*.jsonl --report junit=reports/junit.xml", purpose: "one report of all shards"
            ),
            Example(line: "report known reports/results.json --output known.yaml", purpose: "a list to be filled in"),
        ])

    /// `moqspec new`.
    public static let new = CommandDescription(
        name: "new",
        summary: "Begin a file of scenarios: one that is right, with a word about each part.",
        operands: "PATH",
        about: ["PATH is the file to make, such as scenarios/mine.yaml. A file that is there is left alone."],
        flags: [help],
        examples: [Example(line: "new scenarios/mine.yaml", purpose: "then moqspec run --simulate scenarios/mine.yaml")]
    )
}
