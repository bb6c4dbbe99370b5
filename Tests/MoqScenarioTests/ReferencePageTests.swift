import Foundation
import Testing

@testable import MoqScenario

/// Holds docs/scenario-language.md to the language.
@Suite struct ReferencePageTests {
    private func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/scenario-language.md"), encoding: .utf8)
    }

    @Test func everyExampleOfThePageLoadsWithoutAWord() throws {
        let parts = try page().components(separatedBy: "```yaml\n").dropFirst()
        let examples = parts.compactMap { $0.components(separatedBy: "```").first }
        #expect(examples.count >= 4)
        let files = examples.enumerated().map { index, text in
            ScenarioFile(path: "example-\(index + 1)", bytes: Array(text.utf8))
        }
        let result = SuiteLoader(vocabulary: words).load(files)
        expectText("", of: result)
        #expect(result.suites.count == examples.count)
    }

    @Test func everyVerbAndEveryExpectationIsOnThePage() throws {
        let page = try page()
        let names = SessionVerb.all.map(\.name) + ExpectationReader.names + TrackExpectationReader.properties
        let kits = [ActorKind.publisher, .player].flatMap(ClientVerb.verbs).map(\.name) + ClientExpectationReader.names
        let words = ClientFault.allCases.map(\.rawValue) + ClientEventName.allCases.map(\.rawValue)
        let rooms =
            MoqomVerb.all.map(\.name) + MoqomExpectationReader.names + MoqomExpectationReader.fields
            + MoqomEventName.allCases.map(\.rawValue) + MoqomFault.allCases.map(\.rawValue)
        for name in names + kits + words + rooms + ClientStatistic.allCases.map(\.rawValue)
            + RelaySignal.allCases.map(\.rawValue)
        {
            #expect(page.contains("`\(name)`"), "\(name) is not on the page")
        }
    }
}
