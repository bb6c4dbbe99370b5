import MoqBase
import MoqEvents
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

/// A run of scenarios written in a test, and everything that it said.
struct TestRun {
    var events: [RunEvent] = []
    var status: MoqEvents.ExitStatus

    /// Plays the scenarios of a suite, given without its head.
    static func of(
        _ scenarios: String, seed: UInt64 = 1, transports: [String] = ["quic"],
        change: (inout RunOptions) -> Void = { _ in },
        onEvent: @escaping (RunEvent) -> Void = { _ in }
    ) throws -> TestRun {
        var options = RunOptions(
            cases: try cases(scenarios, transports: transports), target: .embedded, seed: seed, moqspecVersion: "test",
            startedAt: "")
        options.isSimulated = true
        change(&options)
        var events: [RunEvent] = []
        let status = Run(options) {
            events.append($0)
            onEvent($0)
        }.execute(signals: nil)
        return TestRun(events: events, status: status)
    }

    /// The cases of a suite, given without its head.
    static func cases(_ scenarios: String, transports: [String] = ["quic"]) throws -> [ScenarioCase] {
        let indented = scenarios.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        let yaml = "suite: tested\nabout: Written in a test.\nscenarios:\n" + indented.joined(separator: "\n")
        let vocabulary = Vocabulary(
            conditions: ErrorCondition.allNames, capabilities: Capability.names,
            versions: [Version.lite03, .lite04, .lite05, .lite06].map(\.description), transports: transports)
        let loaded = SuiteLoader(vocabulary: vocabulary).load([
            ScenarioFile(path: "tested.yaml", bytes: Array(yaml.utf8))
        ])
        let problems = loaded.diagnostics.filter { $0.severity == .error }
        try #require(problems.isEmpty, "\(DiagnosticRenderer.text(problems))")
        return loaded.suites.flatMap(\.cases)
    }

    /// The verdicts, in the order of the cases.
    var verdicts: [Verdict] {
        events.compactMap { if case .caseFinished(let event) = $0 { event.verdict } else { nil } }
    }

    /// How much virtual time each case took.
    var protocolTimes: [Duration] {
        events.compactMap { if case .caseFinished(let event) = $0 { event.protocolTime } else { nil } }
    }

    var findings: [Finding] {
        events.compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
    }

    /// What findings say, for messages of tests.
    var story: String {
        findings.map { "\($0.caseID): \($0.headline); expected \($0.expected ?? "-"); actual \($0.actual ?? "-")" }
            .joined(separator: "\n")
    }

    /// The same without who did it: which worker takes a case is a matter of luck.
    var timelessWithoutWorkers: [RunEvent] {
        timeless.map { event in
            switch event {
            case .runStarted(var event):
                event.jobs = 1
                return .runStarted(event)
            case .caseStarted(var event):
                event.worker = 0
                return .caseStarted(event)
            default:
                return event
            }
        }
    }

    /// The events without what the real clock put into them.
    var timeless: [RunEvent] {
        events.map { event in
            switch event {
            case .caseFinished(var event):
                event.duration = .zero
                event.cpuTime = .zero
                return .caseFinished(event)
            case .runFinished(var event):
                event.duration = .zero
                return .runFinished(event)
            case .targetProbed(var event):
                // The certificate is made anew for each run.
                event.certificateFingerprint = nil
                return .targetProbed(event)
            default:
                return event
            }
        }
    }
}
