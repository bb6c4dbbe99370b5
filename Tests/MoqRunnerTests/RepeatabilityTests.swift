import MoqEvents
import Testing

@testable import MoqRunner

@Suite struct RepeatabilityTests {
    private static let lossy = """
        - id: tested.lossy
          title: A bad link
          requirements: [test.one]
          network: { delay: 20ms, jitter: 10ms, loss: 5%, reorder: 5%, duplicate: 2% }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.write: { track: video, groups: 10, frames: 5, size: 4 KiB, pace: 20ms }
            - viewer.expect: { track: video, group: 9, frames: 5, finished: true, within: 30s }
            - viewer.never: { unannounced: game, for: 300ms }
            - camera.close: {}
            - viewer.expect: { unannounced: game, within: 20s }
        """

    @Test func theSameSeedGivesTheSameRun() throws {
        let one = try TestRun.of(Self.lossy, seed: 11)
        let two = try TestRun.of(Self.lossy, seed: 11)
        #expect(one.verdicts == [.pass, .pass, .pass, .pass], "\(one.story)")
        #expect(one.timeless == two.timeless)
    }

    @Test func anotherSeedGivesAnotherRun() throws {
        let one = try TestRun.of(Self.lossy, seed: 11)
        let two = try TestRun.of(Self.lossy, seed: 12)
        #expect(Self.times(one) != Self.times(two))
    }

    @Test func theNumberOfWorkersChangesNothing() throws {
        let one = try TestRun.of(Self.lossy, seed: 5)
        let four = try TestRun.of(Self.lossy, seed: 5) { $0.jobs = 4 }
        #expect(Self.times(one) == Self.times(four))
        #expect(one.verdicts == four.verdicts)
    }

    private static func times(_ run: TestRun) -> [Duration] {
        run.events.compactMap { if case .caseFinished(let event) = $0 { event.protocolTime } else { nil } }
    }
}
