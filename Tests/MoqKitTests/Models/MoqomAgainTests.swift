import MoqBase
import Testing

@testable import MoqKit

/// Rooms that are left and joined again by the same session.
@Suite struct MoqomAgainTests {
    private let bench = MoqomBench()

    private func leaveAndJoin(_ client: MoqomBench.Client, _ room: String = "den", after pause: Int) throws {
        try client.session.leave(room)
        bench.settle()
        if pause > 0 { bench.advance(pause) }
        try client.session.join(room)
        bench.settle()
    }

    private func there(_ client: MoqomBench.Client, _ room: String = "den") throws -> MoqomRoom {
        try client.session.joined(room)
    }

    @Test(arguments: [0, 100, 300, 2000]) func oneWhoComesBackIsSeenAndSeesTheOthers(after pause: Int) throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        for _ in 0..<2 { try leaveAndJoin(bea, after: pause) }
        bench.advance(3000)
        #expect(ana.told("participantJoined").map { $0["who"] } == ["bea", "bea", "bea"])
        #expect(ana.told("participantLeft").map { $0["why"] } == ["left", "left"])
        #expect(ana.room.person("bea")?.state == .present)
        #expect(try there(bea).person("ana") != nil && bea.session.rooms.count == 1 && bea.dials == 1)
        #expect(bea.told("participantJoined").count == 3 && bea.told("participantLeft").isEmpty)
    }

    @Test(arguments: [0, 1000]) func mediaFlowAgain(after pause: Int) throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        try bea.room.prepare(.audio)
        try bea.room.start(.audio, backstage: false)
        bea.room.setSelfMuted(.video, true)
        bench.advance(500)
        try leaveAndJoin(bea, after: pause)
        #expect(try there(bea).broadcast(.audio).state == .unprepared && !there(bea).mute(.video).isSelfMuted)
        bench.advance(2000)
        #expect(ana.room.broadcasters(.live) == [])
        let before = try #require(ana.room.media.first).objects
        try there(bea).prepare(.audio)
        try there(bea).start(.audio, backstage: false)
        bench.advance(2000)
        #expect(ana.room.broadcasters(.live) == ["bea"])
        #expect(try #require(ana.room.media.first).objects >= before + 5)
    }

    @Test func whatWasSaidToTheFirstEntryIsNotForTheSecond() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", .audience)
        try ana.room.grant("bea", [.publish])
        try ana.room.forceMute(.everyone)
        try ana.room.invite("bea", [.moderate], expiresAfter: .seconds(60))
        bench.settle()
        #expect(bea.room.report.grants == [.publish] && bea.room.mute(.audio).state == .held)
        try ana.room.forceMute(.none)
        bench.settle()
        try leaveAndJoin(bea, after: 1000)
        bench.advance(1000)
        #expect(try there(bea).report.grants == [] && there(bea).mute(.audio).state == .free)
        #expect(try there(bea).invitations.isEmpty)
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(60))
        bench.settle()
        try there(bea).answer(true)
        bench.settle()
        #expect(try there(bea).report.grants == [.publish])
    }

    @Test func anAnswerToARequestOfTheFirstEntryIsNotForTheSecond() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", .audience)
        try bea.room.requestStage([.publish], expiresAfter: .seconds(60))
        bench.settle()
        try ana.room.answer(true)
        bench.settle()
        #expect(bea.room.report.grants == [.publish])
        try leaveAndJoin(bea, after: 1000)
        try there(bea).requestStage([.publish], expiresAfter: .seconds(60))
        bench.advance(1000)
        #expect(try there(bea).invitations.map(\.state) == [.offered] && there(bea).report.grants == [])
        try ana.room.answer(true)
        bench.settle()
        #expect(try there(bea).report.grants == [.publish])
    }

    @Test func ordersOfAModeratorWhoCameBackAreCarriedOut() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", .audience)
        try ana.room.grant("bea", [.publish])
        bench.settle()
        try leaveAndJoin(ana, after: 1000)
        #expect(bea.told("participantJoined").count == 2)
        try there(ana).kick("bea", code: "rule 4")
        bench.settle()
        #expect(bea.session.terminal == .moderated(code: "rule 4"))
        let again = try bench.session("bea", number: 2)
        bench.advance(2000)
        #expect(again.session.state == .established && ana.room.person("bea") != nil)
        try leaveAndJoin(again, after: 1000)
        #expect(ana.room.person("bea")?.entry == "bea-2 entry 2")
    }

    @Test func aChannelIsOpenedAgain() throws {
        let ana = try bench.session("ana", in: nil)
        let bea = try bench.session("bea")
        try ana.session.goLive()
        try bea.session.watch("ana")
        bench.settle()
        try ana.session.leave("channels/ana")
        bench.advance(1000)
        #expect(bea.session.rooms[1].person("ana") == nil)
        try ana.session.goLive()
        bench.settle()
        #expect(bea.session.rooms[1].person("ana") != nil && ana.room.report.role == .host)
        #expect(bea.session.rooms[0].path == "den" && bea.told("participantLeft").count == 1)
        try ana.room.end()
        bench.settle()
        #expect(bea.session.terminal == .hostEnded)
        try leaveAndJoin(ana, "channels/ana", after: 1000)
        let again = try bench.session("bea", in: nil, number: 2)
        try again.session.watch("ana")
        bench.advance(1000)
        #expect(again.session.state == .established && again.room.person("ana") != nil)
    }

    @Test func anotherRoomStaysAsItIs() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        try ana.session.join("hall")
        try bea.session.join("hall")
        try there(bea, "hall").prepare(.audio)
        try there(bea, "hall").start(.audio, backstage: false)
        try leaveAndJoin(bea, after: 0)
        bench.advance(2000)
        #expect(try there(ana, "hall").people.count == 1 && there(bea, "hall").people.count == 1)
        #expect(try there(ana, "hall").broadcasters(.live) == ["bea"] && there(bea, "hall").id == "bea-1")
        #expect(try there(bea).id == "bea-1 entry 2")
    }

    @Test func whoWasTakenForLostIsThereAgain() throws {
        let ana = try bench.session("ana") { $0.window = .seconds(2) }
        let bea = try bench.session("bea")
        bench.lose(bea)
        bench.advance(5000)
        #expect(ana.told("participantLeft").map { $0["why"] } == ["timedOut"])
        bench.up(bea)
        bench.advance(1000)
        #expect(ana.told("participantJoined").count == 2 && ana.room.person("bea")?.state == .present)
        bench.lose(bea)
        bench.advance(5000)
        bench.up(bea)
        bench.advance(1000)
        #expect(ana.told("participantJoined").count == 3 && ana.told("participantLeft").count == 2)
    }

    @Test func anOldReportBringsNobodyBack() throws {
        let ana = try bench.session("ana")
        ana.session.announced("den/people/zoe")
        bench.settle()
        let id = try #require(ana.room.incoming.first?.subscription)
        var report = MoqomReport(name: "zoe", entry: "zoe-1", role: .speaker)
        for (entry, revision, leave) in [
            ("zoe-1", 1, nil), ("zoe-1", 3, .left), ("zoe-1 entry 2", 1, nil), ("zoe-1", 2, nil), ("zoe-1", 4, nil),
        ] as [(String, Int, MoqomLeave?)] {
            report.entry = entry
            report.revision = revision
            report.leave = leave
            ana.session.frame(id, report.json)
        }
        bench.settle()
        #expect(ana.told("participantJoined").count == 2 && ana.told("participantLeft").count == 1)
        #expect(ana.room.person("zoe")?.entry == "zoe-1 entry 2")
    }
}
