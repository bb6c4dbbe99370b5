import MoqEvents
import Testing

@testable import MoqRunner

/// The checks that no author writes: shown to bite by publishers that break what they promise.
@Suite struct AlwaysOnTests {
    /// A publisher that writes a group stream by hand beside the engine. 04: type 0, GROUP { subscription 0, group 9 },
    /// then frames.
    private func forged(_ frames: String) throws -> TestRun {
        try TestRun.of(
            """
            - id: tested.forged
              title: A frame that nobody sent
              requirements: [test.one]
              matrix: { version: [moq-lite-04] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.write: { track: video, groups: 1, frames: 1, size: 64B }
                - viewer.expect: { track: video, groups: 1 }
                - camera.send_raw: { stream: uni, hex: "00020009\(frames)", finish: true }
                - viewer.expect: { track: video, groups: 2 }
            """)
    }

    @Test func aFrameThatNobodySentFailsTheCase() throws {
        let run = try forged("0568656c6c6f")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(
            run.findings.contains { $0.headline.contains("is not what was sent: 5 bytes that nobody sent") },
            "\(run.story)")
    }

    @Test func aGroupThatNobodySentFailsTheCaseEvenWhenEmpty() throws {
        let run = try forged("")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.findings.contains { $0.headline.contains("group 9 ended cleanly and empty") }, "\(run.story)")
    }

    /// What is said on the stream of a request in place of the engine is said: the relay acts on it.
    @Test(arguments: [("reset: app(7)", "app(7)", Verdict.pass), ("reset: app(7)", "app(8)", .fail)])
    func aRequestIsAnsweredByHand(_ answer: String, _ wanted: String, _ verdict: Verdict) throws {
        let run = try TestRun.of(
            """
            - id: tested.answer
              title: A held subscription is reset by hand
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - camera.hold: { track: video, request: subscribe }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.send_raw: { stream: { request: subscribe, track: video }, \(answer) }
                - viewer.expect: { track: video, reset: \(wanted), within: 1s }
            """)
        #expect(run.verdicts == [verdict], "\(run.story)")
    }

    @Test func aGroupBeforeTheAnswerArrivesAndIsWhole() throws {
        let run = try TestRun.of(
            """
            - id: tested.early
              title: A group comes before the answer
              requirements: [test.one]
              matrix: { version: [moq-lite-04] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - camera.hold: { track: video }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.expect: { subscribe_request: { track: video } }
                - camera.write: { track: video, groups: 1, frames: 2, unanswered: true }
                - viewer.expect: { track: video, groups: [0], frames: 2 }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }

    @Test func aRelayThatHoldsOnToACaseFailsIt() throws {
        let run = try TestRun.of(
            """
            - id: tested.stop
              title: The relay is gone at the end
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, relay: relay }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - relay.stop: {}
                - camera.expect: { session: { closed: any } }
            """)
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(
            run.findings.contains { $0.headline == "relay: the relay no longer answers after the case" }, "\(run.story)"
        )
    }

    @Test func aRelayThatComesBackServesTheNextCase() throws {
        let run = try TestRun.of(
            """
            - id: tested.restart
              title: The relay restarts
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session, relay: relay }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - relay.restart: {}
                - camera.expect: { session: { closed: any } }
                - camera.connect: {}
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
                - relay.expect: { serves: true }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }
}
