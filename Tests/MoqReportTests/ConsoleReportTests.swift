import MoqBase
import MoqEvents
import Testing

@testable import MoqReport

struct ConsoleReportTests {
    @Test func `a run with every verdict reads like this`() throws {
        let lines = ReportSamples.console(
            ReportSamples.everyVerdict, ConsoleReport.Options(rerun: ReportSamples.rerun))
        try Goldens.expect(lines.joined(separator: "\n") + "\n", "every-verdict.txt")
    }

    @Test func `quiet says only what is wrong and the ledger`() {
        let lines = ReportSamples.console(ReportSamples.everyVerdict, ConsoleReport.Options(verbosity: .quiet))
        let text = lines.joined(separator: "\n")
        #expect(text.contains("  FAIL     errors.fail"))
        #expect(text.contains("  VACUOUS  groups.vacuous"))
        #expect(!text.contains("errors.pass") && !text.contains("slowest") && !text.contains("path-scoping"))
        #expect(
            lines.contains(
                "9 cases = 2 passed (1 with warnings) + 1 failed + 1 known + 1 skipped + 1 blocked + 1 vacuous + 1 not testable + 1 error"
            ))
        #expect(lines.last == "also    1 case did not reach what the scenario says must be reached")
    }

    @Test func `verbose shows the timeline of cases that pass`() {
        let start = ReportSamples.begin("errors.pass")
        let events: [RunEvent] = [
            .caseStarted(start),
            .step(StepEnded(caseID: start.caseID, indexPath: [0], text: "viewer.connect", outcome: .passed)),
            .finding(Finding(caseID: start.caseID, severity: .note, headline: "by the way")),
            ReportSamples.end(start, .pass, milliseconds: 4),
        ]
        let text = ReportSamples.console(events, ConsoleReport.Options(verbosity: .verbose)).joined(separator: "\n")
        #expect(text.contains("        0.000000  step 1  step       viewer.connect: passed"))
        #expect(text.contains("NOTE: by the way"))
        #expect(!ReportSamples.console(events, ConsoleReport.Options()).joined().contains("by the way"))
    }

    @Test func `the first line of the summary is the ledger`() {
        var report = ConsoleReport()
        let summary = ReportSamples.everyVerdict.map { report.lines(for: $0) }.last
        #expect(summary?.first { !$0.isEmpty }?.hasPrefix("9 cases = ") == true)
    }

    @Test func `colours change nothing but colour, and only a terminal gets them`() {
        let plain = ReportSamples.console(ReportSamples.everyVerdict, ConsoleReport.Options())
        let painted = ReportSamples.console(ReportSamples.everyVerdict, ConsoleReport.Options(isTerminal: true))
        let refused = ReportSamples.console(
            ReportSamples.everyVerdict, ConsoleReport.Options(isTerminal: true, noColor: true))
        #expect(!plain.joined().contains("\u{1B}"))
        #expect(refused == plain)
        #expect(painted.joined().contains("\u{1B}[31m"))
        #expect(painted.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") } == plain)
    }

    @Test func `a run that stops in the middle is summed up all the same`() {
        let events = Array(ReportSamples.everyVerdict.prefix(6))
        let lines = ReportSamples.console(events, ConsoleReport.Options())
        #expect(lines.contains("9 cases = 0 passed + 2 errors + 7 not started"))
        #expect(lines.contains("  scenarios/errors.yaml:12  errors.fail[03,quic]  the run ended before this case did"))
        #expect(lines.last == "the events stop before the run's end: moqspec died or was killed")
    }

    @Test func `what a relay says cannot move the cursor or forge lines`() {
        let start = ReportSamples.begin("errors.pass\u{1B}[2J", title: "\u{1B}]0;title\u{7}")
        let hostile = "\u{1B}[1A\rok\u{202E}\nPASS \u{9B}31m\u{7F}"
        let events: [RunEvent] = [
            .caseStarted(start),
            .trace(
                TraceEntry(caseID: start.caseID, at: .zero, actor: hostile, category: .relay, text: hostile)),
            .finding(
                Finding(
                    caseID: start.caseID, severity: .fail, headline: hostile, place: FilePlace(file: hostile, line: 1),
                    sourceLine: hostile, expected: hostile, actual: hostile)),
            ReportSamples.end(start, .fail, milliseconds: 1, reason: hostile),
            .runFinished(RunFinished(ledger: Ledger([.fail]), exitCode: 1, reasons: [hostile])),
        ]
        for line in ReportSamples.console(events, ConsoleReport.Options(verbosity: .verbose)) {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
            #expect(!line.contains("\u{202E}"))
            // Texts of one line stay one; those that may have several are indented.
            #expect(!line.hasPrefix("PASS"))
        }
    }

    @Test func `no token is printed`() {
        let lines = ReportSamples.console(
            ReportSamples.everyVerdict,
            ConsoleReport.Options(rerun: Rerun(prefix: "moqspec run --relay 'https://r/?jwt=s3cr3t' --filter")))
        #expect(!lines.joined().contains("s3cr3t"))
        #expect(lines.contains { $0.contains("--relay 'https://r/?jwt=REDACTED' --filter 'errors.fail[03,quic]'") })
    }

    @Test func `the slowest cases are named when there are more than a screen shows`() {
        let cases = (1...12).map { ReportSamples.begin("errors.c\($0)", line: $0, variables: [:]) }
        let events = cases.enumerated().flatMap { index, start in
            [.caseStarted(start), ReportSamples.end(start, .pass, milliseconds: index == 2 ? 61_500 : index)]
        }
        let lines = ReportSamples.console(events, ConsoleReport.Options())
        let first = lines.firstIndex(of: "slowest")
        let named =
            first.map { first in
                lines[(first + 1)...(first + 10)].map { line in
                    line.split(separator: "  ").first.map { String($0.drop { $0 == " " }) } ?? ""
                }
            } ?? []
        #expect(
            named == [
                "1 min 01 s", "11 ms", "10 ms", "9.0 ms", "8.0 ms", "7.0 ms", "6.0 ms", "5.0 ms", "4.0 ms", "3.0 ms",
            ])
        #expect(first.map { lines[$0 + 11].hasPrefix("  ") } != true, "there are more than ten")
    }

    @Test func `a slow case says what it took its time for`() {
        func bound(steps: [Int], protocolTime: Int, duration: Int, cpu: Int) -> CaseResult.Bound? {
            let start = ReportSamples.begin("errors.slow")
            var events: [RunEvent] = [.caseStarted(start)]
            for (index, at) in steps.enumerated() {
                events.append(
                    .step(
                        StepEnded(
                            caseID: start.caseID, indexPath: [index], text: "step \(index)", outcome: .passed,
                            at: .milliseconds(at))))
            }
            events.append(
                .caseFinished(
                    CaseFinished(
                        caseID: start.caseID, verdict: .pass, duration: .milliseconds(duration),
                        protocolTime: .milliseconds(protocolTime), cpuTime: .milliseconds(cpu))))
            return RunResults(of: events).cases.first?.bound
        }
        #expect(
            bound(steps: [10, 900, 950], protocolTime: 1_000, duration: 1_000, cpu: 20)
                == .step("step 1", .milliseconds(890)))
        #expect(
            bound(steps: [10, 20], protocolTime: 1_000, duration: 1_000, cpu: 20) == .settling(.milliseconds(980)))
        #expect(bound(steps: [10, 900], protocolTime: 1_000, duration: 1_000, cpu: 800) == .processor)
        #expect(bound(steps: [1, 2], protocolTime: 3, duration: 1_000, cpu: 20) == .others)
    }

    @Test func `a long source line is shown around its column`() {
        let start = ReportSamples.begin("errors.long")
        let source = "  " + String(repeating: "a", count: 298) + "X" + String(repeating: "b", count: 300)
        let finding = Finding(
            caseID: start.caseID, severity: .fail, headline: "h", place: FilePlace(file: "f", line: 9, column: 301),
            sourceLine: source)
        let evidence = CaseResult.Evidence(finding: finding, before: [], earlier: 0)
        let lines = FindingText.lines(of: evidence, in: start).map(\.text)
        #expect(lines[1].count == FindingText.shownSource + "  9 | ".count)
        let caret = lines[2].firstIndex(of: "^").map { lines[2].distance(from: lines[2].startIndex, to: $0) }
        #expect(caret.map { Array(lines[1])[$0] } == "X")
    }

    @Test func `a step without its indentation has no caret, and is not repeated as what was expected`() {
        let start = ReportSamples.begin("errors.step")
        let finding = Finding(
            caseID: start.caseID, severity: .fail, headline: "it did not happen",
            place: FilePlace(file: "f", line: 9, column: 9), sourceLine: "- a.expect: { session: closed }",
            expected: "- a.expect: { session: closed }", actual: "connected\nfor 3 s")
        let evidence = CaseResult.Evidence(finding: finding, before: [], earlier: 0)
        #expect(
            FindingText.lines(of: evidence, in: start).map(\.text) == [
                "f:9:9", "  9 | - a.expect: { session: closed }", "FAIL: it did not happen", "  actual    connected",
                "            for 3 s",
            ])
        #expect(FindingText.summary(finding) == "it did not happen; actual: connected")
    }
}
