import MoqBase
import MoqJSON

extension EventCodec {
    /// Reads one line of a stream, with or without its line feed.
    ///
    /// Fields that are not known are ignored. A kind that is not known, and a trace of a category that is not known,
    /// become `RunEvent.unknown`. Throws `EventError` for what is no event; `number` is the line it then names.
    public static func decode(_ line: [UInt8], number: Int = 1) throws(EventError) -> RunEvent {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            throw .notJSON(line: number, column: error.column, problem: error.problem)
        }
        do throws(EventError) {
            guard let kind = value["kind"]?.string else { throw .notAnEvent(line: number) }
            return try event(of: EventFields(kind: kind, value: value))
        } catch {
            throw error.onLine(number)
        }
    }

    private static func event(of fields: EventFields) throws(EventError) -> RunEvent {
        switch fields.kind {
        case "runStarted": .runStarted(try runStarted(fields))
        case "targetProbed":
            .targetProbed(
                TargetProbed(
                    generation: try fields.choice("generation"), evidence: try fields.text("evidence"),
                    version: try fields.optionalText("version"), transport: try fields.optionalText("transport"),
                    certificateFingerprint: try fields.optionalText("certificate")))
        case "caseStarted": .caseStarted(try caseStarted(fields))
        case "trace": try trace(fields)
        case "step":
            .step(
                StepEnded(
                    caseID: try fields.text("case"), indexPath: try fields.integers("index"),
                    text: try fields.text("text"), place: try fields.optionalPlace("place"),
                    outcome: try fields.choice("outcome"), at: try fields.duration("atNs"),
                    detail: try fields.optionalText("detail")))
        case "finding": .finding(try finding(fields))
        case "caseFinished":
            .caseFinished(
                CaseFinished(
                    caseID: try fields.text("case"), verdict: try fields.choice("verdict"),
                    duration: try fields.duration("durationNs"), protocolTime: try fields.duration("protocolNs"),
                    cpuTime: try fields.duration("cpuNs"), version: try fields.optionalText("version"),
                    transport: try fields.optionalText("transport"), sessions: try fields.optionalPairs("sessions"),
                    checked: try fields.tallies("checked"),
                    transitions: try fields.transitions("transitions"), reason: try fields.optionalText("reason")))
        case "runFinished": .runFinished(try runFinished(fields))
        default: .unknown(kind: fields.kind)
        }
    }

    private static func runStarted(_ fields: EventFields) throws(EventError) -> RunStarted {
        let schema = try fields.integer("schema")
        // Asked first: what follows may mean something else in a newer grammar.
        guard schema <= schemaVersion else { throw .newerSchema(found: schema, supported: schemaVersion) }
        let target = try fields.object("target")
        return RunStarted(
            moqspecVersion: try fields.text("moqspec"), seed: try fields.seed("seed"),
            target: RunStarted.Target(
                description: try target.text("description"), kind: try target.choice("kind"),
                address: try target.text("address"), capabilities: try target.texts("capabilities"),
                release: try target.optionalText("release")),
            world: try fields.choice("world"), jobs: try fields.integer("jobs"), started: try fields.text("started"),
            selectedCases: try fields.optionalInteger("cases"), rounds: try fields.optionalInteger("rounds") ?? 1,
            profile: try fields.optionalText("profile"),
            schema: schema)
    }

    private static func caseStarted(_ fields: EventFields) throws(EventError) -> CaseStarted {
        CaseStarted(
            caseID: try fields.text("case"), suite: try fields.text("suite"), scenario: try fields.text("scenario"),
            title: try fields.text("title"), place: try fields.place("place"), tags: try fields.texts("tags"),
            requirements: try fields.texts("requirements"), variables: try fields.pairs("variables"),
            seed: try fields.seed("seed"), worker: try fields.integer("worker")
        ).read(in: try fields.optionalInteger("round") ?? 1)
    }

    private static func trace(_ fields: EventFields) throws(EventError) -> RunEvent {
        // Categories may be added without a new schema: a line of the timeline is lost, not the stream.
        guard let category = TraceEntry.Category(rawValue: try fields.text("category")) else {
            return .unknown(kind: fields.kind)
        }
        return .trace(
            TraceEntry(
                caseID: try fields.text("case"), at: try fields.duration("atNs"), actor: try fields.text("actor"),
                category: category, text: try fields.text("text"), data: try fields.optionalPairs("data")))
    }

    private static func finding(_ fields: EventFields) throws(EventError) -> Finding {
        Finding(
            caseID: try fields.text("case"), severity: try fields.choice("severity"),
            headline: try fields.text("headline"), place: try fields.optionalPlace("place"),
            sourceLine: try fields.optionalText("sourceLine"), expected: try fields.optionalText("expected"),
            actual: try fields.optionalText("actual"), requirements: try fields.texts("requirements"),
            basis: try fields.optionalText("basis"), bytes: try fields.optionalBytes("bytes"),
            at: try fields.optionalDuration("atNs"))
    }

    private static func runFinished(_ fields: EventFields) throws(EventError) -> RunFinished {
        let counts = try fields.object("ledger")
        var ledger = Ledger()
        for verdict in Verdict.allCases { ledger[verdict] = try counts.optionalInteger(verdict.rawValue) ?? 0 }
        ledger.notStarted = try counts.optionalInteger("notStarted") ?? 0
        guard try counts.integer("all") == ledger.all else {
            throw fields.wrong("ledger", "does not add up: \"all\" is not the sum of the entries")
        }
        let code = try fields.integer("exitCode")
        guard let exitCode = Int32(exactly: code) else { throw fields.wrong("exitCode", "is out of range") }
        return RunFinished(
            ledger: ledger, exitCode: exitCode, reasons: try fields.texts("reasons"),
            duration: try fields.duration("durationNs"), interruption: try fields.optionalChoice("interruption"))
    }
}
