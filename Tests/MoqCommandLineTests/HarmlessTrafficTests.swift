import Foundation
import MoqEvents
import MoqRunner
import MoqScenario
import Testing

@testable import MoqCommandLine

/// What has nothing to do with a case disturbs none of its expectations: other broadcasts that come and go at the same
/// paths' roots, tracks that run, probes.
@Suite struct HarmlessTrafficTests {
    /// What goes on beside a case. The first branch of the last step stands for the case's own steps.
    private static let traffic = """
        suite: traffic
        about: Traffic that is nobody's business.
        scenarios:
          - id: traffic.beside
            title: Somebody else's broadcasts
            requirements: [a.b]
            matrix: { version: moq-lite-06 }
            actors: { bystander: session, onlooker: session }
            steps:
              - bystander.publish: { broadcast: zz-elsewhere/hum, tracks: [hum] }
              - bystander.probe: {}
              - onlooker.expect: { announced: zz-elsewhere/hum }
              - onlooker.probe: {}
              - onlooker.subscribe: { broadcast: zz-elsewhere/hum, track: hum }
              - parallel:
                  - - onlooker.expect: { session: connected }
                  - repeat:
                      times: forever
                      every: 40ms
                      steps:
                        - bystander.write: { track: hum, groups: 1, frames: 2 }
                        - bystander.publish: { broadcast: "zz-elsewhere/${i}" }
                        - bystander.unpublish: { broadcast: "zz-elsewhere/${i}" }
        """

    /// One case of each scenario on 06 and raw QUIC that is about nothing but its own broadcasts.
    private static func cases() throws -> (cases: [ScenarioCase], notHeldTo: Set<String>) {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let loaded = try LoadedScenarios([root.appending(path: "scenarios").path])
        let cases = try loaded.suites().flatMap(\.scenarios).compactMap { scenario in
            scenario.cases.first { $0.version == "moq-lite-06" && $0.transport == "quic" }
        }
        return (cases.filter { isAboutItself($0) }, loaded.notHeldTo(under: .deployed))
    }

    private static func isAboutItself(_ scenario: ScenarioCase) -> Bool {
        guard scenario.isolation == .path, scenario.exclusion == nil, Combination.reasonToLeaveOut(scenario) == nil
        else { return false }
        // A relay that is stopped takes everybody along; whatever is announced, and how often the relay asks, are about
        // everybody at the path.
        let text = "\(scenario.steps)"
        return !text.contains(".relay(") && !text.contains("*")
    }

    private static func withTraffic(_ scenario: ScenarioCase, _ beside: ScenarioCase) -> ScenarioCase {
        var both = scenario
        both.actors += beside.actors
        both.steps = beside.steps
        guard case .parallel(var branches) = both.steps[both.steps.count - 1].kind else { return scenario }
        branches[0] = scenario.steps
        both.steps[both.steps.count - 1].kind = .parallel(branches)
        return both
    }

    @Test func trafficOfOthersDisturbsNoExpectation() throws {
        let file = ScenarioFile(path: "traffic.yaml", bytes: Array(Self.traffic.utf8))
        let loaded = SuiteLoader(vocabulary: .ofThisRelease).load([file])
        let beside = try #require(loaded.suites.first?.cases.first, "\(DiagnosticRenderer.text(loaded.diagnostics))")
        let (alone, notHeldTo) = try Self.cases()
        let cases = alone.map { Self.withTraffic($0, beside) }
        #expect(cases.count > 150)
        var options = RunOptions(cases: cases, target: .embedded, seed: 5, moqspecVersion: "test", startedAt: "")
        options.isSimulated = true
        options.jobs = 2
        options.notHeldTo = notHeldTo
        var disturbed: [String] = []
        var passed = 0
        _ = Run(options) { event in
            switch event {
            case .finding(let finding) where [.fail, .error, .vacuous, .warn].contains(finding.severity):
                disturbed.append("\(finding.caseID): \(finding.headline): \(finding.actual ?? "")")
            case .caseFinished(let end) where end.verdict == .pass: passed += 1
            default: break
            }
        }.execute(signals: nil)
        #expect(disturbed.isEmpty, "\(disturbed.joined(separator: "\n"))")
        #expect(passed > 150)
    }
}
