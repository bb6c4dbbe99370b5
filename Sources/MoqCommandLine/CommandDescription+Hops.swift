extension CommandDescription {
    /// `moqspec hops`.
    public static let hops = CommandDescription(
        name: "hops",
        summary: "Send every error code through a relay, and show what comes out.",
        operands: nil,
        about: [
            "The numbers 0 to 127 and samples above them go in on every way that there is: a publisher refuses or resets "
                + "a subscription, a group, a fetch, or closes its session, and a subscriber does. What the other side "
                + "sees is unchanged; mapped (another number that says the same); degraded (a failure, but not which); "
                + "kept (what a subscriber says need not reach the publisher); or illegal (a failure that comes out as "
                + "none).",
            "The exit status is 1 when a code comes out illegal, or otherwise than in the report that --against names.",
        ],
        flags: targetFlags + selectionFlags.filter { $0.name != "filter" }
            + runFlags.filter { hopsRunFlags.contains($0.name) } + [
                Flag("filter", "PATTERN", isRepeatable: true, help: "Only some ways and codes, such as hops.refusal."),
                Flag(
                    "report", "KIND=PATH", isRepeatable: true,
                    help: "Write the table: json or markdown; - is standard output."),
                Flag("against", "FILE", help: "Compare with an earlier report (json)."),
                help,
            ],
        examples: [
            Example(line: "hops --simulate --report markdown=hops.md", purpose: "the relay inside moqspec"),
            Example(
                line: "hops --relay moqt://relay:4443/anon --against before.json",
                purpose: "whether a relay still treats them as it did"),
        ])

    private static let hopsRunFlags = ["simulate", "jobs", "seed", "timeout", "tls", "fault"]
}
