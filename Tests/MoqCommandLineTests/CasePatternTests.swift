import MoqScenario
import Testing

@testable import MoqCommandLine

@Suite struct CasePatternTests {
    private static let cases = Samples.loaded().suites.flatMap(\.cases)

    private func selected(_ pattern: String) throws -> [String] {
        let pattern = try CasePattern(pattern)
        return Self.cases.filter(pattern.selects).map(\.id)
    }

    @Test func theSamplesAreWhatTheTestsTakeThemFor() {
        #expect(
            Self.cases.map(\.id) == [
                "errors.not-found[version=05]", "errors.not-found[version=06]", "errors.dropped.mid-group[version=05]",
                "errors.dropped.mid-group[version=06]", "fetch.whole[version=06]",
                "fetch.whole[version=06,transport=webtransport]",
            ])
    }

    @Test func anIdSelectsJustThatCaseBracketsAndAll() throws {
        #expect(try selected("errors.not-found[version=06]") == ["errors.not-found[version=06]"])
    }

    @Test func aScenarioAndASuiteSelectAllOfTheirs() throws {
        #expect(try selected("errors.not-found").count == 2)
        #expect(try selected("errors").count == 4)
        #expect(try selected("scenarios/errors.yaml").count == 4)
    }

    @Test func aStarTakesAnythingButASlash() throws {
        #expect(try selected("errors.*").count == 4)
        #expect(try selected("errors.not-*").count == 2)
        #expect(try selected("*/errors.not-found").count == 2)
        #expect(try selected("*-found").count == 2)
        #expect(try selected("s*errors.yaml").isEmpty)
        #expect(try selected("scenarios/*").count == 6)
    }

    @Test func twoStarsTakeSlashesToo() throws {
        #expect(try selected("errors/**").count == 4)
        #expect(try selected("s**errors.yaml").count == 4)
        #expect(try selected("**").count == 6)
        #expect(try selected("**/errors.yaml").count == 4)
        #expect(try selected("**/scenarios/errors.yaml").count == 4)
        #expect(try selected("**/rrors.yaml").isEmpty)
        #expect(try selected("**[version=06]").count == 3)
    }

    @Test func aPatternMustMatchTheWholeName() throws {
        #expect(try selected("error").isEmpty)
        #expect(try selected("rrors").isEmpty)
        #expect(try selected("errors.").isEmpty)
    }

    @Test func aTagSelectsWhatHasIt() throws {
        #expect(try selected("tag:codes").count == 4)
        #expect(try selected("tag:quick").count == 2)
        #expect(try selected("tag:code").isEmpty)
    }

    @Test func noPatternTakesLong() throws {
        // With a matcher that tries one way after another this would not end.
        let stars = String(repeating: "*a", count: 400)
        #expect(try selected(stars).isEmpty)
    }

    @Test func emptyAndEndlessPatternsAreRefused() {
        #expect(Samples.message { _ = try CasePattern("") } != nil)
        #expect(Samples.message { _ = try CasePattern(String(repeating: "a", count: 1001)) } != nil)
    }
}
