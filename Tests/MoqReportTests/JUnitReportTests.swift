import Foundation
import MoqBase
import MoqEvents
import MoqJSON
import Testing

@testable import MoqReport

struct JUnitReportTests {
    /// Runs whose documents must please every reader: name and events.
    static let runs: [(name: String, events: [RunEvent])] =
        [
            ("every verdict", ReportSamples.everyVerdict),
            ("nothing at all", []),
            (
                "no case",
                [.runStarted(ReportSamples.started), .runFinished(RunFinished(ledger: Ledger(), exitCode: 5))]
            ),
            ("stops in the middle", Array(ReportSamples.everyVerdict.prefix(8))),
            ("interrupted", ReportSamples.interrupted),
        ] + HostileRuns.all

    @Test func `a run with every verdict is this document`() throws {
        try Goldens.expect(ReportSamples.junit(ReportSamples.everyVerdict), "every-verdict.xml")
    }

    @Test func `every document follows the schema`() throws {
        let documents = runs(Self.runs)
        defer { try? FileManager.default.removeItem(at: documents.directory) }
        let schema = Tools.root.appending(path: "fixtures/junit.xsd").path
        let result = try Tools.run(
            ["xmllint", "--noout", "--nonet", "--schema", schema] + documents.files.map(\.path),
            missing:
                "xmllint is needed to hold JUnit documents against fixtures/junit.xsd: apt-get install libxml2-utils")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `the schema refuses a document that Jenkins would refuse`() throws {
        let good = ReportSamples.junit(ReportSamples.everyVerdict)
        let broken = [
            good.replacing(" classname=\"errors\"", with: ""),
            good.replacing(" name=\"errors.pass[03,quic]\"", with: ""),
            good.replacing("skipped=\"4\"", with: ""), good.replacing("type=\"known\"", with: "type=\"other\""),
        ]
        let schema = Tools.root.appending(path: "fixtures/junit.xsd").path
        for document in broken {
            #expect(document != good)
            let file = try Tools.temporaryFile(document)
            defer { try? FileManager.default.removeItem(at: file) }
            let result = try Tools.run(
                ["xmllint", "--noout", "--nonet", "--schema", schema, file.path],
                missing: "xmllint is needed: apt-get install libxml2-utils")
            #expect(result.status != 0)
        }
    }

    @Test func `junitparser understands every document as we mean it`() throws {
        for run in Self.runs {
            let results = RunResults(of: run.events)
            let read = try Tools.junitparser(ReportSamples.junit(run.events))
            #expect(read["written"] == read["counted"], "\(run.name)")
            let cases = try #require(read["suites"]?.elements).flatMap { $0["cases"]?.elements ?? [] }
            let ours = cases.filter { $0["name"]?.string != "the run as a whole" }
            #expect(ours.count == results.cases.count, "\(run.name)")
            let ledger = results.ledger
            for (outcome, count) in [
                ("passed", ledger.passed), ("failure", ledger.fail), ("error", ledger.error + ledger.vacuous),
                ("skipped", ledger.skip + ledger.blocked + ledger.notTestable + ledger.known),
            ] {
                #expect(ours.count { $0["outcome"]?.string == outcome } == count, "\(outcome) in \(run.name)")
            }
            for element in ours {
                #expect(element["name"]?.string?.isEmpty == false)
                #expect(element["classname"]?.string?.isEmpty == false)
            }
        }
    }

    @Test func `junitparser reads name, place, outcome and properties of a failure`() throws {
        let read = try Tools.junitparser(ReportSamples.junit(ReportSamples.everyVerdict))
        #expect(read["written"] == .array([.integer(9), .integer(1), .integer(2), .integer(4)]))
        let suite = try #require(read["suites"]?[0])
        #expect(suite["timestamp"]?.string == "2026-08-01T12:00:00")
        let failure = try #require(suite["cases"]?[1])
        #expect(failure["name"]?.string == "errors.fail[03,quic]")
        #expect(failure["classname"]?.string == "errors")
        #expect(failure["file"]?.string == "scenarios/errors.yaml")
        #expect(failure["line"]?.string == "12")
        #expect(failure["time"] == .real(1.204))
        #expect(failure["message"]?.string == "the subscription was reset with another code; actual: reset 0")
        let text = try #require(failure["text"]?.string)
        #expect(text.hasPrefix("scenarios/errors.yaml:17:9\n"))
        #expect(text.contains("\n  expected  reset not_found (13)\n"))
        #expect(text.hasSuffix("again  moqspec run --seed 7 --filter 'errors.fail[03,quic]'"))
        for pair in [
            ("version", "moq-lite-03"), ("transport", "quic"), ("generation", "first"), ("seed", "99"),
            ("relay", "relay 0.12"),
        ] {
            let property = JSONValue.array([.string(pair.0), .string(pair.1)])
            #expect(failure["properties"]?.elements?.contains(property) == true, "\(pair)")
        }
    }

    @Test func `a run that did not check what it should never looks green`() throws {
        for run in ["nothing at all", "no case", "stops in the middle", "interrupted"] {
            let events = try #require(Self.runs.first { $0.name == run }).events
            let document = ReportSamples.junit(events)
            #expect(!document.contains("errors=\"0\" skipped=\"0\" time=\"0.000000\">"), "\(run)")
            #expect(document.contains("name=\"the run as a whole\""), "\(run)")
        }
        let start = ReportSamples.begin("errors.pass")
        let green: [RunEvent] = [
            .caseStarted(start), ReportSamples.end(start, .pass, milliseconds: 1),
            .runFinished(RunFinished(ledger: Ledger([.pass]), exitCode: 0)),
        ]
        #expect(!ReportSamples.junit(green).contains("the run as a whole"))
    }

    @Test func `the order of the document does not depend on what ran side by side`() {
        let cases = (1...6).map { ReportSamples.begin("errors.c\($0)", suite: $0 > 3 ? "b" : "a", line: $0) }
        let ends = cases.map { ReportSamples.end($0, .pass, milliseconds: 1) }
        let one = zip(cases, ends).flatMap { [.caseStarted($0), $1] }
        let other = cases.reversed().map { RunEvent.caseStarted($0) } + ends
        #expect(ReportSamples.junit(one) == ReportSamples.junit(other))
    }

    @Test func `text is bounded, and the command that runs the case again survives`() throws {
        let start = ReportSamples.begin("errors.big")
        let big = String(repeating: "é<&>", count: 4000)
        var events: [RunEvent] = [.caseStarted(start)]
        for number in 0..<100 {
            events.append(
                .trace(TraceEntry(caseID: start.caseID, at: .zero, actor: "a", category: .frame, text: big)))
            events.append(
                .finding(
                    Finding(caseID: start.caseID, severity: .fail, headline: "\(number) \(big)", expected: big)))
        }
        let read = try Tools.junitparser(
            ReportSamples.junit(events + [ReportSamples.end(start, .fail, milliseconds: 1)]))
        let element = try #require(read["suites"]?.elements?.last?["cases"]?[0])
        #expect((element["text"]?.string?.utf8.count ?? 0) <= JUnitReport.textLimit)
        #expect(element["text"]?.string?.hasSuffix("--filter 'errors.big[03,quic]'") == true)
        #expect((element["output"]?.string?.utf8.count ?? 0) <= JUnitReport.outputLimit)
        #expect((element["message"]?.string?.utf8.count ?? 0) <= JUnitReport.messageLimit)
    }

    private func runs(_ runs: [(name: String, events: [RunEvent])]) -> (directory: URL, files: [URL]) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let files = runs.map { run in
            let file = directory.appending(path: "\(run.name).xml")
            try? Data(ReportSamples.junit(run.events).utf8).write(to: file)
            return file
        }
        return (directory, files)
    }
}
