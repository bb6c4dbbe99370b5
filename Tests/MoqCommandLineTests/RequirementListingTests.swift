import Foundation
import MoqScenario
import Testing

@testable import MoqCommandLine

@Suite struct RequirementListingTests {
    private func loaded() throws -> LoadedScenarios {
        let folder = try RequirementSamples.folder()
        return try LoadedScenarios(["\(folder.path)/scenarios"])
    }

    private func listing(_ patterns: String...) throws -> RequirementListing {
        let loaded = try loaded()
        return try RequirementListing(
            loaded.requirements(), suites: loaded.result.suites, patterns: try patterns.map { try CasePattern($0) })
    }

    @Test func theTableHasARowForEach() throws {
        let text = try listing().text
        #expect(text.contains("fetch  Groups on request.\n\n  id            level"))
        #expect(text.contains("  fetch.answer  must      relay  05 and later  both                1\n"))
        #expect(text.contains("  fetch.late    observed  any    all           scenario  deployed  0\n"))
        #expect(text.contains("  fetch.early   should    relay  all           no        draft\n"))
        #expect(text.contains("\n4 requirements: 2 must, 1 should, 1 observed\n"))
        #expect(
            text.hasSuffix(
                "2 watched in every session; 2 for scenarios, of which no scenario names 1; 1 not checked"))
    }

    @Test func patternsSelectById() throws {
        let text = try listing("*.late", "a.*").text
        #expect(text.contains("fetch.late") && text.contains("a.b"))
        #expect(!text.contains("fetch.answer") && text.contains("\n2 requirements"))
        #expect(
            Samples.message { _ = try listing("fetch.lat") }
                == "--filter fetch.lat selects no requirement; did you mean `fetch.late`?")
    }

    @Test func forProgramsItIsJSON() throws {
        let root = try #require(try JSONSerialization.jsonObject(with: Data(listing().json())) as? [String: Any])
        let areas = try #require(root["areas"] as? [[String: Any]])
        #expect(root["schema"] as? Int == 1 && areas.map { $0["id"] as? String } == ["a", "fetch"])
        let rows = try #require(areas.last?["requirements"] as? [[String: Any]])
        #expect(rows[0]["scenarios"] as? [String] == ["fetch.whole"])
        #expect(rows[0]["transports"] as? [String] == ["quic", "webtransport"])
        #expect(rows[0]["draft"] as? String == "moq-lite-06, FETCH" && rows[0]["peer"] as? String == "moq-ffi 0.4.18")
        #expect(rows[1]["differsFrom"] as? String == "fetch.early" && rows[1]["transports"] == nil)
        #expect(rows[2]["because"] as? String == "nobody can tell" && rows[2]["line"] as? Int == 20)
    }

    @Test func thePageHasATableOfTablesAndEscapesWhatWouldEndACell() {
        let page = RequirementPage(RequirementSamples.registry()).markdown
        #expect(page.contains("| [fetch](#fetch) | 3 | 1 | 1 | 1 | 1 | 2 | 1 |\n| all | 4 | 2 | 1 | 1 | 2 | 2 | 1 |\n"))
        #expect(
            page.contains(
                "| `fetch.answer` | A fetch is answered with frames \\| nothing else. | must | relay "
                    + "| 05 and later; quic, webtransport | moq-lite-06, FETCH; seen with moq-ffi 0.4.18 | both |\n"))
        #expect(page.contains("*Profile draft, in place of `fetch.late`.* | should | relay | all |"))
        #expect(page.contains("| no: nobody can tell |"))
        #expect(page.hasSuffix("|\n"))
    }

    @Test func aReportIsAskedForOnlyWithRequirementsAndWhole() throws {
        func path(_ words: String...) throws -> String? { try RequirementReport.path(Samples.parsed(.list, words)) }
        #expect(try path("--requirements", "--report", "markdown=x.md") == "x.md")
        #expect(try path("--requirements") == nil)
        for words in [
            ["--report", "markdown=x"], ["--requirements", "--report", "markdown="],
            ["--requirements", "--report", "json=x"],
            ["--requirements", "--json", "--report", "markdown=x"],
        ] {
            #expect(Samples.message { _ = try RequirementReport.path(Samples.parsed(.list, words)) } != nil)
        }
    }
}
