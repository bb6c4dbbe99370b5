import MoqBase
import Testing

@testable import MoqKit

/// Rooms: who is there, what they may and what they publish.
@Suite struct MoqomRoomTests {
    private let bench = MoqomBench()

    @Test func whoJoinsSeesTheOthersAndIsSeen() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", .audience)
        #expect(ana.told("participantJoined").map { $0["who"] } == ["bea"])
        #expect(bea.told("participantJoined").map { $0["who"] } == ["ana"])
        #expect(ana.room.people.map(\.report.role) == [.audience])
        #expect(moqomReason { try ana.session.join("den") } == .alreadyJoined)
    }

    @Test func oneLeavesAfterHavingSaidSo() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        bea.session.close()
        bench.settle()
        #expect(ana.told("participantLeft").map { $0["why"] } == ["left"])
        #expect(bea.closes == 0)
        bench.advance(400)
        #expect(bea.closes == 1)
        bench.advance(40_000)
        #expect(ana.told("participantLeft").count == 1 && ana.told("presenceChanged").isEmpty)
        #expect(bea.told("terminal").isEmpty)
    }

    @Test func ownMediaAreNobodyElses() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        try ana.room.prepare(.video)
        try ana.room.start(.video, backstage: false)
        bench.advance(1000)
        #expect(ana.room.media.isEmpty && ana.room.broadcasters(.live) == [])
        #expect(bea.room.broadcasters(.live) == ["ana"])
        #expect(bea.room.media.first.map { $0.objects >= 4 } == true)
    }

    @Test func aMuteIsToldAndLetsNothingLeave() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        try ana.room.prepare(.audio)
        try ana.room.start(.audio, backstage: false)
        bench.advance(500)
        ana.room.setSelfMuted(.audio, true)
        ana.room.setSelfMuted(.audio, true)
        bench.settle()
        let sent = ana.room.broadcast(.audio).sent
        bench.advance(1000)
        #expect(ana.room.broadcast(.audio).sent == sent)
        #expect(bea.told("muteChanged").map { $0["mute"] } == ["self"])
        ana.room.setSelfMuted(.audio, false)
        bench.advance(1000)
        #expect(ana.room.broadcast(.audio).sent > sent)
        #expect(bea.told("muteChanged").map { $0["mute"] } == ["self", "none"])
    }

    @Test func aForcedMuteHoldsUntilTheUserResumes() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        try bea.room.prepare(.audio)
        try bea.room.start(.audio, backstage: false)
        bench.advance(500)
        #expect(moqomReason { try bea.room.forceMute(.everyone) } == .notGranted)
        try ana.room.forceMute(.everyone)
        bench.settle()
        let sent = bea.room.broadcast(.audio).sent
        bench.advance(1000)
        #expect(sent > 0 && bea.room.broadcast(.audio).sent == sent)
        #expect(bea.room.mute(.audio).state == .held && ana.room.mute(.audio).state == .free)
        #expect(moqomReason { try bea.room.resumeAfterForceMute() } == .notOpen)
        // Who comes late is meant, too.
        let cleo = try bench.session("cleo", .audience)
        #expect(cleo.room.mute(.video).state == .held)
        try ana.room.forceMute(.none)
        bench.settle()
        bench.advance(1000)
        #expect(bea.room.mute(.audio).state == .resumable && bea.room.broadcast(.audio).sent == sent)
        try bea.room.resumeAfterForceMute()
        bench.advance(1000)
        #expect(bea.room.mute(.audio).state == .free && bea.room.broadcast(.audio).sent > sent)
        #expect(bea.told("captureRestricted").map { $0["resumable"] } == ["false", "false", "true", "true"])
        try cleo.room.resumeAfterForceMute()
        try ana.room.forceMute(.audience)
        bench.settle()
        #expect(cleo.room.mute(.audio).state == .held && bea.room.mute(.audio).state == .free)
    }

    @Test func aRightThatIsTakenEndsTheBroadcastAndOneThatIsGivenStartsNothing() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", .audience)
        #expect(moqomReason { try bea.room.prepare(.video) } == .notGranted)
        try ana.room.grant("bea", [.publish])
        bench.advance(500)
        #expect(bea.room.report.grants == [.publish] && ana.room.broadcasters(.live) == [])
        try bea.room.prepare(.video)
        try bea.room.start(.video, backstage: false)
        bench.settle()
        #expect(ana.room.broadcasters(.live) == ["bea"])
        try ana.room.revoke("bea", [.publish])
        bench.settle()
        #expect(bea.room.broadcast(.video).state == .stopped)
        #expect(bea.names.suffix(2) == ["grantsChanged", "media.ended"])
        bench.advance(1500)
        #expect(ana.room.broadcasters(.live) == [])
    }

    @Test func backstageMovesToTheStage() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        #expect(moqomReason { try bea.room.start(.video, backstage: true) } == .notPrepared)
        try bea.room.prepare(.video)
        try bea.room.start(.video, backstage: true)
        bench.settle()
        #expect(ana.room.broadcasters(.backstage) == ["bea"] && ana.room.broadcasters(.live) == [])
        try bea.room.goLive(.video)
        bench.advance(1500)
        #expect(ana.room.broadcasters(.backstage) == [] && ana.room.broadcasters(.live) == ["bea"])
        #expect(moqomReason { try bea.room.goLive(.video) } == .notPrepared)
    }

    @Test func aMuteHereStopsTheMediaHereOnly() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        let cleo = try bench.session("cleo")
        try ana.room.prepare(.audio)
        try ana.room.start(.audio, backstage: false)
        bench.advance(500)
        #expect(moqomReason { try bea.room.setLocallyMuted("zoe", .audio, true) } == .unknownParticipant)
        try bea.room.setLocallyMuted("ana", .audio, true)
        bench.settle()
        let (here, there) = (bea.room.media[0].objects, cleo.room.media[0].objects)
        bench.advance(1000)
        #expect(bea.room.media[0].objects == here && cleo.room.media[0].objects > there)
        try bea.room.setLocallyMuted("ana", .audio, false)
        bench.advance(1000)
        #expect(bea.room.media[0].objects > here && ana.told("muteChanged").isEmpty)
    }

    @Test func theSpotlightIsToldToEveryone() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        let cleo = try bench.session("cleo", .audience)
        #expect(moqomReason { try bea.room.setSpotlight("cleo") } == .notGranted)
        #expect(moqomReason { try ana.room.setSpotlight("zoe") } == .unknownParticipant)
        try ana.room.setSpotlight("bea")
        try ana.room.setSpotlight(nil)
        bench.settle()
        for client in [ana, bea, cleo] {
            #expect(client.told("spotlightChanged").map { $0["who"] } == ["bea", "none"])
        }
    }

    @Test func whoIsRemovedEndsOnceAndLast() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        let cleo = try bench.session("cleo", .host)
        try bea.room.prepare(.video)
        try bea.room.start(.video, backstage: false)
        #expect(moqomReason { try bea.room.kick("ana", code: "x") } == .notGranted)
        #expect(moqomReason { try ana.room.kick("cleo", code: "x") } == .notGranted)
        try ana.room.kick("bea", code: "rule 4")
        bench.advance(1000)
        #expect(bea.session.state == .closed && bea.session.terminal == .moderated(code: "rule 4"))
        #expect(bea.names.suffix(2) == ["media.ended", "terminal"])
        #expect(cleo.told("participantLeft").map { $0["why"] } == ["evicted"])
        let told = bea.events.count
        try ana.room.end()
        bench.advance(5000)
        #expect(bea.events.count == told)
        #expect(cleo.session.terminal == .hostEnded && ana.session.state == .established)
        #expect(moqomReason { _ = try bea.session.joined(nil) } == .alreadyClosed)
    }
}
