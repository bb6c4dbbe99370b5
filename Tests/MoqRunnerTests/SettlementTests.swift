import MoqEvents
import Testing

@testable import MoqRunner

/// The ends of cases: how long a relay has to let go, and that it must.
@Suite struct SettlementTests {
    /// The close of a viewer is lost. Until its idle limit the relay serves it, and asks the publisher for what it read.
    @Test func aRelayMayServeASessionUntilItsIdleLimitWhenItsCloseWasLost() throws {
        let run = try TestRun.of(
            """
            - id: tested.lost-close
              title: A close that is lost
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session, relay: relay }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.write: { track: video, groups: 1, frames: 1 }
                - viewer.expect: { track: video, groups: 1 }
                - network.set: { loss: 100%, for: viewer }
                - viewer.close: {}
                - wait: 50ms
                - network.restore: { for: viewer }
                - viewer.connect: {}
                - relay.expect: { serves: true }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
        // It was so: nothing but the idle limit of 10 s ended the session.
        #expect(run.protocolTimes.allSatisfy { $0 > .seconds(9) }, "\(run.protocolTimes)")
    }
}
