import MoqBase
import MoqJSON

extension EventCodec {
    /// The event as one line of the stream, with its line feed.
    ///
    /// Secrets are redacted and text is cut at its bound (`RunEvent.published`): what is written is safe to keep.
    public static func encode(_ event: RunEvent) -> [UInt8] {
        var writer = JSONWriter()
        let published = event.published()
        writer.object { writer in
            writer.member("kind", published.kind)
            write(published, to: &writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ event: RunEvent, to writer: inout JSONWriter) {
        switch event {
        case .runStarted(let event): write(event, to: &writer)
        case .targetProbed(let event): write(event, to: &writer)
        case .caseStarted(let event): write(event, to: &writer)
        case .trace(let event): write(event, to: &writer)
        case .step(let event): write(event, to: &writer)
        case .finding(let event): write(event, to: &writer)
        case .caseFinished(let event): write(event, to: &writer)
        case .runFinished(let event): write(event, to: &writer)
        case .unknown: break
        }
    }

    private static func write(_ event: RunStarted, to writer: inout JSONWriter) {
        writer.member("schema", event.schema)
        writer.member("moqspec", event.moqspecVersion)
        writer.member("seed", String(event.seed))
        writer.name("target")
        writer.object { writer in
            writer.member("description", event.target.description)
            writer.member("kind", event.target.kind.rawValue)
            writer.member("address", event.target.address)
            writer.member("release", event.target.release)
            writer.member("capabilities", event.target.capabilities)
        }
        writer.member("world", event.world.rawValue)
        writer.member("jobs", event.jobs)
        writer.member("started", event.started)
        if let count = event.selectedCases { writer.member("cases", count) }
        if event.rounds > 1 { writer.member("rounds", event.rounds) }
        writer.member("profile", event.profile)
    }

    private static func write(_ event: TargetProbed, to writer: inout JSONWriter) {
        writer.member("generation", event.generation.rawValue)
        writer.member("evidence", event.evidence)
        writer.member("version", event.version)
        writer.member("transport", event.transport)
        writer.member("certificate", event.certificateFingerprint)
    }

    private static func write(_ event: CaseStarted, to writer: inout JSONWriter) {
        writer.member("case", event.caseID)
        writer.member("suite", event.suite)
        writer.member("scenario", event.scenario)
        writer.member("title", event.title)
        write(event.place, to: &writer)
        writer.member("tags", event.tags)
        writer.member("requirements", event.requirements)
        writer.member("variables", event.variables)
        writer.member("seed", String(event.seed))
        writer.member("worker", event.worker)
        if event.round > 1 { writer.member("round", event.round) }
    }

    private static func write(_ event: TraceEntry, to writer: inout JSONWriter) {
        writer.member("case", event.caseID)
        writer.member("atNs", event.at.wholeNanoseconds)
        writer.member("actor", event.actor)
        writer.member("category", event.category.rawValue)
        writer.member("text", event.text)
        if !event.data.isEmpty { writer.member("data", event.data) }
    }

    private static func write(_ event: StepEnded, to writer: inout JSONWriter) {
        writer.member("case", event.caseID)
        writer.name("index")
        writer.array { writer in
            for index in event.indexPath { writer.value(index) }
        }
        writer.member("text", event.text)
        write(event.place, to: &writer)
        writer.member("outcome", event.outcome.rawValue)
        writer.member("atNs", event.at.wholeNanoseconds)
        writer.member("detail", event.detail)
    }

    private static func write(_ event: Finding, to writer: inout JSONWriter) {
        writer.member("case", event.caseID)
        writer.member("severity", event.severity.rawValue)
        writer.member("headline", event.headline)
        write(event.place, to: &writer)
        writer.member("sourceLine", event.sourceLine)
        writer.member("expected", event.expected)
        writer.member("actual", event.actual)
        writer.member("requirements", event.requirements)
        writer.member("basis", event.basis)
        if !event.bytes.isEmpty { writer.member("bytes", Hex.text(event.bytes)) }
        if let at = event.at { writer.member("atNs", at.wholeNanoseconds) }
    }

    private static func write(_ event: CaseFinished, to writer: inout JSONWriter) {
        writer.member("case", event.caseID)
        writer.member("verdict", event.verdict.rawValue)
        writer.member("durationNs", event.duration.wholeNanoseconds)
        writer.member("protocolNs", event.protocolTime.wholeNanoseconds)
        writer.member("cpuNs", event.cpuTime.wholeNanoseconds)
        writer.member("version", event.version)
        writer.member("transport", event.transport)
        if !event.sessions.isEmpty { writer.member("sessions", event.sessions) }
        if !event.checked.isEmpty {
            writer.name("checked")
            event.checked.write(to: &writer)
        }
        if !event.transitions.isEmpty {
            writer.name("transitions")
            event.transitions.write(to: &writer)
        }
        writer.member("reason", event.reason)
    }

    private static func write(_ event: RunFinished, to writer: inout JSONWriter) {
        writer.name("ledger")
        event.ledger.write(to: &writer)
        writer.member("exitCode", event.exitCode)
        writer.member("reasons", event.reasons)
        writer.member("durationNs", event.duration.wholeNanoseconds)
        writer.member("interruption", event.interruption?.rawValue)
    }

    private static func write(_ place: FilePlace?, to writer: inout JSONWriter) {
        guard let place else { return }
        writer.name("place")
        place.write(to: &writer)
    }
}

extension FilePlace {
    /// Writes the place as an object.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", file)
            if line > 0 { writer.member("line", line) }
            if column > 0 { writer.member("column", column) }
        }
    }
}

extension [RequirementTally] {
    /// Writes the counts as an object with a member for each requirement.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for tally in self {
                writer.name(tally.requirement)
                writer.object { writer in
                    writer.member("held", tally.held)
                    writer.member("broken", tally.broken)
                }
            }
        }
    }
}

extension [TransitionTally] {
    /// Writes the counts as an array of objects.
    public func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for tally in self {
                writer.object { writer in
                    writer.member("machine", tally.machine)
                    writer.member("profile", tally.profile)
                    writer.member("transition", tally.transition)
                    writer.member("taken", tally.taken)
                }
            }
        }
    }
}

extension Ledger {
    /// Writes the ledger as an object: the sum and every entry.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("all", all)
            for verdict in Verdict.allCases { writer.member(verdict.rawValue, self[verdict]) }
            writer.member("notStarted", notStarted)
        }
    }
}
