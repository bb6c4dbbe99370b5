import MoqEvents
import Testing

@testable import MoqRunner

/// Hops, announcements in bytes, and relays with a linger, played: that a wrong expectation is told from a right one.
struct AnnouncingTests {
    private func verdict(
        _ steps: String, camera: String = "{ kind: session, hop: 5001 }", version: String = "06",
        needs: String = "[]"
    ) throws -> (Verdict?, String) {
        let run = try TestRun.of(
            """
            - id: tested.one
              title: One
              requirements: [announce.hops]
              matrix: { version: \(version), transport: quic }
              isolation: namespace
              needs: \(needs)
              actors: { camera: \(camera), viewer: session }
              steps:
            \(steps.split(separator: "\n").map { "    - \($0)" }.joined(separator: "\n"))
            """)
        return (run.verdicts.first, run.story)
    }

    @Test(arguments: [
        ("[1001, 5001, any]", Verdict.pass), ("[1001, any, any]", .pass), ("3", .pass), ("[5001, any]", .fail),
        ("[1001, 1002, any]", .fail), ("[5001, 1001, any]", .fail), ("2", .fail),
    ])
    func hopsAreHeldAgainstTheList(_ hops: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            """
            camera.publish: { broadcast: game, hops: [1001] }
            viewer.expect: { announced: { broadcast: game, hops: \(hops) }, within: 1s }
            """)
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [("[1001, relay]", Verdict.fail), ("[1001, 1002]", .pass)])
    func anAnnouncementThroughTheRelayItselfIsALoop(_ hops: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            """
            camera.publish: { broadcast: game, hops: \(hops) }
            viewer.expect: { announced: game, within: 1s }
            """, version: "[04, 06]")
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [
        ("00 [ <path other> 00 00 00 ]", Verdict.pass), ("00 [ <path //other/> 00 00 00 ]", .pass),
        ("00 [ <path others> 00 00 00 ]", .fail), ("00 [ <path other> 01 00 00 ]", .fail),
    ])
    func bytesAreAnnouncementsWhereTheyArePutTogetherRight(_ bytes: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            """
            camera.connect: {}
            camera.send_raw: { stream: announcements, hex: "\(bytes)" }
            viewer.expect: { announced: other, within: 1s }
            """)
        #expect(verdict == wanted, "\(story)")
    }

    @Test(arguments: [("finish: true", Verdict.pass), ("hex: \"\"", .fail)])
    func endingTheStreamOfAnnouncementsEndsThem(_ end: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            """
            viewer.connect: {}
            camera.publish: { broadcast: game }
            camera.send_raw: { stream: announcements, \(end) }
            viewer.expect: { unannounced: game, within: 1s }
            """)
        #expect(verdict == wanted, "\(story)")
    }

    @Test func whoAnnouncesByHandAnswersNothing() throws {
        let steps = """
            camera.publish: { broadcast: game }
            viewer.expect: { announced: game, within: 1s }
            """
        #expect(try verdict(steps).0 == .pass)
        #expect(try verdict(steps, camera: "{ kind: session, announces: by_hand }").0 == .fail)
    }

    @Test(arguments: [("1s", Verdict.pass), ("4s", .fail)])
    func aRelayThatIsRestartedWithALingerKeepsBroadcastsForSoLong(_ linger: String, _ wanted: Verdict) throws {
        let (verdict, story) = try verdict(
            """
            relay.restart: { linger: \(linger) }
            viewer.connect: {}
            camera.publish: { broadcast: game }
            viewer.expect: { announced: game }
            camera.close: {}
            viewer.never: { unannounced: game, for: 900ms }
            viewer.expect: { unannounced: game, within: 1s }
            """, needs: "[linger, restart]")
        #expect(verdict == wanted, "\(story)")
    }

    @Test func theNextCaseHasARelayWithoutLinger() throws {
        let steps = """
              isolation: namespace
              actors: { camera: session, viewer: session }
              steps:
                - LINGER
                - viewer.connect: {}
                - camera.publish: { broadcast: game }
                - viewer.expect: { announced: game }
                - camera.close: {}
                - viewer.expect: { unannounced: game, within: 1s }
            """
        let run = try TestRun.of(
            """
            - id: tested.first
              title: First
              requirements: [announce.linger]
              matrix: { version: 06, transport: quic }
            \(steps.replacing("LINGER", with: "relay.restart: { linger: 4s }"))
            - id: tested.second
              title: Second
              requirements: [announce.linger]
              matrix: { version: 06, transport: quic }
            \(steps.replacing("LINGER", with: "relay.expect: { serves: true }"))
            """)
        #expect(run.verdicts == [.fail, .pass], "\(run.story)")
    }
}
