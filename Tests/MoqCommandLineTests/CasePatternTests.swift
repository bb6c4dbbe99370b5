import MoqScenario
import Testing

@testable import MoqCommandLine

@Suite struct CasePatternTests {
    private static let cases = Samples.loaded().suites.flatMap(\.cases)

    private func selected(_ pattern: String) throws -> [String] {
        let pattern = try CasePattern(pattern)
        return Self.cases.filter { pattern.selects($0, RequirementSamples.registry()) }.map(\.id)
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

    @Test func requirementsLevelsActorsAndConditionsSelect() throws {
        #expect(try selected("requirement:a.*").count == 6)
        #expect(try selected("requirement:a.c").isEmpty)
        #expect(try selected("level:must").count == 6)
        #expect(try selected("level:should").isEmpty)
        #expect(try selected("actor:viewer").count == 6)
        #expect(try selected("actor:session").count == 6)
        #expect(try selected("actor:raw").isEmpty)
        #expect(try selected("tag:q*").count == 2)
        let file = ScenarioFile(
            path: "c.yaml",
            bytes: Array(
                String(decoding: Samples.files[1].bytes, as: UTF8.self).replacing(
                    "{ announced: game }", with: "{ session: { closed: { any_of: [unauthorized, app(7)] } } }"
                ).utf8))
        let cases = SuiteLoader(vocabulary: .ofThisRelease).load([file]).suites.flatMap(\.cases)
        let first = try #require(cases.first)
        #expect(first.conditions == ["unauthorized"])
        #expect(try CasePattern("condition:unauth*").selects(first))
        #expect(try !CasePattern("condition:not_found").selects(first))
    }

    @Test func whatNothingSelectsByIsRefusedWithTheNearestWord() {
        #expect(Samples.message { _ = try CasePattern("tags:quick") }?.contains("did you mean `tag:`?") == true)
        #expect(Samples.message { _ = try CasePattern("level:most") }?.contains("did you mean `level:must`?") == true)
        #expect(Samples.message { _ = try CasePattern("actor:") }?.contains("is missing") == true)
    }

    @Test func aListOfPatternsStandsInAFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("list", "# the two\n\n  errors.not-found  \nfetch.*\r\n")
        let patterns = try CasePattern.list(["@\(path)", "tag:codes"])
        #expect(patterns.map(\.description) == ["errors.not-found", "fetch.*", "tag:codes"])
        let wrong = try folder.write("wrong", "errors.*\nlevel:x\n")
        #expect(Samples.message { _ = try CasePattern.list(["@\(wrong)"]) }?.hasPrefix("\(wrong):2: ") == true)
        let empty = try folder.write("empty", "# nothing\n")
        #expect(Samples.message { _ = try CasePattern.list(["@\(empty)"]) }?.contains("no pattern") == true)
        #expect(Samples.message { _ = try CasePattern.list(["@\(folder.path)/none"]) } != nil)
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
