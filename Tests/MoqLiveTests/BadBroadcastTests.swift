import MoqBase
import MoqHang
import MoqKit
import MoqMedia
import MoqPlayback
import MoqTransport
import MoqWire
import Testing

@testable import MoqLive

/// What watching makes of broadcasts with something wrong.
@Suite struct BadBroadcastTests {
    private func reason(_ viewer: LiveNetwork.Viewer) -> WatchOutcome.Reason? { viewer.watcher.outcome?.reason }

    private func unplayable(_ viewer: LiveNetwork.Viewer) -> String {
        if case .unplayable(let text)? = reason(viewer) { text } else { "\(String(describing: reason(viewer)))" }
    }

    private func nothingPlayed(_ viewer: LiveNetwork.Viewer) -> String {
        if case .nothingPlayed(let text)? = reason(viewer) { text } else { "\(String(describing: reason(viewer)))" }
    }

    @Test func aBrokenCatalogIsToldWithItsPlace() throws {
        let network = try LiveNetwork()
        let text = "{\"video\": {\"renditions\": {\n  \"hd\": {\"codec\": 7}}}}"
        _ = try network.publishByHand(["catalog.json": [Array(text.utf8)]])
        let viewer = try network.watch()
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(unplayable(viewer).contains("the catalog of `live/file` cannot be read"))
        #expect(unplayable(viewer).contains("line 2"), "\(unplayable(viewer))")
        #expect(viewer.watcher.outcome?.hasPlayed == false)
    }

    @Test func aCatalogThatIsNoJSONIsTold() throws {
        let network = try LiveNetwork()
        _ = try network.publishByHand(["catalog.json": [[0xFF, 0x00, 0x7B]]])
        let viewer = try network.watch()
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(unplayable(viewer).contains("cannot be read"))
    }

    @Test func aRenditionThatIsNotThereIsNamedWithThoseThatAre() throws {
        let network = try LiveNetwork()
        let viewer = try network.watch { $0.video = .named("hd") }
        try network.publish(try Fixture.file("bars-h264-aac.mp4"))
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(unplayable(viewer) == "there is no video rendition `hd` in `live/file`: it has video0")
    }

    @Test func aRenditionWithoutItsTrackEndsPlayback() throws {
        let network = try LiveNetwork()
        let text = """
            {"video": {"renditions": {"hd": {"codec": "avc1.64001f", "container": {"kind": "legacy"}}}},
             "audio": {"renditions": {}}}
            """
        _ = try network.publishByHand(["catalog.json": [Array(text.utf8)]])
        let viewer = try network.watch()
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(viewer.told.contains("track.subscribe.error"))
        #expect(nothingPlayed(viewer).contains("ended before anything of it played"))
    }

    @Test func aCodecThatNobodyPlaysIsNamed() throws {
        let network = try LiveNetwork()
        let text = """
            {"video": {"renditions": {"hd": {"codec": "vp09.00.10.08"}}}, "audio": {"renditions": {}}}
            """
        _ = try network.publishByHand(["catalog.json": [Array(text.utf8)]])
        let viewer = try network.watch { $0.patience = .seconds(2) }
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(nothingPlayed(viewer).contains("hd (vp09.00.10.08)"))
        #expect(viewer.problems.count == 1)
    }

    @Test(arguments: KitPlatform.allCases)
    func aFrameThatDoesNotDecodeIsAFaultAndPlaybackGoesOn(_ platform: KitPlatform) throws {
        let network = try LiveNetwork()
        let viewer = try network.watch { ($0.platform, $0.records) = (platform, true) }
        let source = try Fixture.file("bad-corrupt-frame.mp4")
        try network.publish(source)
        #expect(try network.run(for: .seconds(20)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome == WatchOutcome(reason: .ended, hasPlayed: true, faults: 1))
        #expect(try viewer.illegalSteps() == [])
        let reasons = viewer.watcher.currentFigures.reasons
        #expect(reasons.map(\.cause) == [.damaged] && reasons.map(\.rendition) == ["video0"], "\(reasons)")
        // The group is given up; the next keyframe shows picture 20.
        #expect(viewer.pictures == Array(0..<15) + Array(20..<40), "\(viewer.pictures)")
        // What cannot be decoded is saved all the same.
        #expect(try MediaFile(bytes: viewer.saved).packets.count == source.packets.count)
    }

    @Test func framesThatAreNoFramesEndTheirTrack() throws {
        let network = try LiveNetwork()
        let text = """
            {"video": {"renditions": {"hd": {"codec": "avc1.64001f", "container": {"kind": "loc"}}}},
             "audio": {"renditions": {}}}
            """
        _ = try network.publishByHand(["catalog.json": [Array(text.utf8)], "hd": [[0x40]]])
        let viewer = try network.watch()
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.hasPlayed == false)
        let reasons = viewer.watcher.currentFigures.reasons
        #expect(reasons.map(\.cause) == [.container] && reasons.map(\.rendition) == ["hd"], "\(reasons)")
    }

    @Test func aBroadcastThatIsNeverAnnouncedIsGivenUp() throws {
        let network = try LiveNetwork()
        let patient = try network.watch { $0.patience = .seconds(3) }
        let timed = try network.watch { $0.duration = .seconds(4) }
        #expect(try !network.run(for: .seconds(2)) { patient.watcher.outcome != nil })
        #expect(try network.run(for: .seconds(5)) { [patient, timed].allSatisfy { $0.watcher.outcome != nil } })
        #expect(nothingPlayed(patient) == "nothing played within 3.0 s: the broadcast `live/file` was not announced")
        #expect(nothingPlayed(timed) == "nothing played: the broadcast `live/file` was not announced")
    }

    @Test func aBroadcastWithoutCatalogIsWaitedFor() throws {
        let network = try LiveNetwork()
        _ = try network.publishByHand(["catalog.json": []])
        let viewer = try network.watch { $0.patience = .seconds(2) }
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil })
        #expect(nothingPlayed(viewer).contains("no catalog of it came"))
    }

    @Test func aPublisherThatIsGoneEndsIt() throws {
        let network = try LiveNetwork()
        let viewer = try network.watch()
        try network.publish(try Fixture.file("bars-h264-aac.mp4"))
        try network.run(for: .seconds(2))
        network.losePublishers()
        #expect(try network.run(for: .seconds(40)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.reason == .ended && viewer.watcher.outcome?.hasPlayed == true)
        #expect(viewer.told.contains("track.subscribe.error"))
        #expect(try viewer.illegalSteps() == [])
    }

    @Test func aRelayThatIsGoneIsALostSession() throws {
        let network = try LiveNetwork()
        let viewer = try network.watch()
        let publisher = try network.publish(try Fixture.file("bars-h264-aac.mp4"))
        try network.run(for: .seconds(2))
        network.relay.shutdown(reason: "stopped", at: network.driver.now)
        #expect(try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil && publisher.state == .over })
        guard case .sessionLost(let text)? = reason(viewer) else {
            Issue.record("\(String(describing: reason(viewer)))")
            return
        }
        #expect(text.contains("the session is over"))
        #expect(try viewer.illegalSteps() == [])
        #expect(network.published.contains { if case .closed = $0.kind { true } else { false } })
    }

    @Test func aClockThatJumpsIsADiscontinuity() throws {
        let network = try LiveNetwork()
        let viewer = try network.watch()
        try network.publish(try Fixture.file("bad-clock-jump.mp4"))
        #expect(try network.run(for: .seconds(30)) { viewer.watcher.outcome != nil })
        #expect(viewer.watcher.outcome?.hasPlayed == true)
        #expect(viewer.watcher.currentFigures.statistics.video.discontinuities > 0)
        #expect(try viewer.illegalSteps() == [])
    }

    @Test(arguments: CatalogFollower.Form.allCases)
    func everyFormOfTheCatalogLeadsToTheSamePictures(_ form: CatalogFollower.Form) throws {
        let network = try LiveNetwork()
        let viewer = try network.watch { ($0.catalog, $0.duration) = (form, .seconds(3)) }
        try network.publish(try Fixture.file("bars-h264-opus.mp4"))
        try network.run(for: .seconds(5)) { viewer.watcher.outcome != nil }
        #expect(viewer.watcher.outcome == WatchOutcome(reason: .stopped, hasPlayed: true, faults: 0))
        #expect(viewer.pictures.count > 15)
    }
}
