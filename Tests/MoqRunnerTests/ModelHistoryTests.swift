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

    /// Sessions at three paths, of which nobody expects anything.
    private static let floors = """
        - id: tested.floors
          title: Sessions at paths of their own
          requirements: [test.one]
          matrix: { version: [moq-lite-05, moq-lite-06] }
          isolation: namespace
          actors:
            camera: { kind: session, path: /anon/room }
            lobby: session
            room: { kind: session, path: /anon/room/ }
            beside: { kind: session, path: /anon/rooms }
          steps:
            - lobby.connect: {}
            - room.connect: {}
            - beside.connect: {}
            - camera.publish: { broadcast: game, tracks: [video] }
            - lobby.publish: { broadcast: room/show, tracks: [video] }
            - camera.publish: { broadcast: marker }
            - camera.unpublish: { broadcast: marker }
        """

    @Test func sessionsAtPathsOfTheirOwnSeeWhatLiesBelowThem() throws {
        let run = try TestRun.of(Self.floors)
        #expect(run.verdicts == [.pass, .pass], "\(run.story)")
    }

    @Test(arguments: ["root-forgotten", "publisher-not-told", "end-never-told"])
    func aRelayThatMixesUpPathsOfSessionsIsFoundOut(name: String) throws {
        let fault = try #require(RelayFault.named(name))
        let run = try TestRun.of(Self.floors) { $0.fault = fault }
        let noticed = run.findings.filter { $0.requirements.contains("announce.views-agree") }
        #expect(!noticed.isEmpty, "\(run.story)")
    }

    /// Who may only watch announces, and who may only publish watches: neither counts.
    @Test func whatARoleForbidsIsNotMissed() throws {
        let run = try TestRun.of(
            """
            - id: tested.roles
              title: Sessions with roles
              requirements: [test.one]
              matrix: { version: [moq-lite-05, moq-lite-06] }
              actors:
                camera: { kind: session, role: publisher }
                guest: { kind: session, role: subscriber }
                viewer: session
              steps:
                - guest.connect: {}
                - viewer.connect: {}
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
                - guest.expect: { announced: game }
            """)
        #expect(run.verdicts == [.pass, .pass], "\(run.story)")
        let lost = try TestRun.of(
            """
            - id: tested.roles
              title: A session that may only watch
              requirements: [test.one]
              matrix: { version: [moq-lite-06] }
              actors: { camera: session, guest: { kind: session, role: subscriber } }
              steps:
                - guest.connect: {}
                - camera.publish: { broadcast: one }
                - camera.publish: { broadcast: two }
            """
        ) { $0.fault = RelayFault.named("announcement-lost") }
        #expect(lost.findings.contains { $0.requirements.contains("announce.views-agree") }, "\(lost.story)")
    }
}
