import MoqBase

@testable import MoqEvents

/// Events for tests: one of each kind with every field set, and the same with texts that a test chooses.
enum EventSamples {
    static let started = RunStarted(
        moqspecVersion: "0.1.0", seed: .max,
        target: RunStarted.Target(
            description: "relay 0.12", kind: .command, address: "https://127.0.0.1:4443/anon",
            capabilities: ["group-budget", "path-scoping"], release: "0.12"),
        world: .simulated, jobs: 8, started: "2026-08-01T12:00:00Z", selectedCases: 12, profile: "draft")

    static var everyKind: [RunEvent] { everyKind(text: "plain") }

    static func everyKind(text: String) -> [RunEvent] {
        var target = started
        target.target.description = text
        var ledger = Ledger()
        for (count, verdict) in Verdict.allCases.enumerated() { ledger[verdict] = count }
        ledger.notStarted = 3
        let place = FilePlace(file: "scenarios/\(text).yaml", line: 31, column: 14)
        return [
            .runStarted(target),
            .targetProbed(
                TargetProbed(
                    generation: .first, evidence: text, version: "moq-lite-03", transport: text,
                    certificateFingerprint: "00ff")),
            .caseStarted(
                CaseStarted(
                    caseID: "c", suite: text, scenario: text, title: text, place: place, tags: [text, text],
                    requirements: [text], variables: ["z \(text)": text, "a": ""], seed: 1 << 63, worker: 3)),
            .trace(
                TraceEntry(
                    caseID: "c", at: .nanoseconds(1_234_567_890), actor: text, category: .network, text: text,
                    data: ["code": text])),
            .step(
                StepEnded(
                    caseID: "c", indexPath: [3, 0, 2], text: text, place: place, outcome: .notTestable,
                    at: .milliseconds(5), detail: text)),
            .finding(
                Finding(
                    caseID: "c", severity: .vacuous, headline: text, place: place, sourceLine: text, expected: text,
                    actual: text, requirements: [text, "b"], basis: text, bytes: [0, 10, 255], at: .seconds(2))),
            .caseFinished(
                CaseFinished(
                    caseID: "c", verdict: .known, duration: .nanoseconds(1), protocolTime: .seconds(3600),
                    cpuTime: .microseconds(7), version: text, transport: "quic",
                    checked: [
                        RequirementTally(requirement: text, held: 3, broken: 0),
                        RequirementTally(requirement: "b", held: 0, broken: 1),
                    ],
                    transitions: [
                        TransitionTally(machine: text, profile: "ios", transition: "a --b--> c", taken: 2)
                    ], reason: text)),
            .runFinished(
                RunFinished(
                    ledger: ledger, exitCode: 143, reasons: [text, "b"], duration: .seconds(9),
                    interruption: .terminate)),
        ]
    }
}
