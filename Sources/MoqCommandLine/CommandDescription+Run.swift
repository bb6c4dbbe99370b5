import MoqReport
import MoqRunner
import MoqTransport
import MoqWire

extension CommandDescription {
    /// `moqspec run`.
    public static let run = CommandDescription(
        name: "run",
        summary: "Run scenarios against a relay and say whether it keeps its promises.",
        operands: "[PATH...]",
        about: [
            "PATH is a scenario file, or a folder in which all *.yaml and *.yml files are scenarios; without any it is `scenarios`.",
            "A pattern is the id of a case, a scenario or a suite, or SUITE/SCENARIO, with * for anything but a slash "
                + "and ** for anything; or tag:NAME, requirement:ID, level:must, actor:NAME, condition:NAME. Durations have a unit: 500ms, 30s, 5min.",
        ],
        flags: targetFlags + selectionFlags + runFlags + outputFlags + [registry, help],
        examples: [
            Example(line: "run", purpose: "all scenarios, on the relay inside moqspec"),
            Example(
                line: "run --simulate --seed 7", purpose: "the same in virtual time, repeatable to the last packet"),
            Example(
                line: "run --relay moqt://relay.example:4443/anon --tls-root ca.pem",
                purpose: "against a relay that runs"),
            Example(
                line: "run --filter 'errors/**' --repeat 50", purpose: "some of them 50 times: does any verdict vary?"),
            Example(
                line: "run --filter 'kit-programs.*' --program publisher='python3 publish.py {url} {broadcast}'",
                purpose: "with a program of your own as an actor"),
            Example(
                line: "run --relay http://localhost:4443/anon --transport all",
                purpose: "over every transport, with the certificate pinned that the relay tells"),
            Example(
                line: "run --relay-command 'my-relay --port {port}' --insecure --report junit=reports/junit.xml",
                purpose: "against a relay that is started for it, with a report for CI"),
        ])

    static let targetFlags =
        [
            Flag(
                "relay", "embedded|URL", isRepeatable: true,
                help: "The relay under test: the one inside moqspec (default), or a URL, whose scheme says over what: "
                    + "moqt (raw QUIC), https or http (WebTransport), ws or wss (WebSocket), tcp or tls. Further URLs say where "
                    + "it is met over other transports."),
            Flag(
                "relay-command", "COMMAND",
                help:
                    "Start the relay with this shell command, in which {port} stands for a free UDP port of 127.0.0.1; "
                    + "wait until it answers, and stop it at the end."),
            Flag("relay-path", "PATH", help: "The path to ask a relay for that was started (default /anon)."),
            Flag("relay-output", "FILE", help: "Where the output of a started relay goes (default reports/relay.log)."),
        ] + trustFlags + tokenFlags + [
            Flag(
                "token-key", "FILE",
                help:
                    "The key with which the relay verifies tokens, as a JSON Web Key: scenarios mint theirs with it, and "
                    + "sessions that say nothing of tokens get one that allows everything below their path."),
            Flag("connect-timeout", "DURATION", help: "How long connecting may take (default 5s)."),
            Flag(
                "relay-release", "VERSION",
                help: "The release of the relay, for reports and for entries of --known that are about one."),
            Flag(
                "generation", "first|second|probe",
                help: "Which numbers the relay has for its error conditions; probe (default) finds out."),
            Flag(
                "with", "CAPABILITY", isRepeatable: true,
                help: "The relay has this capability (\(optionalCapabilities)), so what needs it is run."),
            Flag(
                "without", "CAPABILITY[@LIST]", isRepeatable: true,
                help: "The relay lacks this capability, or lacks it on these versions, so what needs it is skipped."),
        ]

    /// How a certificate is judged.
    static let trustFlags = [
        Flag(
            "fingerprint", "SHA256", isRepeatable: true,
            help: "Accept the certificate with this SHA-256, in hexadecimal."),
        Flag("tls-root", "FILE", isRepeatable: true, help: "Accept certificates of the authorities in this PEM file."),
        Flag("insecure", help: "Accept any certificate."),
    ]

    /// The token of sessions.
    static let tokenFlags = [
        Flag("token", "TOKEN", help: "The token that sessions bring (?jwt=), unless a scenario says otherwise."),
        Flag("token-file", "FILE", help: "The same, read from a file, so that no list of processes shows it."),
    ]

    static let selectionFlags = [
        Flag(
            "filter", "PATTERN", isRepeatable: true,
            help: "Only the cases that a pattern selects, or those of @FILE, a pattern on each line. One that selects "
                + "nothing is an error."),
        Flag(
            "moq-version", "LIST",
            help: "Only the cases of these versions, such as 06,05 (default all; there are \(versionNames))."),
        Flag("wip", help: "Also the cases of versions that are not frozen (07-wip)."),
        Flag(
            "transport", "LIST|all|auto",
            help:
                "Over which transports: a list of \(transportNames), or all; auto races WebTransport and WebSocket as the "
                + "reference client does (default: what the relay's URL says; for the embedded one quic, and for "
                + "\(newestNames) all)."),
    ]

    static let runFlags = [
        Flag(
            "fault", "NAME",
            help: "Break the embedded relay in this way; moqspec list --faults shows which there are."),
        Flag(
            "program", "NAME=COMMAND", isRepeatable: true,
            help:
                "The command of the outside program NAME of scenarios, split into words without a shell; "
                + ProgramCommand.Detail.allCases.map(\.text).joined(separator: ", ")
                + " stand for what the case has. Without it, cases with that program are skipped."),
        Flag(
            "program-output", "FOLDER",
            help: "Where what outside programs print goes (default \(ProgramCommand.usualOutput))."),
        Flag(
            "kit-fault", "NAME",
            help: "Break the client kits of the run in this way; moqspec list --faults shows which there are."),
        Flag("simulate", help: "In virtual time on a virtual network; only on the embedded relay."),
        Flag(
            "jobs", "N",
            help: "How many cases run side by side (default \(RunArguments.usualJobs); in real time on the embedded "
                + "relay \(RunArguments.usualJobsOnEmbedded))."),
        Flag("seed", "N", help: "The seed of all chance; a fresh one is drawn and shown otherwise."),
        Flag(
            "repeat", "N",
            help: "Play everything N times, each round with the next seed, and say whose verdict varied: exit status 6."
        ),
        Flag("until-failure", help: "Repeat, at most as often as --repeat says, until a case fails."),
        Flag("timeout", "DURATION", help: "The deadline of the whole run; when it passes, the exit status is 124."),
        Flag("case-timeout", "DURATION", help: "A deadline of every case, besides its own."),
        Flag(
            "patience", "N",
            help: "Wait N times as long as scenarios say for what has to happen, where the relay has to share its "
                + "processors (default 1). What must not happen is held off no longer."),
        Flag("tls", help: "Dial websocket and tcp with TLS, where no URL says how (wss, tls)."),
        Flag(
            "compare-transports",
            help: "Run every case over each transport, and report where sessions saw different things."),
        Flag("explain", help: "Run nothing: show which cases would be run, and what is left out and why."),
        profile,
        Flag(
            "known", "FILE",
            help: "The list of known failures: what is on it must fail for the reason that it records."),
        Flag("strict", help: "A case that passes with warnings fails the run."),
    ]

    private static let outputFlags = [
        Flag(
            "report", "KIND=PATH", isRepeatable: true,
            help:
                "Write a report: \(ReportKind.allCases.map(\.rawValue).joined(separator: ", ")); - is standard output."
        ),
        Flag("quiet", help: "Say only what went wrong, and the summary."),
        Flag("verbose", help: "Say also the steps of cases that passed, and notes."),
        Flag("no-color", help: "No colours; the same as NO_COLOR in the environment."),
    ]

    private static let optionalCapabilities = Capability.all.filter { $0.basis == .optional }.map(\.name)
        .joined(separator: ", ")

    static let transportNames = TransportKind.allCases.map(\.rawValue).joined(separator: ", ")

    private static let newestNames = Version.byPreference.prefix(2).map(\.name).reversed().joined(separator: " and ")

    static let versionNames = Version.allCases.map(\.name).joined(separator: ", ")
}
