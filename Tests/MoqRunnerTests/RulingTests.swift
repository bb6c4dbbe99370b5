import MoqBase
import MoqEvents
import MoqScenario
import Testing

@testable import MoqRunner

/// What failures amount to under a profile and a list of known failures.
@Suite struct RulingTests {
    /// Two scenarios: one fails, one passes.
    private static let both = """
        - id: tested.fails
          title: Nothing comes
          requirements: [test.one, test.draft]
          matrix: { version: [moq-lite-06] }
          actors: { viewer: session }
          steps:
            - viewer.expect: { announced: game, within: 1s }
        - id: tested.passes
          title: It connects
          requirements: [test.one]
          matrix: { version: [moq-lite-06] }
          actors: { viewer: session }
          steps: [{ viewer.connect: {} }]
        """

    private static let failing = "tested.fails[version=06]"
    private static let passing = "tested.passes[version=06]"

    private func entry(message: String) throws -> KnownFailure {
        let text = """
            known:
              - cases: any
                message: "\(message)"
                reason: nobody publishes it
                link: https://example.org/1
                expires: 2027-01-31
            """
        let reading = KnownFailureReader(vocabulary: Vocabulary(conditions: [], capabilities: [], versions: []))
            .read(ScenarioFile(path: "known.yaml", bytes: Array(text.utf8))) { _ in nil }
        return try #require(reading.entries.first)
    }

    private func reasons(_ run: TestRun) -> [String] { run.status.reasons.map(\.description) }

    @Test func aFailureOnTheListIsKnown() throws {
        let entry = try entry(message: "*did not happen*")
        let run = try TestRun.of(Self.both) { $0.known = KnownFailures(entries: [entry], ofCase: [Self.failing: [0]]) }
        #expect(run.verdicts == [.known, .pass], "\(run.story)")
        #expect(run.status.code == 0)
        // The evidence stays as heavy as it is.
        #expect(run.findings.map(\.severity) == [.fail])
        for case .caseFinished(let end) in run.events where end.verdict == .known {
            #expect(end.reason == "nobody publishes it (https://example.org/1)")
        }
    }

    @Test func anotherReasonIsAFailureAndNotTheListsAnyMore() throws {
        let entry = try entry(message: "*something else*")
        let run = try TestRun.of(Self.both) { $0.known = KnownFailures(entries: [entry], ofCase: [Self.failing: [0]]) }
        #expect(run.verdicts == [.fail, .pass])
        #expect(run.status.code == 4)
        #expect(reasons(run).count == 1)
        #expect(
            reasons(run)[0].contains(
                "tested.fails[version=06] failed for another reason than known.yaml:2 records "
                    + "(message `*something else*`): viewer: it did not happen"
            ))
    }

    @Test func aSurprisePassIsSaid() throws {
        let entry = try entry(message: "*did not happen*")
        let run = try TestRun.of(Self.both) {
            $0.known = KnownFailures(entries: [entry], ofCase: [Self.failing: [0], Self.passing: [0]])
        }
        #expect(run.verdicts == [.known, .pass])
        #expect(run.status.code == 4)
        #expect(
            reasons(run) == [
                "the list of known failures is not true any more: "
                    + "tested.passes[version=06] passed, and known.yaml:2 lists it as a known failure"
            ])
    }

    @Test func whatWasWrongBeforeTheRunHasItsOwnLine() throws {
        let entry = try entry(message: "*did not happen*")
        let run = try TestRun.of(Self.both) {
            $0.known = KnownFailures(
                entries: [entry], ofCase: [Self.failing: [0]], complaints: ["expired", "unmatched"])
        }
        #expect(run.status.code == 4)
        #expect(reasons(run).count == 2)
    }

    @Test func anUnlistedFailureGoesBeforeTheList() throws {
        let entry = try entry(message: "*did not happen*")
        let run = try TestRun.of(Self.both) { $0.known = KnownFailures(entries: [entry], ofCase: [Self.passing: [0]]) }
        #expect(run.verdicts == [.fail, .pass])
        #expect(run.status.reasons.map(\.code) == [1, 4])
    }

    @Test func whatTheRelayIsNotHeldToInforms() throws {
        let scenarios = Self.both.replacing(
            "{ announced: game, within: 1s }", with: "{ announced: game, within: 1s }\n      requirement: test.draft")
        let run = try TestRun.of(scenarios) { $0.notHeldTo = ["test.draft"] }
        #expect(run.verdicts == [.skip, .pass], "\(run.story)")
        #expect(run.status.code == 0)
        #expect(run.findings.map(\.requirements) == [["test.draft"]])
        #expect(
            run.findings.first?.headline
                == "not held to it under the profile deployed: viewer: it did not happen within 1 s")
        let held = try TestRun.of(scenarios) {
            $0.notHeldTo = ["test.other"]
            $0.profile = .draft
        }
        #expect(held.verdicts == [.fail, .pass])
        #expect(held.status.code == 1)
    }

    @Test func aFailureThatNamesSomethingElseTooWeighs() throws {
        let run = try TestRun.of(Self.both) { $0.notHeldTo = ["test.draft"] }
        #expect(run.verdicts == [.fail, .pass])
    }

    @Test func aFindingBesidesTheStepsThatInformsLeavesThePass() {
        let finding = Finding(caseID: "c", severity: .fail, headline: "h", requirements: ["test.draft"])
        var options = RunOptions(cases: [], target: .embedded, seed: 1, moqspecVersion: "", startedAt: "")
        options.notHeldTo = ["test.draft"]
        let ruling = Ruling(nil, [finding], of: "c", options)
        #expect(ruling.verdict == .pass && ruling.reason == nil)
        #expect(ruling.findings.map(\.severity) == [.note])
    }
}
