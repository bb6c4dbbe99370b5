import MoqEvents
import Testing

@testable import MoqRunner

/// Cases that build on others, and steps that name what they put to the test.
@Suite struct DependencyTests {
    /// Three scenarios in the wrong order: the last is what the second builds on, and the first on that.
    private static func chain(base: String) -> String {
        """
        - id: tested.top
          title: Built on what is built
          requirements: [test.one]
          builds_on: tested.middle
          matrix: { version: [moq-lite-05, moq-lite-06], side: [left] }
          actors: { viewer: session }
          steps: [{ viewer.connect: {} }]
        - id: tested.middle
          title: Built on the base
          requirements: [test.one]
          builds_on: [tested.base]
          matrix: { version: [moq-lite-05, moq-lite-06] }
          actors: { viewer: session }
          steps: [{ viewer.connect: {} }]
        - id: tested.base
          title: The base
          requirements: [test.one]
          matrix: { version: [moq-lite-05, moq-lite-06] }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: "b-${version}", tracks: [video] }
            - viewer.expect: \(base)
        """
    }

    private static let failsOn06 = chain(base: "{ announced: b-moq-lite-05, within: 1s }")

    private func ends(_ run: TestRun) -> [String: CaseFinished] {
        var ends: [String: CaseFinished] = [:]
        for case .caseFinished(let end) in run.events { ends[end.caseID] = end }
        return ends
    }

    @Test func whatBuildsOnAFailureIsBlockedAndSaysOnWhat() throws {
        for jobs in [1, 4] {
            let run = try TestRun.of(Self.failsOn06) { $0.jobs = jobs }
            let ends = ends(run)
            #expect(ends["tested.base[version=05]"]?.verdict == .pass, "\(run.story)")
            #expect(ends["tested.top[version=05,side=left]"]?.verdict == .pass)
            #expect(ends["tested.base[version=06]"]?.verdict == .fail)
            #expect(ends["tested.middle[version=06]"]?.verdict == .blocked)
            #expect(
                ends["tested.middle[version=06]"]?.reason == "it builds on tested.base[version=06], which failed")
            #expect(
                ends["tested.top[version=06,side=left]"]?.reason
                    == "it builds on tested.middle[version=06], which is blocked itself")
            #expect(run.status.reasons == [.failures(1)])
            guard case .runFinished(let end) = run.events.last else {
                Issue.record("the run has no end")
                return
            }
            #expect(end.ledger.description == "6 cases = 3 passed + 1 failed + 2 blocked")
        }
    }

    @Test func theEventsAreTheSameWhateverRunsSideBySide() throws {
        let one = try TestRun.of(Self.failsOn06) { $0.jobs = 1 }
        let many = try TestRun.of(Self.failsOn06) { $0.jobs = 4 }
        #expect(one.timelessWithoutWorkers == many.timelessWithoutWorkers)
    }

    @Test func whatIsNotAmongTheCasesBlocksNothing() throws {
        let run = try TestRun.of(Self.failsOn06) { options in
            options.cases = options.cases.filter { $0.scenario != "tested.base" }
        }
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
    }

    @Test func whatIsBuiltOnACaseThatRunsAloneComesAfterIt() throws {
        let dependencies = CaseDependencies(try TestRun.cases(Self.failsOn06))
        // 0 and 1 are the top, 2 and 3 the middle, 4 and 5 the base.
        #expect(dependencies.following([5]) == [5, 3, 1])
        #expect(dependencies.readiness(of: 3) == .waits)
        dependencies.ended(5, .skip)
        #expect(dependencies.readiness(of: 3) == .ready)
        #expect(dependencies.readiness(of: 4) == .ready)
    }

    @Test func aFindingNamesOnlyWhatItsStepPutsToTheTest() throws {
        let run = try TestRun.of(
            """
            - id: tested.step
              title: Steps with requirements
              requirements: [test.one, test.two, test.three, test.four]
              matrix: { version: [moq-lite-06] }
              actors: { camera: session, viewer: session }
              steps:
                - viewer.never: { announced: nothing }
                  requirement: test.three
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
                  requirement: test.one
                - viewer.expect: { announced: other, within: 1s }
                  requirement: [test.two, test.four]
            """)
        #expect(run.findings.map(\.requirements) == [["test.two", "test.four"]])
        let end = ends(run).values.first
        // What the monitor counts stands beside them.
        #expect(
            end?.checked.filter { $0.requirement.hasPrefix("test.") }.sorted { $0.requirement < $1.requirement } == [
                RequirementTally(requirement: "test.four", held: 0, broken: 1),
                RequirementTally(requirement: "test.one", held: 1, broken: 0),
                RequirementTally(requirement: "test.two", held: 0, broken: 1),
            ])
    }
}
