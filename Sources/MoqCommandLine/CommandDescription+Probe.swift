extension CommandDescription {
    /// `moqspec probe`.
    public static let probe = CommandDescription(
        name: "probe",
        summary: "Find out what a relay accepts and announces, without disturbing it.",
        operands: "URL",
        about: [
            "Host and port of the URL are tried over every transport that they could have: raw QUIC and WebTransport "
                + "over UDP, Qmux over WebSocket and TCP with and without TLS. Each is asked for every version alone "
                + "and for all at once, in both orders. What was not tried is said, and why.",
            "Nothing is published; one session subscribes once, to a broadcast that nobody has, since the code of the "
                + "refusal tells the generation of the relay's codes. Connections are made one after another, and are "
                + "closed in order.",
        ],
        flags: [
            Flag(
                "transport", "LIST",
                help: "What is tried, such as quic,websocket (default all; there are \(transportNames))."),
            Flag(
                "moq-version", "LIST",
                help: "The versions that are asked for, such as 06,05 (default all that are frozen; there are "
                    + "\(versionNames))."),
        ] + trustFlags + tokenFlags + [
            Flag("connect-timeout", "DURATION", help: "How long each connection may take (default 3s)."),
            Flag("timeout", "DURATION", help: "How long the whole probe may take (default 30s)."),
            Flag("report", "json=PATH", help: "Write the findings as JSON; - is standard output."),
            help,
        ],
        examples: [
            Example(
                line: "probe http://localhost:4443/anon",
                purpose: "with the certificate pinned that the relay tells"),
            Example(
                line: "probe https://relay.example/room --token-file token.jwt --report json=probe.json",
                purpose: "a relay that wants a token"),
        ])
}
