import MoqRelay
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

/// Faults of the embedded relay, played over scenarios written here.
struct MutationTests {
    private static let torn = "group-torn"

    private static func cases(_ requirement: String, expect: String) throws -> [ScenarioCase] {
        let yaml = """
            suite: groups
            about: Written in a test.
            scenarios:
              - id: groups.whole
                title: A group arrives
                requirements: [\(requirement)]
                matrix: { version: 06, transport: quic }
                actors: { camera: session, viewer: session }
                steps:
                  - camera.publish: { broadcast: game, tracks: [video] }
                  - viewer.subscribe: { broadcast: game, track: video }
                  - camera.write: { track: video, groups: 1, frames: 3 }
                  - viewer.expect: \(expect)
            """
        let vocabulary = Vocabulary(
            conditions: ErrorCondition.allNames, capabilities: Capability.names,
            versions: [Version.lite06.description], transports: ["quic"])
        let loaded = SuiteLoader(vocabulary: vocabulary).load([
            ScenarioFile(path: "tested.yaml", bytes: Array(yaml.utf8))
        ])
        let problems = loaded.diagnostics.filter { $0.severity == .error }
        try #require(problems.isEmpty, "\(DiagnosticRenderer.text(problems))")
        return loaded.suites.flatMap(\.cases)
    }

    private static func outcome(
        of name: String, _ cases: [ScenarioCase]
    ) throws -> MutationResult {
        let fault = try #require(RelayFault.named(name))
        let run = try MutationRun(faults: [.relay(fault)], cases: cases, jobs: 1, seed: 1, moqspecVersion: "test")
        let results = try run.execute()
        return try #require(results.first)
    }

    private static let wholeGroup = "{ track: video, frames: 3, finished: true }"

    @Test func aFaultIsNoticedByACaseThatNamesWhatItBreaks() throws {
        let result = try Self.outcome(of: Self.torn, Self.cases("group.whole", expect: Self.wholeGroup))
        guard case .noticed(let notice) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(notice.requirements == ["group.whole"])
        #expect(result.isGood && result.played == 1)
    }

    @Test func aFaultThatMeetsNoCaseIsNotPlayed() throws {
        let result = try Self.outcome(of: "fetch-torn", Self.cases("group.whole", expect: Self.wholeGroup))
        guard case .unplayable = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(!result.isGood)
    }

    @Test func aFaultThatNoCaseLooksForIsNoticedByNothing() throws {
        let result = try Self.outcome(of: "group-held", Self.cases("group.whole", expect: Self.wholeGroup))
        guard case .unnoticed = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(!result.isGood)
    }

    @Test func aCaseThatFailsOverSomethingElseHasNotNoticed() throws {
        // The case waits for a frame of an open group, and is said to be about another requirement.
        let cases = try Self.cases("path.untouched", expect: "{ track: video, frames: 4, within: 1s }")
        let result = try Self.outcome(of: "group-held", cases)
        guard case .unrelated(let notices) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(notices.first?.caseID == cases.first?.id)
        #expect(!result.isGood)
    }

    @Test func aCaseThatFailsWithoutAnyFaultCountsForNothing() throws {
        let cases = try Self.cases("group.whole", expect: "{ track: video, frames: 9, within: 1s }")
        let result = try Self.outcome(of: Self.torn, cases)
        #expect(result.unsound == cases.map(\.id))
        #expect(!result.isGood)
    }

    @Test func faultsHaveNamesOfTheirOwnAndBreakSomething() {
        let names = RelayFault.all.map(\.name)
        #expect(Set(names).count == names.count)
        for fault in RelayFault.all {
            #expect(!fault.requirements.isEmpty && !fault.suite.isEmpty && fault.about.hasSuffix("."), "\(fault)")
            #expect(fault.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(fault)")
        }
    }
}
