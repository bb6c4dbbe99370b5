import MoqEvents
import MoqJSON
import MoqKit

/// Coverage as one JSON document (docs/results.md).
public struct CoverageJSON: Sendable {
    /// The version of the document's form.
    public static let schemaVersion = 1
    /// Cases named of one row; all are counted.
    static let caseLimit = 20

    private let coverage: Coverage

    /// The document of coverage.
    public init(_ coverage: Coverage) {
        self.coverage = coverage
    }

    /// The document, indented, with a line feed at its end.
    public func bytes() -> [UInt8] {
        var writer = JSONWriter(indented: true)
        writer.object { writer in
            writer.member("format", "moqspec-coverage")
            writer.member("schema", Self.schemaVersion)
            writer.member("profile", coverage.profile.rawValue)
            writer.name("runs")
            writer.array { writer in for run in coverage.runs { write(run, to: &writer) } }
            writer.name("totals")
            write(coverage.totals, to: &writer)
            writer.name("areas")
            writer.array { writer in for area in coverage.areas { write(area, to: &writer) } }
            write("unattributed", coverage.unattributed, to: &writer)
            writeMachines(to: &writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func writeMachines(to writer: inout JSONWriter) {
        let totals = coverage.transitions.totals(of: .builtIn)
        guard !totals.isEmpty else { return }
        let rows = coverage.transitions.rows
        writer.name("machines")
        writer.array { writer in
            for total in totals {
                writer.object { writer in
                    writer.member("machine", total.machine)
                    writer.member("profile", total.profile.rawValue)
                    writer.member("taken", total.taken)
                    writer.member("all", total.all)
                    writer.name("transitions")
                    writer.array { writer in
                        for row in rows where row.machine == total.machine && row.profile == total.profile {
                            writer.object { writer in
                                writer.member("transition", row.key)
                                writer.member("taken", row.taken)
                            }
                        }
                    }
                }
            }
        }
    }

    private func write(_ run: RunEvidence, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("source", run.source)
            writer.member("target", run.target)
            writer.member("world", run.world)
            writer.member("started", run.started)
            writer.name("complete")
            writer.value(run.isComplete)
            writer.member("cases", run.cases.count)
        }
    }

    private func write(_ totals: CoverageTotals, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("all", totals.all)
            for status in CoverageRow.Status.allCases { writer.member(status.rawValue, totals[status]) }
        }
    }

    private func write(_ area: Coverage.Area, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", area.name)
            writer.name("totals")
            write(area.totals, to: &writer)
            writer.name("requirements")
            writer.array { writer in for row in area.rows { write(row, to: &writer) } }
        }
    }

    private func write(_ row: CoverageRow, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", row.requirement.id)
            writer.member("level", row.requirement.level.rawValue)
            writer.member("profile", row.requirement.profile?.rawValue)
            writer.member("status", row.status.rawValue)
            writer.member("reason", row.reason)
            writer.member("heldCases", row.holding.count)
            writer.member("brokenCases", row.breaking.count)
            if !row.knownBreaking.isEmpty { writer.member("knownCases", row.knownBreaking.count) }
            if !row.informing.isEmpty { writer.member("informationalCases", row.informing.count) }
            writer.member("counted", row.tally.held)
            writer.member("countedBroken", row.tally.broken)
            writer.member("scenarios", row.scenarios)
            write("witnesses", row.witnesses, to: &writer)
        }
    }

    private func write(_ name: String, _ witnesses: [CoverageRow.Witness], to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in
            for witness in witnesses.prefix(Self.caseLimit) {
                writer.object { writer in
                    writer.member("case", witness.caseID)
                    writer.name("place")
                    witness.place.write(to: &writer)
                    writer.member("line", witness.line)
                }
            }
        }
    }
}
