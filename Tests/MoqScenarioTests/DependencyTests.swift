import Testing

@testable import MoqScenario

/// `builds_on` of scenarios, and `requirement` of steps.
@Suite struct DependencyTests {
    /// A file of scenarios, each with the line that says what it builds on.
    private func file(_ scenarios: (id: String, buildsOn: String)...) -> String {
        let texts = scenarios.map { scenario in
            """
              - id: \(scenario.id)
                title: One
                requirements: [r]
                matrix: { version: 06 }
                \(scenario.buildsOn)
                actors: { camera: session }
                steps: [{ camera.connect: {} }]
            """
        }
        return "suite: s\nabout: A test.\nscenarios:\n" + texts.joined(separator: "\n")
    }

    @Test func aScenarioSaysWhatItBuildsOn() {
        let result = load(file(("s.a", ""), ("s.b", "builds_on: s.a"), ("s.c", "builds_on: [s.a, s.b]")))
        #expect(result.diagnostics.isEmpty)
        #expect(result.suites[0].cases.map(\.buildsOn) == [[], ["s.a"], ["s.a", "s.b"]])
    }

    @Test func whatIsBuiltOnHasToBeInTheFile() {
        expectText(
            """
            x.yaml:15:16: error: there is no scenario `s.aa` in this file
              15 |     builds_on: s.aa
                 |                ^^^^
                 = expected: `s.a`
                 = did you mean `s.a`?

            1 error
            """, of: load(file(("s.a", ""), ("s.b", "builds_on: s.aa"))))
    }

    @Test func aCircleIsFoundAtEachOfItsPlaces() {
        let result = load(
            file(
                ("s.a", "builds_on: s.c"), ("s.b", "builds_on: s.a"), ("s.c", "builds_on: s.b"),
                ("s.d", "builds_on: s.d")))
        #expect(
            result.diagnostics.map(\.message) == [
                "scenarios build on each other in a circle: `s.a` on `s.c` on `s.b` on `s.a`",
                "scenarios build on each other in a circle: `s.b` on `s.a` on `s.c` on `s.b`",
                "scenarios build on each other in a circle: `s.c` on `s.b` on `s.a` on `s.c`",
                "`s.d` builds on itself",
            ])
    }

    @Test func aCircleThatAScenarioOnlyLeadsToIsNotItsOwn() {
        let result = load(file(("s.a", "builds_on: s.b"), ("s.b", "builds_on: s.a"), ("s.c", "builds_on: s.a")))
        #expect(result.diagnostics.map(\.location.line) == [8, 15])
    }

    @Test func aStepAndThoseInsideItNameWhatTheyPutToTheTest() throws {
        let steps = """
            - camera.connect: {}
            - { requirement: r, camera.expect: { session: connected } }
            - parallel: [{ camera.expect: { session: connected } }]
              requirement: [r]
            """
        let read = try #require(onlyCase(steps: steps + "\n- viewer.connect: {}"))
        #expect(read.steps.map(\.requirements) == [[], ["r"], ["r"], []])
        guard case .parallel(let branches) = read.steps[2].kind else {
            Issue.record("the third step is no parallel")
            return
        }
        #expect(branches[0][0].requirements == ["r"])
    }

    @Test func aStepNamesOnlyWhatItsScenarioNames() {
        let result = load(
            suite(
                steps:
                    "- camera.connect: {}\n- viewer.connect: {}\n- camera.expect: { session: connected }\n  requirement: q"
            ))
        expectText(
            """
            x.yaml:13:22: error: `q` is none of the `requirements` of this scenario
              13 |         requirement: q
                 |                      ^
                 = expected: `r`
                 = did you mean `r`?

            1 error
            """, of: result)
    }
}
