import MoqEvents
import MoqTransport
import Testing

@testable import MoqRunner

@Suite struct TransportTests {
    private static let everywhere = TransportKind.allCases.map(\.rawValue)

    private func scenario(content: String = "picture") -> String {
        """
        - id: tested.frames
          title: Frames arrive
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.expect: { announced: game }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.expect: { subscribe_request: { track: video } }
            - camera.write: { track: video, groups: 2, frames: 3 }
            - camera.write: { track: video, groups: 1, frames: 1, content: "\(content)" }
            - viewer.expect: { track: video, groups: 3, finished: true }
        """
    }

    private func finished(_ run: TestRun) -> [CaseFinished] {
        run.events.compactMap { if case .caseFinished(let event) = $0 { event } else { nil } }
    }

    @Test func theSameScenarioPassesOnEveryTransportAndSaysWhichItWas() throws {
        let run = try TestRun.of(scenario(), transports: Self.everywhere)
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
        #expect(finished(run).map(\.transport) == ["quic", "webtransport", "websocket", "tcp"])
        #expect(finished(run).allSatisfy { $0.version == "moq-lite-06" })
        #expect(finished(run)[3].sessions["viewer"] == "moq-lite-06 over tcp")
    }

    @Test func tlsIsSaidWhereItIsUsed() throws {
        let run = try TestRun.of(scenario(), transports: ["websocket", "tcp"]) { $0.protectsStreams = true }
        #expect(run.verdicts == [.pass, .pass], "\(run.story)")
        #expect(finished(run)[1].sessions["viewer"] == "moq-lite-06 over tcp with TLS1.3")
    }

    @Test func aRaceSaysWhoWon() throws {
        let run = try TestRun.of(scenario()) { $0.cases = $0.cases.map { $0.over("auto") } }
        #expect(run.verdicts == [.pass], "\(run.story)")
        #expect(finished(run).map(\.transport) == ["webtransport"])
    }

    @Test func sessionsOfOneCaseMayDiffer() throws {
        let mixed = scenario().replacing(
            "camera: session, viewer: session",
            with: "camera: { kind: session, transport: tcp, version: 05 }, viewer: session")
        let run = try TestRun.of(
            mixed.replacing("version: 06 }", with: "version: 06, transport: quic }"), transports: Self.everywhere)
        #expect(run.verdicts == [.pass], "\(run.story)")
        #expect(finished(run).map(\.transport) == ["tcp, quic"])
        #expect(finished(run).map(\.version) == ["moq-lite-05, moq-lite-06"])
    }

    @Test func transportsThatAgreeAreAPassOfTheComparison() throws {
        let run = try TestRun.of(scenario(), transports: Self.everywhere) { $0.comparesTransports = true }
        #expect(run.verdicts == [.pass, .pass, .pass, .pass, .pass], "\(run.story)")
        #expect(finished(run).last?.caseID == "tested.frames[version=06,transport=compared]")
        #expect(run.status.code == 0)
    }

    @Test func aDifferenceIsAFailureWithItsPlace() throws {
        // The last frame has another size on each transport, which nobody may overlook.
        let run = try TestRun.of(scenario(content: "over ${transport}"), transports: ["quic", "tcp"]) {
            $0.comparesTransports = true
        }
        #expect(run.verdicts == [.pass, .pass, .fail], "\(run.story)")
        #expect(run.status.code == 1)
        let finding = try #require(run.findings.last)
        #expect(finding.headline == "sessions saw other things over tcp than over quic")
        #expect(finding.actual?.contains("saw group 2 of 9 bytes") == true, "\(finding.actual ?? "")")
    }

    @Test func whatLosesPacketsIsLeftOutOnByteStreams() throws {
        let lossy = scenario() + "\n  network: { loss: 1% }"
        let run = try TestRun.of(lossy, transports: ["tcp"])
        #expect(run.verdicts == [.skip])
        #expect(finished(run).first?.reason?.contains("runs over TCP") == true)
    }
}
