import Foundation
import MoqEvents
import MoqReport
import Testing

@testable import MoqCommandLine

@Suite struct RunOutputTests {
    private static let events: [RunEvent] = [
        .runStarted(
            RunStarted(
                moqspecVersion: "1", seed: 7,
                target: RunStarted.Target(description: "embedded", kind: .embedded, address: ""), world: .simulated,
                selectedCases: 2)),
        .caseStarted(
            CaseStarted(
                caseID: "a[version=06]", suite: "s", scenario: "a", title: "A",
                place: FilePlace(file: "s.yaml", line: 3))),
        .caseFinished(CaseFinished(caseID: "a[version=06]", verdict: .pass)),
        .caseStarted(
            CaseStarted(
                caseID: "b", suite: "s", scenario: "b", title: "B", place: FilePlace(file: "s.yaml", line: 9))),
    ]

    private func requests(in folder: TemporaryFolder) -> [ReportRequest] {
        [
            ReportRequest(kind: .junit, path: "\(folder.path)/deep/junit.xml"),
            ReportRequest(kind: .json, path: "\(folder.path)/results.json"),
            ReportRequest(kind: .events, path: "\(folder.path)/events.jsonl"),
        ]
    }

    @Test func anEventIsInItsFileAsSoonAsItHappened() throws {
        let folder = try TemporaryFolder()
        let screen = try OutputFile(creating: "\(folder.path)/screen", flag: "")
        let output = RunOutput(
            ConsoleReport.Options(), screen: screen, reports: try ReportFiles(requests(in: folder)))
        for (index, event) in Self.events.enumerated() {
            output.take(event)
            let lines = try folder.text("events.jsonl").split(separator: "\n")
            #expect(lines.count == index + 1)
        }
        #expect(try folder.text("screen").contains("seed 7"))
    }

    @Test func aRunThatWasCutShortIsReportedAllTheSame() throws {
        let folder = try TemporaryFolder()
        let screen = try OutputFile(creating: "\(folder.path)/screen", flag: "")
        let rerun = Rerun(prefix: "moqspec run --filter")
        let output = RunOutput(
            ConsoleReport.Options(rerun: rerun), screen: screen, reports: try ReportFiles(requests(in: folder)))
        Self.events.forEach(output.take)
        #expect(output.finish().isEmpty)
        let junit = try folder.text("deep/junit.xml")
        #expect(junit.contains("<testcase name=\"a"))
        #expect(junit.contains("<testcase name=\"b"))
        #expect(try folder.text("results.json").contains("\"pass\""))
        #expect(try folder.text("screen").contains(RunResults.unfinishedReason))
    }

    @Test func aReportThatCannotBeWrittenIsKnownBeforeTheRun() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("file", "x")
        let text = Samples.message {
            _ = try ReportFiles([ReportRequest(kind: .junit, path: "\(path)/junit.xml")])
        }
        #expect(text == "--report junit: \(path)/junit.xml cannot be written: Not a directory")
    }

    @Test func aDiskThatFillsUpIsNoticedAndDoesNotEndTheRun() throws {
        let reports = try ReportFiles([ReportRequest(kind: .events, path: "/dev/full")])
        Self.events.forEach(reports.take)
        #expect(
            reports.finish(RunResults(of: Self.events), rerun: nil) == ["/dev/full: No space left on device"])
    }
}
