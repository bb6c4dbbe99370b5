extension CommandDescription {
    /// `moqspec list`.
    public static let list = CommandDescription(
        name: "list",
        summary: "Show the suites and scenarios there are, without running anything.",
        operands: "[PATH...]",
        about: [
            "PATH is a scenario file, or a folder of them; without any it is `scenarios`.",
            "The requirements are those of the folder `requirements` beside or above the scenarios.",
        ],
        flags: [
            Flag("cases", help: "Show every case, and why a combination of version and transport cannot exist."),
            Flag("explain", help: "Show which cases would be run, and which combinations are left out and why."),
            Flag(
                "requirements",
                help: "Show the requirements instead, with how they are checked; --filter selects by id."),
            Flag("report", "markdown=PATH", help: "Write the page about all requirements; - is standard output."),
            Flag("faults", help: "Show the faults instead that the embedded relay can have on purpose (--fault)."),
            Flag("json", help: "As one JSON document."),
            registry,
        ] + selectionFlags + [help],
        examples: [
            Example(line: "list --cases --filter 'fetch/**'", purpose: "the cases that this pattern selects"),
            Example(line: "list --requirements --filter 'fetch.*'", purpose: "what there is to hold about fetching"),
        ])

    /// `moqspec explain`.
    public static let explain = CommandDescription(
        name: "explain",
        summary: "Say what a requirement, a scenario or a case is about, and how it is run alone.",
        operands: "ID [PATH...]",
        about: [
            "PATH is a scenario file, or a folder of them; without any it is `scenarios`.",
            "Of a requirement: what has to hold, where that comes from, how it is checked and by which scenarios. Of a "
                + "scenario or a case: which requirements it checks, and where it stands.",
        ],
        flags: [registry, help],
        examples: [Example(line: "explain subscribe.latest-group", purpose: "a requirement")])

    /// `moqspec lint`.
    public static let lint = CommandDescription(
        name: "lint",
        summary: "Check scenario files without running them.",
        operands: "[PATH...]",
        about: [
            "Every mistake is shown with its file, line and column, the line itself, and what was perhaps meant.",
            "The registry of requirements, the folder `requirements` beside or above the scenarios, is checked too: "
                + "scenarios name only what is in it, and a warning says what they should name and do not.",
            "Files that define machines (fixtures/machines), which begin with `machine:`, are checked as such.",
            "The exit status is 2 when there is an error, with --strict also when there is a warning, else 0.",
        ],
        flags: [
            Flag("strict", help: "Warnings are errors."),
            Flag("known", "FILE", help: "Check a list of known failures too."),
            registry,
            help,
        ],
        examples: [Example(line: "lint scenarios/fetch.yaml", purpose: "check one file")])

    /// `moqspec relay`.
    public static let relay = CommandDescription(
        name: "relay",
        summary: "Run the embedded relay by itself, until SIGINT or SIGTERM.",
        operands: nil,
        about: [
            "MoQ is served on the port of the URL: raw QUIC and WebTransport over UDP, Qmux over TCP with and without "
                + "TLS and WebSocket. HTTP is answered there too: GET /certificate.sha256, /announced/PREFIX and "
                + "/fetch/BROADCAST/TRACK.",
            "When it is ready, one line says so, with the SHA-256 of the certificate, and then one for each URL under "
                + "which clients find it. A certificate is made for the run "
                + "unless files are given. Whoever can reach the address can use the relay: it keeps to loopback unless "
                + "--bind says otherwise.",
        ],
        flags: [
            Flag("url", "URL", help: "Where it is to be found (default \(RelayArguments.usualURL))."),
            Flag("bind", "ADDRESS", help: "The IP address to listen on, where that is to be more than loopback."),
            Flag("generation", "first|second", help: "Which numbers its error conditions have (default second)."),
            Flag(
                "moq-version", "LIST",
                help: "The versions that it accepts, such as 06,05 (default all; there are \(versionNames))."),
            Flag(
                "transport", "LIST",
                help: "What carries its sessions, such as quic,websocket (default all; there are \(transportNames))."),
            Flag(
                "key", "FILE",
                help:
                    "Take tokens (?jwt=) that this key verifies, a JSON Web Key as moq-token writes it. Without --public, "
                    + "nothing is open to those who have none."),
            Flag(
                "public", "PREFIX",
                help: "The prefix of paths that anyone may use without a token (default anon; '' for all)."),
            Flag(
                "fault", "NAME", help: "Be wrong on purpose in this way; moqspec list --faults shows which there are."),
            Flag("linger", "DURATION", help: "How long broadcasts stay after their publisher was lost (default 0s)."),
            Flag("tls-cert", "FILE", help: "Its certificate chain, PEM."),
            Flag("tls-key", "FILE", help: "The key of the certificate, PEM."),
            Flag("json", help: "Say what happens in JSON, one object a line."),
            help,
        ],
        examples: [
            Example(line: "relay", purpose: "on \(RelayArguments.usualURL)"),
            Example(line: "relay --url http://localhost:5000/anon --moq-version 03", purpose: "as an old relay"),
        ])
}
