import MoqBase
import Testing

@testable import MoqKit

/// Sessions of MoqomKit: links that are lost, tokens that lapse, and what ends them.
@Suite struct MoqomSessionTests {
    private let bench = MoqomBench()

    private func instant(_ milliseconds: Int) -> Instant { Instant(nanoseconds: UInt64(milliseconds) * 1_000_000) }

    @Test func itConnectsOnce() throws {
        let ana = try bench.session("ana", in: nil)
        #expect(ana.session.state == .established && ana.dials == 1)
        #expect(moqomReason { try ana.session.connect() } == .alreadyConnected)
        ana.session.close()
        #expect(moqomReason { try ana.session.connect() } == .alreadyClosed)
        #expect(moqomReason { try ana.session.join("den") } == .alreadyClosed)
    }

    @Test func aFirstConnectionThatFailsIsTheEnd() throws {
        let port = ModelPort(at: .origin)
        let session = MoqomSession(number: 1, MoqomSession.Settings(user: "ana"), port: port)
        try session.connect()
        session.linkFailed(.other)
        #expect(session.state == .closed && session.terminal == .networkFailure)
        session.linkFailed(.other)
        session.linkUp()
        #expect(port.takeEvents().map(\.name) == ["terminal"])
    }

    @Test func whoComesBackInTimeIsAsBefore() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea")
        try bea.room.prepare(.video)
        try bea.room.start(.video, backstage: false)
        bea.room.setSelfMuted(.audio, true)
        bench.settle()
        bench.lose(bea)
        #expect(bea.session.state == .reconnecting)
        bench.advance(900)
        #expect(ana.told("presenceChanged").isEmpty)
        bench.advance(200)
        #expect(ana.told("presenceChanged").map { $0["presence"] } == ["reconnecting"])
        #expect(bea.dials > 1)
        bench.up(bea)
        bench.advance(5000)
        #expect(bea.session.state == .established && bea.told("restored").count == 1)
        #expect(ana.told("presenceChanged").map { $0["presence"] } == ["reconnecting", "present"])
        #expect(ana.told("participantLeft").isEmpty && ana.told("participantJoined").count == 1)
        #expect(bea.told("participantJoined").count == 1 && bea.told("presenceChanged").isEmpty)
        #expect(ana.room.broadcasters(.live) == ["bea"] && ana.room.people[0].report.selfMuted == [.audio])
        #expect(bea.room.people.map(\.state) == [.present])
    }

    @Test func whoDoesNotComeBackTimesOut() throws {
        let ana = try bench.session("ana") { $0.window = .seconds(5) }
        let bea = try bench.session("bea") {
            $0.window = .seconds(5)
            $0.awayAfter = .seconds(2)
        }
        bench.lose(bea)
        bench.advance(2050)
        #expect(bea.session.state == .away)
        bench.advance(3000)
        #expect(bea.session.terminal == .networkFailure && bea.names.last == "terminal")
        bench.advance(2000)
        #expect(ana.told("participantLeft").map { $0["why"] } == ["timedOut"])
        let told = bea.events.count
        bench.up(bea)
        bench.advance(5000)
        #expect(bea.events.count == told && bea.session.state == .closed)
    }

    @Test func attemptsAreFurtherAndFurtherApart() throws {
        let ana = try bench.session("ana") { $0.window = .seconds(60) }
        bench.lose(ana)
        var moments: [Int] = []
        for turn in 0..<200 {
            let before = ana.dials
            bench.advance(50)
            if ana.dials > before {
                moments.append(turn * 50)
                ana.session.linkFailed(.other)
            }
        }
        let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(gaps.count > 3 && gaps == gaps.sorted() && gaps.last == 2000)
    }

    @Test func aTokenIsRenewedWithoutAReconnect() throws {
        let ana = try bench.session("ana", .host)
        let bea = try bench.session("bea", tokenExpires: instant(4000)) {
            $0.renewBefore = .seconds(2)
            $0.service = .grants
        }
        bench.advance(1950)
        #expect(bea.dials == 1 && bea.session.token.state == .valid)
        bench.advance(100)
        #expect(bea.dials == 2 && bea.session.token.state == .renewing && bea.session.wantsFreshToken)
        bench.up(bea, tokenExpires: instant(60_000))
        #expect(bea.session.token.state == .valid && bea.told("token").count == 1)
        bench.advance(5000)
        #expect(bea.session.state == .established && bea.told("restored").isEmpty)
        #expect(ana.told("presenceChanged").isEmpty && ana.room.person("bea") != nil)
        #expect(bea.room.person("ana") != nil && bea.told("presenceChanged").isEmpty)
    }

    @Test func aRenewalThatFailsIsTriedAgainUntilTheTokenLapses() throws {
        let ana = try bench.session("ana", tokenExpires: instant(4000)) {
            $0.renewBefore = .seconds(2)
            $0.service = .grants
        }
        bench.advance(2050)
        ana.session.linkFailed(.other)
        #expect(ana.session.token.state == .renewing && ana.session.state == .established && ana.dials == 2)
        bench.advance(500)
        #expect(ana.dials == 3)
        ana.session.linkFailed(.other)
        ana.session.service = .refuses
        bench.advance(1400)
        #expect(ana.session.state == .established)
        bench.advance(100)
        #expect(ana.session.terminal == .tokenExpired && ana.names.suffix(2) == ["tokenExpired", "terminal"])
    }

    @Test func aTokenThatNobodyRenewsEndsTheSession() throws {
        let ana = try bench.session("ana", tokenExpires: instant(3000))
        bench.advance(3050)
        #expect(ana.session.terminal == .tokenExpired && ana.told("terminal").count == 1 && ana.dials == 1)
    }

    @Test func aRelayThatTakesTheTokenNoLongerEndsTheSession() throws {
        let ana = try bench.session("ana", tokenExpires: instant(60_000))
        bench.lose(ana, .unauthorized)
        #expect(ana.session.terminal == .tokenExpired && ana.session.token.state == .expired)
    }

    @Test func aTrackThatEndsIsAskedForAgain() throws {
        let ana = try bench.session("ana")
        _ = try bench.session("bea")
        for _ in 0..<5 {
            bench.end(MoqomRoom.path(of: "bea", in: "den"), .code(24))
            bench.advance(1000)
        }
        #expect(ana.room.person("bea") != nil && ana.told("presenceChanged").isEmpty)
    }

    @Test(arguments: [13, 24, 25, 26] as [UInt64])
    func aTrackThatIsRefusedThenIsGivenUpAndNothingElseIs(_ code: UInt64) throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        let cleo = try bench.session("cleo")
        try cleo.room.prepare(.audio)
        try cleo.room.start(.audio, backstage: false)
        bench.settle()
        for path in [MoqomRoom.path(of: "bea", in: "den"), "den/live/cleo/audio"] {
            bench.refused[path] = code
            bench.end(path, .code(code))
        }
        #expect(ana.room.person("bea") != nil)
        bench.advance(1000)
        #expect(ana.told("participantLeft").map { $0["why"] } == ["connectionLost"])
        #expect(ana.room.media.first?.end == .code(code) && ana.room.broadcasters(.live) == [])
        #expect(ana.session.state == .established && bea.session.state == .established)
        #expect(ana.room.person("cleo") != nil)
    }

    @Test func whatIsNoReportOfItsOwnerChangesNothing() throws {
        let ana = try bench.session("ana")
        ana.session.announced("den/people/zoe")
        bench.settle()
        let id = try #require(ana.room.incoming.first?.subscription)
        let another = MoqomReport(name: "bea", entry: "bea-1", role: .host)
        for payload in [Array("{".utf8), another.json] { ana.session.frame(id, payload) }
        bench.settle()
        #expect(ana.room.people.isEmpty && ana.session.state == .established)
        ana.session.frame(id, MoqomReport(name: "zoe", entry: "zoe-1", role: .host).json)
        #expect(ana.room.people.map(\.name) == ["zoe"])
    }

    @Test func anOlderReportUndoesNothing() throws {
        let ana = try bench.session("ana")
        ana.session.announced("den/people/zoe")
        bench.settle()
        let id = try #require(ana.room.incoming.first?.subscription)
        var report = MoqomReport(name: "zoe", entry: "zoe-1", role: .speaker)
        for (revision, muted) in [(1, []), (3, [MoqomMedium.audio]), (2, [])] {
            report.revision = revision
            report.selfMuted = muted
            ana.session.frame(id, report.json)
        }
        bench.settle()
        #expect(ana.told("muteChanged").count == 1 && ana.room.people[0].report.selfMuted == [.audio])
    }

    @Test func aNameInAnotherSessionIsSomebodyElse() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        bench.lose(bea)
        bench.advance(1500)
        var report = MoqomReport(name: "bea", entry: "bea-2", role: .host)
        report.revision = 1
        ana.session.announced("den/people/bea")
        let id = try #require(ana.room.incoming.first { $0.name == "bea" }?.subscription)
        ana.session.frame(id, report.json)
        bench.settle()
        #expect(ana.told("participantLeft").map { $0["why"] } == ["connectionLost"])
        #expect(ana.room.person("bea")?.entry == "bea-2")
    }

    @Test func leavingOneRoomLeavesTheOther() throws {
        let ana = try bench.session("ana")
        let bea = try bench.session("bea")
        try ana.session.join("hall")
        try bea.session.join("hall")
        bench.settle()
        try bea.session.leave("den")
        bench.advance(2000)
        #expect(ana.session.rooms[0].person("bea") == nil && ana.session.rooms[1].person("bea") != nil)
        #expect(bea.session.rooms.map(\.path) == ["hall"] && bea.dials == 1)
    }
}

/// What participants say of themselves.
@Suite struct MoqomReportTests {
    @Test func whatIsWrittenIsRead() throws {
        var report = MoqomReport(name: "ana", entry: "ana-1", role: .host)
        report.revision = 7
        report.selfMuted = [.audio]
        report.forceMuted = [.video]
        report.leave = .evicted
        report.forceMute = .audience
        report.spotlight = "bea"
        report.isLocked = true
        report.orders = [.init(id: 1, to: "bea-1", action: .kick, grants: [], code: "x")]
        report.invitations = [.init(id: 2, to: "hosts", offered: [.publish], state: .offered, expiresAfter: 5000)]
        report.answers = [.init(to: "bea-1", id: 3, accepts: true)]
        #expect(MoqomReport(parsing: report.json) == report)
    }

    @Test(arguments: ["", "[]", "{", #"{"name":"ana"}"#, #"{"name":"a","entry":"a-1","role":"king"}"#])
    func whatIsNoReportIsNone(_ text: String) {
        #expect(MoqomReport(parsing: Array(text.utf8)) == nil)
    }

    @Test func whatIsNotKnownIsLeftOut() throws {
        let text = #"{"name":"a","entry":"a-1","role":"host","grants":["fly","publish"],"orders":[{"id":1}],"x":1}"#
        let report = try #require(MoqomReport(parsing: Array(text.utf8)))
        #expect(report.grants == [.publish] && report.orders.isEmpty)
    }
}
