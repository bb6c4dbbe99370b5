import MoqEvents
import Testing

@testable import MoqRunner

@Suite struct FurtherRelayTests {
    private static let chain = """
        - id: tested.chain
          title: A frame passes two relays, in both directions
          requirements: [test.one]
          relays:
            edge: { joins: relay }
          actors:
            camera: session
            viewer: { kind: session, relay: edge }
            host: { kind: session, relay: edge }
            guest: session
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.expect: { announced: game }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.expect: { subscribe_request: { track: video } }
            - camera.write: { track: video, groups: 2, frames: 3 }
            - viewer.expect: { track: video, group: 1, frames: 3, finished: true }
            - host.publish: { broadcast: stage, tracks: [video] }
            - guest.expect: { announced: stage }
            - guest.subscribe: { broadcast: stage, track: video }
            - host.expect: { subscribe_request: { track: video } }
            - host.write: { track: video, groups: 1, frames: 3 }
            - guest.expect: { track: video, group: 0, frames: 3, finished: true }
        """

    @Test(arguments: ["quic", "webtransport", "websocket", "tcp"])
    func framesPassTwoRelaysInBothDirections(_ transport: String) throws {
        let run = try TestRun.of(Self.chain, transports: [transport])
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
    }

    @Test func framesPassTwoRelaysOverSockets() throws {
        let run = try TestRun.of(Self.chain) { $0.isSimulated = false }
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
    }

    @Test func aRingTellsNobodyOfABroadcastTwice() throws {
        let run = try TestRun.of(
            """
            - id: tested.ring
              title: Three relays in a ring
              requirements: [test.one]
              matrix: { version: 06 }
              relays:
                left: { joins: relay }
                right: { joins: [relay, left] }
              actors:
                camera: session
                viewer: { kind: session, relay: left }
                other: { kind: session, relay: right }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
                - other.expect: { announced: game }
                - camera.unpublish: { broadcast: game }
                - viewer.expect: { unannounced: game }
                - other.expect: { unannounced: game }
                - viewer.never: { announced: game, for: 1s }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }

    @Test func aFrameThatNobodySendsIsMissedBehindTwoRelays() throws {
        let run = try TestRun.of(
            Self.chain.replacing(
                "camera.write: { track: video, groups: 2", with: "camera.write: { track: video, groups: 1"))
        #expect(run.verdicts == [.fail, .fail, .fail, .fail])
    }

    @Test func aRelayThatCannotBeJoinedFailsTheCase() throws {
        let run = try TestRun.of(
            Self.chain.replacing("edge: { joins: relay }", with: "edge: { joins: relay, link: { loss: 100% } }")
        ) { $0.caseDeadline = .seconds(3) }
        #expect(Set(run.verdicts) == [.fail])
        #expect(run.findings.first?.headline.contains("`edge` has no session to `relay`") == true, "\(run.story)")
    }
}
