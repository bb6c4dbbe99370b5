import Foundation
import MoqScenario
import Testing

@testable import MoqCommandLine

@Suite struct LoadedScenariosTests {
    private func loaded(_ text: String) -> LoadedScenarios {
        let file = ScenarioFile(path: "s.yaml", bytes: Array(text.utf8))
        return LoadedScenarios(fileCount: 1, result: SuiteLoader(vocabulary: .ofThisRelease).load([file]))
    }

    @Test func goodFilesAreCounted() {
        let loaded = LoadedScenarios(fileCount: 2, result: Samples.loaded())
        #expect(loaded.lintText == "2 files, 3 scenarios, 6 cases: no mistakes")
        #expect(loaded.lintCode(isStrict: true) == 0)
        #expect(loaded.warningLine == nil)
        #expect(Samples.message { _ = try loaded.suites() } == nil)
    }

    @Test func mistakesAreShownAndKeepARunFromBeginning() {
        let loaded = loaded("suite: s\nabout: x\nscenaros: []\n")
        #expect(loaded.lintCode(isStrict: false) == 2)
        #expect(loaded.lintText.hasPrefix("s.yaml:3:1: error:"))
        #expect(loaded.lintText.contains("1 file, 0 scenarios, 0 cases: "))
        #expect(Samples.message { _ = try loaded.suites() }?.hasSuffix("nothing was run") == true)
    }

    @Test func warningsCountOnlyWhenTheyAreToldTo() {
        let loaded = loaded(
            """
            suite: s
            about: x
            scenarios:
              - id: s.idle
                requirements: [a.b]
                title: Nobody does anything to the second actor
                actors: { camera: session, viewer: session, idle: session }
                steps:
                  - camera.publish: { broadcast: game, tracks: [video] }
                  - viewer.expect: { announced: game }
            """)
        #expect(loaded.result.diagnostics.map(\.severity) == [.warning])
        #expect(loaded.lintCode(isStrict: false) == 0)
        #expect(loaded.lintCode(isStrict: true) == 2)
        #expect(loaded.warningLine == "the scenario files have 1 warning; moqspec lint shows them")
    }

    @Test func everyConditionAndCapabilityIsOnThePageOfTheLanguage() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/scenario-language.md"), encoding: .utf8)
        let words = Vocabulary.ofThisRelease
        for name in words.conditions.filter({ $0 != "app(n)" }) + words.capabilities {
            #expect(page.contains("`\(name)`"), "\(name) is not on the page")
        }
    }

    @Test func theListingNamesScenariosTagsAndWhatCannotExist() throws {
        var suites = Samples.loaded().suites
        suites[1].scenarios[0].cases[1].exclusion = "for a reason"
        let listing = SuiteListing(suites)
        let text = listing.text(withCases: false)
        #expect(text.contains("  errors.not-found  (2 cases; tags codes, quick)\n    A refusal is a reset"))
        #expect(text.contains("fetch.whole  (2 cases; 1 cannot exist; needs fetch)"))
        #expect(!text.contains("errors.not-found[version=05]"))
        #expect(text.hasSuffix("2 suites, 3 scenarios, 6 cases, of which 1 cannot exist"))
        let long = listing.text(withCases: true)
        #expect(long.contains("\n      errors.not-found[version=05]\n"))
        #expect(long.contains("fetch.whole[version=06,transport=webtransport]  cannot exist: for a reason"))
    }

    @Test func theListingForProgramsIsJSON() throws {
        let data = Data(SuiteListing(Samples.loaded().suites).json())
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let suites = try #require(root["suites"] as? [[String: Any]])
        let scenarios = try #require(suites.first?["scenarios"] as? [[String: Any]])
        let first = try #require(scenarios.first)
        let cases = try #require(first["cases"] as? [[String: Any]])
        #expect(suites.map { $0["id"] as? String } == ["errors", "fetch"])
        #expect(first["line"] as? Int == 5)
        #expect(first["tags"] as? [String] == ["codes", "quick"])
        #expect(cases.map { $0["version"] as? String } == ["moq-lite-05", "moq-lite-06"])
        #expect(cases.first?["exclusion"] == nil)
    }
}
