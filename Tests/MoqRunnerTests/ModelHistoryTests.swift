import MoqEvents
import MoqRelay
import Testing

@testable import MoqRunner

/// The models against the embedded relay: they explain whatever a right relay shows in hundreds of random histories,
/// and do not explain what a wrong one does.
@Suite struct ModelHistoryTests {
    private static let historiesInBatch = 60

    private func play(
        _ numbers: Range<Int>, version: String? = nil, fault: RelayFault? = nil
    ) throws -> TestRun {
        let scenarios = numbers.map { number in
            var history = RandomHistory(number)
            return history.scenario(version: version)
        }
        return try TestRun.of(scenarios.joined(separator: "\n")) { $0.fault = fault }
    }

    @Test(arguments: 0..<5) func everyViewInRandomHistoriesIsExplained(batch: Int) throws {
        let run = try play(batch * Self.historiesInBatch..<(batch + 1) * Self.historiesInBatch)
        #expect(run.verdicts == Array(repeating: .pass, count: Self.historiesInBatch), "\(run.story)")
    }

    @Test(arguments: ["publisher-not-told", "takeover-untold", "end-lost-after-takeover"])
    func aRelayWhoseViewsDifferIsFoundOutByHistories(name: String) throws {
        let fault = try #require(RelayFault.named(name))
        let run = try play(0..<40, version: "moq-lite-05", fault: fault)
        let noticed = run.findings.filter { $0.requirements.contains("announce.views-agree") }
        #expect(!noticed.isEmpty, "\(run.story)")
    }

    /// Two viewers of which only the first gets the newest catalog: nobody expects anything, and the case fails.
    @Test func aStaleCatalogAtRestFailsACaseThatExpectsNothingOfIt() throws {
        let scenario = """
            - id: tested.catalogs
              title: Two viewers of a catalog
              requirements: [test.one]
              matrix: { version: [moq-lite-06] }
              actors: { studio: session, first: session, second: session }
              steps:
                - studio.publish: { broadcast: live, tracks: [catalog.json] }
                - first.subscribe: { broadcast: live, track: catalog.json }
                - second.subscribe: { broadcast: live, track: catalog.json }
                - studio.catalog: { video: { old: { codec: avc1 } } }
                - studio.catalog: { video: { new: { codec: avc1 } } }
                - first.expect: { catalog: { video: [new] } }
            """
        #expect(try TestRun.of(scenario).verdicts == [.pass])
        let run = try TestRun.of(scenario) { $0.fault = RelayFault.named("second-viewer-stale") }
        let noticed = run.findings.filter { $0.requirements.contains("catalog.views-agree") }
        #expect(noticed.contains { $0.headline.hasPrefix("second: ") }, "\(run.story)")
    }
}
