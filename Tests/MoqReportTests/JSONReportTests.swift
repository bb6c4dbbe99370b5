import MoqBase
import MoqEvents
import MoqJSON
import Testing

@testable import MoqReport

struct JSONReportTests {
    @Test func `a document holds the run, the target, the cases and their findings`() throws {
        let results = RunResults(of: ReportSamples.everyVerdict)
        let document = try JSONValue(parsing: JSONReport(results, rerun: ReportSamples.rerun).bytes())
        #expect(document["format"]?.string == "moqspec-results")
        #expect(document["run"]?["seed"]?.string == "7")
        #expect(document["run"]?["complete"] == .bool(true))
        #expect(document["run"]?["exitCode"]?.integer == 3)
        #expect(document["target"]?["generation"]?.string == "first")
        #expect(document["target"]?["address"]?.string == "https://127.0.0.1:4443/anon?jwt=REDACTED")
        #expect(document["ledger"]?["all"]?.integer == 9)

        let cases = try #require(document["cases"]?.elements)
        #expect(
            cases.compactMap { $0["verdict"]?.string } == [
                "pass", "fail", "warn", "error", "skip", "blocked", "notTestable", "vacuous", "known",
            ])
        let failure = cases[1]
        #expect(failure["name"]?.string == "errors.fail [03 quic]")
        #expect(failure["seconds"] == .real(1.204))
        #expect(failure["variables"]?["version"]?.string == "03")
        #expect(failure["again"]?.string == "moqspec run --seed 7 --filter 'errors.fail[03,quic]'")
        let finding = try #require(failure["findings"]?[0])
        #expect(finding["place"]?["line"]?.integer == 17)
        #expect(finding["bytes"]?.string == "0400")
        #expect(finding["before"]?.elements?.count == 3)
        #expect(finding["after"]?[0]?["text"]?.string == "closed")
        #expect(failure["timelineLines"]?.integer == 4)
        #expect(cases[0]["timeline"] == nil)
        #expect(cases[4]["reason"]?.string == "the target says nothing of path-scoping")
    }

    @Test func `a run that stopped says that it is not complete`() throws {
        let results = RunResults(of: ReportSamples.everyVerdict.prefix(6))
        let document = try JSONValue(parsing: JSONReport(results).bytes())
        #expect(document["run"]?["complete"] == .bool(false))
        #expect(document["run"]?["exitCode"] == nil)
        #expect(document["cases"]?[0]?["verdict"]?.string == "error")
        #expect(document["ledger"]?["notStarted"]?.integer == 7)
    }

    @Test func `hostile text gives a document that reads back as it was`() throws {
        for text in HostileRuns.texts {
            let document = try JSONValue(parsing: JSONReport(RunResults(of: HostileRuns.run(text))).bytes())
            #expect(document["target"]?["description"]?.string == text)
            #expect(document["cases"]?.elements?.count == Verdict.allCases.count)
        }
    }

    @Test func `a report of nothing is a document`() throws {
        let document = try JSONValue(parsing: JSONReport(RunResults()).bytes())
        #expect(document["cases"] == .array([]))
    }

    @Test func `the events report is the stream line by line`() throws {
        let lines = ReportSamples.everyVerdict.flatMap { EventsReport.line(for: $0) }
        let read = try EventReader.events(in: lines)
        #expect(RunResults(of: read) == RunResults(of: ReportSamples.everyVerdict))
    }

    @Test func `a report made from a recording is the same as the one made while it ran`() throws {
        let recorded = try EventReader.events(in: ReportSamples.everyVerdict.flatMap { EventCodec.encode($0) })
        #expect(ReportSamples.junit(recorded) == ReportSamples.junit(ReportSamples.everyVerdict))
        #expect(
            ReportSamples.console(recorded, ConsoleReport.Options())
                == ReportSamples.console(ReportSamples.everyVerdict, ConsoleReport.Options()))
    }
}
