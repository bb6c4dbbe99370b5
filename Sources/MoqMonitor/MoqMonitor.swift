// MoqMonitor: a witness of one session that holds everything the relay sends against the rules of its version.
//
// An `ObservedTransport` stands between a session engine and its transport, passes everything through, and tells a
// `SessionMonitor` what went either way, with the instant. The monitor reads both directions of every stream by the
// grammar of the version (shared with the engine: MoqWire, and nothing else), keeps what has to be known of
// announcements, subscriptions, groups and requests, and writes a `MonitorBreach` for whatever the relay did that no
// legal relay does. What the client sends is context and never judged. Every breach names a `MonitorRule`, whose id is
// that of the registry of requirements. Answers that are due have deadlines, so the owner calls `advance`.
//
// The rules come from the specification. Where draft and running code differ a rule belongs to one `MonitorProfile`.
