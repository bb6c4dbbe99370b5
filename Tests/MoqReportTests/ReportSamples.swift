import MoqBase
import MoqEvents

@testable import MoqReport

/// Synthetic runs for the reports.
enum ReportSamples {
    static let started = RunStarted(
        moqspecVersion: "0.1.0", seed: 7,
        target: RunStarted.Target(
            description: "relay 0.12", kind: .url, address: "https://127.0.0.1:4443/anon?jwt=s3cr3t"),
        world: .sockets, jobs: 2, started: "2026-08-01T12:00:00Z", selectedCases: 9)

    static let probed = TargetProbed(
        generation: .first, evidence: "a missing track was refused with 13", version: "moq-lite-03", transport: "quic")

    static let rerun = Rerun(prefix: "moqspec run --seed 7 --filter")

    static func begin(
        _ scenario: String, suite: String = "errors", line: Int = 12, title: String = "What it says",
        variables: NamedValues = ["version": "03", "transport": "quic"]
    ) -> CaseStarted {
        CaseStarted(
            caseID: variables.isEmpty ? scenario : "\(scenario)[\(variables.map(\.value).joined(separator: ","))]",
            suite: suite, scenario: scenario, title: title,
            place: FilePlace(file: "scenarios/\(suite).yaml", line: line, column: 5), tags: ["codes"],
            requirements: ["errors.code"], variables: variables, seed: 99)
    }

    static func end(_ start: CaseStarted, _ verdict: Verdict, milliseconds: Int, reason: String? = nil) -> RunEvent {
        .caseFinished(
            CaseFinished(
                caseID: start.caseID, verdict: verdict, duration: .milliseconds(milliseconds),
                protocolTime: .milliseconds(10 * milliseconds), cpuTime: .milliseconds(2), version: "moq-lite-03",
                transport: "quic", reason: reason))
    }

    static func failing(_ start: CaseStarted) -> [RunEvent] {
        [
            .caseStarted(start),
            .trace(
                TraceEntry(
                    caseID: start.caseID, at: .microseconds(1250), actor: "viewer", category: .subscribe,
                    text: "SUBSCRIBE id 0 game/nope")),
            .trace(
                TraceEntry(
                    caseID: start.caseID, at: .milliseconds(3), actor: "relay", category: .code,
                    text: "RESET_STREAM 4 with code 0")),
            .step(
                StepEnded(
                    caseID: start.caseID, indexPath: [4], text: "viewer.expect reset not_found", outcome: .failed,
                    at: .microseconds(3100))),
            .finding(
                Finding(
                    caseID: start.caseID, severity: .fail, headline: "the subscription was reset with another code",
                    place: FilePlace(file: "scenarios/errors.yaml", line: 17, column: 9),
                    sourceLine: "      - viewer.expect: { track: nope, reset: not_found }",
                    expected: "reset not_found (13)\nor the end of the session", actual: "reset 0",
                    requirements: ["errors.code"], basis: "section 7.4", bytes: [4, 0], at: .microseconds(3100))),
            .trace(
                TraceEntry(
                    caseID: start.caseID, at: .milliseconds(4), actor: "viewer", category: .session,
                    text: "closed")),
            end(start, .fail, milliseconds: 1204),
        ]
    }

    /// A run with a case of every verdict, two of them side by side.
    static let everyVerdict: [RunEvent] = {
        let pass = begin("errors.pass", line: 3)
        let fail = begin("errors.fail")
        let warn = begin("errors.warn", line: 20)
        let error = begin("groups.error", suite: "groups", line: 4, variables: [:])
        let skip = begin("groups.skip", suite: "groups", line: 8)
        let blocked = begin("groups.blocked", suite: "groups", line: 9)
        let untestable = begin("groups.untestable", suite: "groups", line: 10)
        let vacuous = begin("groups.vacuous", suite: "groups", line: 11)
        let known = begin("groups.known", suite: "groups", line: 12)
        var events: [RunEvent] = [.runStarted(started), .targetProbed(probed), .caseStarted(pass)]
        events += failing(fail)
        events += [
            end(pass, .pass, milliseconds: 4), .caseStarted(warn),
            .finding(
                Finding(
                    caseID: warn.caseID, severity: .warn, headline: "the answer took its time", expected: "within 1 s",
                    actual: "1.2 s")),
            end(warn, .warn, milliseconds: 1300), .caseStarted(error),
            .finding(Finding(caseID: error.caseID, severity: .error, headline: "no more file descriptors")),
            end(error, .error, milliseconds: 1), .caseStarted(skip),
            end(skip, .skip, milliseconds: 0, reason: "the target says nothing of path-scoping"),
            .caseStarted(blocked), end(blocked, .blocked, milliseconds: 0, reason: "errors.fail failed"),
            .caseStarted(untestable),
            end(untestable, .notTestable, milliseconds: 2, reason: "the first generation has one code for both"),
            .caseStarted(vacuous),
            .finding(
                Finding(
                    caseID: vacuous.caseID, severity: .vacuous, headline: "no packet was lost",
                    place: FilePlace(file: "scenarios/groups.yaml", line: 15, column: 9))),
            end(vacuous, .vacuous, milliseconds: 30), .caseStarted(known),
            .finding(Finding(caseID: known.caseID, severity: .fail, headline: "group 3 came twice")),
            end(known, .known, milliseconds: 5, reason: "issue 1148, until 0.13"),
        ]
        let ledger = Ledger(Verdict.allCases)
        return events + [
            .runFinished(RunFinished(ledger: ledger, status: ExitStatus(ledger: ledger), duration: .seconds(2)))
        ]
    }()

    /// A run that SIGINT cut short after its first case.
    static let interrupted: [RunEvent] = {
        let start = begin("errors.pass")
        var circumstances = ExitStatus.Circumstances()
        circumstances.interruption = .interrupt
        var ledger = Ledger([.pass])
        ledger.notStarted = 8
        return [
            .runStarted(started), .caseStarted(start), end(start, .pass, milliseconds: 1),
            .runFinished(
                RunFinished(
                    ledger: ledger, status: ExitStatus(ledger: ledger, circumstances), duration: .seconds(1),
                    interruption: .interrupt)),
        ]
    }()

    static func console(_ events: [RunEvent], _ options: ConsoleReport.Options) -> [String] {
        var report = ConsoleReport(options)
        return events.flatMap { report.lines(for: $0) } + report.linesAtStop()
    }

    static func junit(_ events: [RunEvent]) -> String {
        JUnitReport(RunResults(of: events), rerun: rerun).text()
    }
}
