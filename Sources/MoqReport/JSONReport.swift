import MoqBase
import MoqEvents
import MoqJSON

/// One JSON document with everything that is known of a run (docs/results.md).
public struct JSONReport {
    /// The version of the document's form.
    public static let schemaVersion = 1

    private let results: RunResults
    private let rerun: Rerun?

    /// The report of results; those of a run that has not ended are concluded.
    public init(_ results: RunResults, rerun: Rerun? = nil) {
        var concluded = results
        concluded.conclude()
        self.results = concluded
        self.rerun = rerun
    }

    /// The document, indented, with a line feed at its end.
    public func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-results")
            writer.member("schema", Self.schemaVersion)
            writeRun(to: &writer)
            writeTarget(to: &writer)
            writer.name("ledger")
            results.ledger.write(to: &writer)
            writer.name("cases")
            writer.array { writer in
                for result in results.casesInFileOrder { write(result, to: &writer) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func writeRun(to writer: inout JSONWriter) {
        writer.name("run")
        writer.object { writer in
            writer.member("moqspec", results.run?.moqspecVersion)
            writer.member("started", results.run?.started)
            writer.member("seed", results.run.map { String($0.seed) })
            writer.member("world", results.run?.world.rawValue)
            if let run = results.run { writer.member("jobs", run.jobs) }
            writer.member("profile", results.run?.profile)
            writer.name("complete")
            writer.value(results.isComplete)
            if let end = results.end {
                writer.member("exitCode", end.exitCode)
                writer.member("reasons", end.reasons)
                writer.member("interruption", end.interruption?.rawValue)
                writer.name("seconds")
                writer.value(seconds: end.duration)
            }
            writer.member("disagreement", results.disagreement)
            writeRounds(to: &writer)
        }
    }

    private func writeRounds(to writer: inout JSONWriter) {
        guard let run = results.run, run.rounds > 1 else { return }
        writer.member("rounds", run.rounds)
        writer.member("foldedPlays", results.folded.all)
        writer.name("varied")
        writer.array { writer in
            for varied in results.rounds.varied {
                writer.object { writer in
                    writer.member("case", varied.caseID)
                    for verdict in Verdict.allCases where varied.verdicts[verdict] > 0 {
                        writer.member(verdict.rawValue, varied.verdicts[verdict])
                    }
                }
            }
        }
    }

    private func writeTarget(to writer: inout JSONWriter) {
        writer.name("target")
        writer.object { writer in
            if let target = results.run?.target {
                writer.member("description", target.description)
                writer.member("kind", target.kind.rawValue)
                writer.member("address", target.address)
                writer.member("release", target.release)
                writer.member("capabilities", target.capabilities)
            }
            writer.member("generation", (results.probe?.generation ?? .unknown).rawValue)
            writer.name("probes")
            writer.array { writer in
                for probe in results.probes {
                    writer.object { writer in
                        writer.member("generation", probe.generation.rawValue)
                        writer.member("evidence", probe.evidence)
                        writer.member("version", probe.version)
                        writer.member("transport", probe.transport)
                        writer.member("certificate", probe.certificateFingerprint)
                    }
                }
            }
        }
    }

    private func write(_ result: CaseResult, to writer: inout JSONWriter) {
        let start = result.start
        writer.object { writer in
            writer.member("id", start.caseID)
            writer.member("name", start.name)
            writer.member("suite", start.suite)
            writer.member("scenario", start.scenario)
            writer.member("title", start.title)
            writer.name("place")
            start.place.write(to: &writer)
            writer.member("tags", start.tags)
            writer.member("requirements", start.requirements)
            writer.member("variables", start.variables)
            writer.member("seed", String(start.seed))
            if start.round > 1 { writer.member("round", start.round) }
            writer.member("verdict", result.verdict.rawValue)
            writer.member("reason", result.reason)
            writer.member("version", result.end?.version)
            writer.member("transport", result.end?.transport)
            if let sessions = result.end?.sessions, !sessions.isEmpty { writer.member("sessions", sessions) }
            write("seconds", result.end?.duration, to: &writer)
            write("protocolSeconds", result.end?.protocolTime, to: &writer)
            write("cpuSeconds", result.end?.cpuTime, to: &writer)
            if let checked = result.end?.checked, !checked.isEmpty {
                writer.name("checked")
                checked.write(to: &writer)
            }
            if let transitions = result.end?.transitions, !transitions.isEmpty {
                writer.name("transitions")
                transitions.write(to: &writer)
            }
            writer.member("again", rerun?.command(for: start))
            writer.member("steps", result.steps)
            writeSteps(result.notableSteps, to: &writer)
            writer.name("findings")
            writer.array { writer in
                for evidence in result.findings { write(evidence, to: &writer) }
            }
            if result.droppedFindings > 0 { writer.member("droppedFindings", result.droppedFindings) }
            if !result.timeline.isEmpty {
                writer.member("timelineLines", result.timelineLines)
                write("timeline", result.timeline, to: &writer)
            }
        }
    }

    private func writeSteps(_ steps: [StepEnded], to writer: inout JSONWriter) {
        guard !steps.isEmpty else { return }
        writer.name("notableSteps")
        writer.array { writer in
            for step in steps {
                writer.object { writer in
                    writer.member("index", step.indexPath.map { String($0) }.joined(separator: "."))
                    writer.member("text", step.text)
                    if let place = step.place {
                        writer.name("place")
                        place.write(to: &writer)
                    }
                    writer.member("outcome", step.outcome.rawValue)
                    write("atSeconds", step.at, to: &writer)
                    writer.member("detail", step.detail)
                }
            }
        }
    }

    private func write(_ evidence: CaseResult.Evidence, to writer: inout JSONWriter) {
        let finding = evidence.finding
        writer.object { writer in
            writer.member("severity", finding.severity.rawValue)
            writer.member("headline", finding.headline)
            if let place = finding.place {
                writer.name("place")
                place.write(to: &writer)
            }
            writer.member("sourceLine", finding.sourceLine)
            writer.member("expected", finding.expected)
            writer.member("actual", finding.actual)
            writer.member("requirements", finding.requirements)
            writer.member("basis", finding.basis)
            if !finding.bytes.isEmpty { writer.member("bytes", Hex.text(finding.bytes)) }
            write("atSeconds", finding.at, to: &writer)
            if !evidence.before.isEmpty { write("before", evidence.before, to: &writer) }
            if !evidence.after.isEmpty { write("after", evidence.after, to: &writer) }
        }
    }

    private func write(_ name: String, _ entries: [TraceEntry], to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in
            for entry in entries {
                writer.object { writer in
                    write("atSeconds", entry.at, to: &writer)
                    writer.member("actor", entry.actor)
                    writer.member("category", entry.category.rawValue)
                    writer.member("text", entry.text)
                    if !entry.data.isEmpty { writer.member("data", entry.data) }
                }
            }
        }
    }

    private func write(_ name: String, _ duration: Duration?, to writer: inout JSONWriter) {
        guard let duration else { return }
        writer.name(name)
        writer.value(seconds: duration)
    }
}
