import MoqBase
import MoqEvents
import Testing

@testable import MoqRunner

/// Relays that break every promise, one at a time: the case fails, the next one is played, and nothing grows.
@Suite struct HostileRelayTests {
    private static func scenario(_ name: String) -> String {
        """
        - id: hostile.\(name)
          title: Frames arrive
          requirements: [test.one]
          timeout: 20s
          matrix: { version: [moq-lite-05] }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [audio, video] }
            - viewer.subscribe: { broadcast: game, track: audio }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.write: { track: video, groups: 2, frames: 4, size: 1 KiB }
            - viewer.expect: { track: video, groups: 2, frames: 8, within: 2s }
            - wait: 1s

        """
    }

    /// Two cases against a relay in that mode, which gives way to a well-behaved one before the second.
    private func play(_ mode: HostileRelay.Mode, cures: Bool = true) throws -> TestRun {
        let world = try HostileRelayWorld(mode)
        var problem: (any Error)?
        let run = try TestRun.of(
            Self.scenario("first") + Self.scenario("second"),
            change: {
                $0.isSimulated = false
                $0.bounds = RecordBounds(records: 1500, frames: 10_000)
                $0.world = { world }
            },
            onEvent: { event in
                guard cures, case .caseFinished = event else { return }
                do { try world.cure() } catch { problem = error }
            })
        if let problem { throw problem }
        return run
    }

    /// What a case against each of them ends with, as part of the headline of a finding.
    private static let headlines: [HostileRelay.Mode: String] = [
        .silentAfterProbe: "camera is connected, and the relay does not answer",
        .closesSessions: "viewer: the relay closed the session without a reason in the scenario",
        .leaves: "the relay no longer answers after the case",
        .garbledAnnouncements: "ANNOUNCE: status is 255, but must be 0, 1 or 2",
        .announcementsWithoutEnd: "the relay floods the session: more than 1500 messages and groups",
        .announcementChurn: "the relay floods the session: more than 1500 messages and groups",
        .unknownStreams: "unknown stream type 0x3f",
        .silentStreams: "too many streams without a message",
        .drippingFrame: "viewer: it did not happen within 2 s",
        .hugeFrame: "more than the 33554432 allowed",
        .framesWithoutEnd: "the relay floods the session: more than 10000 frames",
        .groupsWithoutEnd: "the relay floods the session: more than 1500 messages and groups",
        .datagramsWithoutEnd: "the relay floods the session: more than 1500 messages and groups",
        .deliversTwice: "group 0 of video was delivered twice",
        .reversesFrames: "another frame of the track: group 0 frame 3",
        .tearsFrames: "it is torn",
        .mixesTracks: "a frame of another track",
        .neverEndsStreams: "streams stay open after their end",
        .neverForgets: "the relay did not let go of what the case had",
        .unmappedResets: "viewer: it did not happen within 2 s",
        .goesAwayTwice: "a second GOAWAY",
        .setsUpTwice: "a second SETUP",
        .requestsWithoutEnd: "camera: the relay floods the session",
        .requestChurn: "camera: the relay floods the session",
        .announceRequestsWithoutEnd: "camera: the relay floods the session",
    ]

    /// From the beginning: no case could say anything about such a relay.
    @Test func aRelayThatNeverSaysAWordCannotBeUsed() throws {
        let run = try play(.mute)
        #expect(run.status.code == 3 && run.verdicts.isEmpty, "\(run.story)")
        #expect("\(run.status)".contains("then says nothing"))
    }

    @Test(arguments: HostileRelay.Mode.allCases.filter { $0 != .behaves && $0 != .mute })
    func theCaseFailsAndTheNextOneHasItsOwnVerdict(mode: HostileRelay.Mode) throws {
        let run = try play(mode)
        #expect(run.verdicts == [.fail, .pass], "\(run.story)")
        #expect(run.status.code == 1)
        let headline = try #require(Self.headlines[mode])
        #expect(run.findings.contains { $0.headline.contains(headline) }, "\(run.story)")
        // Its own 20 s, and what its end may take: streams, what the relay holds, and its answer, 5 s each.
        #expect(run.protocolTimes.allSatisfy { $0 <= .seconds(35) }, "\(run.protocolTimes)")
        // The timeline keeps its first entries and the last ones; steps and findings are few.
        #expect(run.events.count < 4 * CaseTrace.entriesKept)
        #expect(run.findings.count < 30)
        // What is alike is told three times of each actor.
        let alike = Dictionary(grouping: run.findings) { $0.actual ?? "" }
        #expect(alike.values.allSatisfy { $0.count <= 6 }, "\(run.story)")
    }

    @Test func whoeverBehavesPasses() throws {
        let run = try play(.behaves)
        #expect(run.verdicts == [.pass, .pass], "\(run.story)")
    }

    @Test(arguments: [HostileRelay.Mode.silentAfterProbe, .closesSessions, .leaves, .announcementChurn])
    func aRelayThatStaysHostileGivesEveryCaseItsVerdict(mode: HostileRelay.Mode) throws {
        let run = try play(mode, cures: false)
        #expect(run.verdicts.count == 2)
        #expect(run.verdicts.allSatisfy { $0 == .fail || $0 == .error }, "\(run.story)")
        #expect(run.protocolTimes.allSatisfy { $0 <= .seconds(35) }, "\(run.protocolTimes)")
        #expect(run.status.code == (run.verdicts.contains(.error) ? 3 : 1))
    }

    @Test func theRunCanBeCutShortWhileTheRelayIsProbed() throws {
        let world = try HostileRelayWorld(.mute)
        let run = try TestRun.of(Self.scenario("first")) {
            $0.isSimulated = false
            $0.world = { world }
            $0.deadline = .zero
        }
        #expect(run.status.code == 124)
        #expect(run.verdicts.isEmpty)
        // Nothing was waited for: neither the handshake nor an answer.
        #expect(world.driver.now < Instant(nanoseconds: 1_000_000_000))
    }
}
