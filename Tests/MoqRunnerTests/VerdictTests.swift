import MoqEvents
import Testing

@testable import MoqRunner

@Suite struct VerdictTests {
    private static let delivery = """
        - id: tested.delivery
          title: Frames arrive
          requirements: [test.one]
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.write: { track: video, groups: 3, frames: 4, size: 2 KiB }
            - viewer.expect: { track: video, groups: 3, frames: 12 }
            - camera.finish: { track: video }
            - viewer.expect: { track: video, ended: cleanly }
        """

    @Test func deliveryPassesOnEveryVersionInSimulatedTime() throws {
        let run = try TestRun.of(Self.delivery)
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
        #expect(run.status.code == 0)
    }

    @Test func deliveryPassesOnEveryVersionOverSockets() throws {
        let run = try TestRun.of(Self.delivery) {
            $0.isSimulated = false
            $0.jobs = 2
        }
        #expect(run.verdicts == [.pass, .pass, .pass, .pass], "\(run.story)")
        #expect(run.status.code == 0)
    }

    @Test func anotherCodeThanExpectedFailsWithBoth() throws {
        let run = try TestRun.of(
            """
            - id: tested.refusal
              title: The wrong code
              requirements: [test.one]
              matrix: { version: [moq-lite-06] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.subscribe: { broadcast: game, track: nope }
                - camera.refuse: { track: nope, code: not_found }
                - viewer.expect: { track: nope, reset: unroutable }
            """)
        #expect(run.verdicts == [.fail])
        #expect(run.status.code == 1)
        let finding = try #require(run.findings.first)
        #expect(finding.place?.line == 13)
        #expect(finding.actual?.contains("51 (not_found)") == true, "\(run.story)")
        #expect(finding.requirements == ["test.one"])
    }

    @Test func anExpectationThatDoesNotComeTrueEndsAtItsDeadline() throws {
        let run = try TestRun.of(
            """
            - id: tested.absent
              title: Nothing comes
              requirements: [test.one]
              matrix: { version: [moq-lite-04] }
              actors: { viewer: session }
              steps:
                - viewer.expect: { announced: game, within: 3s }
            """)
        #expect(run.verdicts == [.fail])
        #expect(run.findings.first?.headline == "viewer: it did not happen within 3 s")
        let finished = run.events.compactMap { event -> Duration? in
            if case .caseFinished(let event) = event { event.protocolTime } else { nil }
        }
        let protocolTime = try #require(finished.first)
        #expect(protocolTime >= .seconds(3))
    }

    @Test func patienceStretchesWhatHasToHappenAndNotWhatMustNot() throws {
        let scenario = """
            - id: tested.absent
              title: Nothing comes
              requirements: [test.one]
              matrix: { version: [moq-lite-04] }
              actors: { viewer: session }
              timeout: 9s
              steps:
                - viewer.never: { announced: game, for: 2s }
                - viewer.expect: { announced: game, within: 4s }
            """
        let run = try TestRun.of(scenario) { $0.patience = 3 }
        #expect(run.verdicts == [.fail])
        // The case's own deadline is stretched too: it would be over in the ninth second.
        #expect(run.findings.first?.headline == "viewer: it did not happen within 12 s", "\(run.story)")
        let time = try #require(run.protocolTimes.first)
        #expect(time >= .seconds(14) && time < .seconds(16))
    }

    @Test func whatMustNotHappenFailsWhenItDoes() throws {
        let run = try TestRun.of(
            """
            - id: tested.never
              title: It happens all the same
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session }
              steps:
                - viewer.never: { announced: game }
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
            """)
        #expect(run.verdicts == [.fail])
        #expect(run.findings.first?.headline == "viewer: what must not happen did", "\(run.story)")
    }

    @Test func anOrderIsJudgedByWhatCameFirstAlsoBeforeItsStep() throws {
        let run = try TestRun.of(
            """
            - id: tested.order
              title: The wrong way round
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.write: { track: video, groups: 1, frames: 1 }
                - viewer.expect: { track: video, groups: 1 }
                - viewer.expect: { in_order: [ { track: video, groups: 1 }, { announced: game } ] }
            """)
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.findings.first?.actual?.hasPrefix("number 2 came before number 1") == true, "\(run.story)")
    }

    @Test func aConditionThatTheGenerationCannotShowIsNotTestable() throws {
        let run = try TestRun.of(
            """
            - id: tested.closed
              title: Closed is never a reset
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.subscribe: { broadcast: game, track: nope }
                - camera.refuse: { track: nope, code: not_found }
                - viewer.expect: { track: nope, reset: closed }
            """
        ) { $0.generation = .first }
        #expect(run.verdicts == [.notTestable], "\(run.story)")
        #expect(run.status.code == 5)
    }

    @Test func whatWasNotReachedIsVacuous() throws {
        let run = try TestRun.of(
            """
            - id: tested.vacuous
              title: A loss that does not hit
              requirements: [test.one]
              matrix: { version: [moq-lite-06] }
              network: { delay: 5ms }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.expect: { announced: game }
              reached:
                - network lost at least 1 packets
            """)
        #expect(run.verdicts == [.vacuous], "\(run.story)")
        #expect(run.status.code == 5)
    }

    @Test func aMissingCapabilitySkipsWithItsReason() throws {
        let run = try TestRun.of(
            """
            - id: tested.fetch
              title: Needs what 03 has not
              requirements: [test.one]
              needs: [fetch]
              matrix: { version: [moq-lite-03, moq-lite-05] }
              actors: { camera: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
            """)
        #expect(run.verdicts == [.skip, .pass], "\(run.story)")
        #expect(run.findings.first?.headline == "moq-lite-03 has no `fetch`: FETCH of one group")
    }

    @Test func onlySkippedCasesAreNeverGreen() throws {
        let run = try TestRun.of(
            """
            - id: tested.skipped
              title: Skipped
              requirements: [test.one]
              needs: [signals]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session }
              steps:
                - camera.connect: {}
            """)
        #expect(run.verdicts == [.skip])
        #expect(run.status.code == 5)
    }
}
