import MoqBase
import Testing

@testable import MoqKit

/// Channels, bans, layouts, taps and statistics.
@Suite struct MoqomCallsTests {
    private let bench = MoqomBench()

    @Test func aChannelIsARoomOfItsHostOnTheSameConnection() throws {
        let ana = try bench.session("ana", .audience, in: nil)
        let bea = try bench.session("bea", .host)
        try ana.session.goLive()
        try bea.session.watch("ana")
        bench.settle()
        #expect(ana.room.report.role == .host && bea.session.rooms[1].report.role == .audience)
        #expect(bea.session.rooms[1].person("ana") != nil && bea.dials == 1)
        #expect(moqomReason { try ana.session.goLive() } == .alreadyJoined)
        #expect(moqomReason { try bea.session.rooms[1].prepare(.video) } == .notGranted)
        try ana.room.end()
        bench.settle()
        #expect(bea.session.terminal == .hostEnded)
        #expect(moqomReason { try bea.session.watch("ana") } == .alreadyClosed)
    }

    @Test func aBanEndsWithItsTimeAndNotBefore() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        #expect(moqomReason { try bea.room.ban("ana", for: .seconds(5), code: "x") } == .notGranted)
        #expect(moqomReason { try ana.room.ban("cleo", for: .seconds(5), code: "x") } == .unknownParticipant)
        try ana.room.ban("bea", for: .seconds(5), code: "spam")
        bench.advance(1000)
        #expect(bea.session.terminal == .moderated(code: "spam"))
        let again = try bench.session("bea", number: 2)
        bench.advance(1000)
        #expect(again.session.terminal == .moderated(code: "spam"))
        bench.advance(3000)
        let late = try bench.session("bea", number: 3)
        bench.advance(1000)
        #expect(late.session.state == .established && ana.room.person("bea") != nil)
    }

    @Test func aLayoutLeavesAudioAndLocalMutesAsTheyAre() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea", .audience)
        for medium in MoqomMedium.allCases {
            try ana.room.prepare(medium)
            try ana.room.start(medium, backstage: false)
        }
        func came(_ medium: MoqomMedium) -> Int { bea.room.media.first { $0.medium == medium }?.objects ?? 0 }
        bench.advance(1000)
        #expect(came(.video) > 0 && came(.audio) > 0)
        bea.room.updateLayout([])
        bench.settle()
        let before = (video: came(.video), audio: came(.audio))
        bench.advance(1000)
        #expect(came(.video) == before.video && came(.audio) > before.audio)
        try bea.room.setLocallyMuted("ana", .video, true)
        bea.room.updateLayout(["ana"])
        bench.advance(1000)
        #expect(came(.video) == before.video)
        try bea.room.setLocallyMuted("ana", .video, false)
        bench.advance(1000)
        #expect(came(.video) > before.video)
    }

    @Test func tapsAreOfWhatTheyName() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea", .audience)
        for medium in MoqomMedium.allCases {
            try ana.room.prepare(medium)
            try ana.room.start(medium, backstage: false)
        }
        bea.room.tap(.init(.video, of: "cleo"))
        bench.advance(500)
        #expect(bea.told("tap").isEmpty)
        bea.room.tap(.init(.video, of: nil))
        ana.room.tap(.init(.ownAudio, of: nil))
        bench.advance(1000)
        #expect(Set(bea.told("tap").map { $0["kind"] }) == ["video"])
        #expect(Set(ana.told("tap").map { $0["kind"] }) == ["own_audio"])
        let told = bea.told("tap").count
        bea.room.untap(.init(.video, of: nil))
        bench.advance(1000)
        #expect(bea.told("tap").count == told)
    }

    @Test func statisticsComeOnceOrAtEveryInterval() throws {
        let ana = try bench.session("ana")
        try ana.session.statistics(every: nil)
        bench.advance(2000)
        #expect(ana.told("statistics").count == 1)
        try ana.session.statistics(every: .milliseconds(500))
        bench.advance(2000)
        #expect(ana.told("statistics").count == 6)
        ana.session.close()
        bench.advance(2000)
        #expect(ana.told("statistics").count == 6)
        #expect(moqomReason { try ana.session.statistics(every: nil) } == .alreadyClosed)
    }
}
