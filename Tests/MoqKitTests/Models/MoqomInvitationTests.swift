import MoqBase
import Testing

@testable import MoqKit

/// Invitations to the stage and requests for it: what becomes of them on both sides.
@Suite struct MoqomInvitationTests {
    private let bench = MoqomBench()

    private func pair() throws -> (host: MoqomBench.Client, guest: MoqomBench.Client) {
        (try bench.session("ana", .host), try bench.session("bea", .audience))
    }

    @Test func oneThatIsAcceptedGivesTheRight() throws {
        let (ana, bea) = try pair()
        #expect(moqomReason { try bea.room.answer(true) } == .notOpen)
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(5))
        bench.settle()
        try bea.room.answer(true)
        bench.settle()
        #expect(ana.room.invitations.map(\.state) == [.accepted] && bea.room.invitations.map(\.state) == [.accepted])
        #expect(bea.room.report.grants == [.publish])
        #expect(bea.names.suffix(3) == ["stageChanged", "stageChanged", "grantsChanged"])
        bench.advance(10_000)
        #expect(bea.room.invitations.map(\.state) == [.accepted])
        #expect(moqomReason { try bea.room.answer(false) } == .notOpen)
    }

    @Test func oneThatIsDeclinedGivesNothing() throws {
        let (ana, bea) = try pair()
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(5))
        bench.settle()
        try bea.room.answer(false)
        bench.settle()
        #expect(ana.room.invitations.map(\.state) == [.declined] && bea.room.report.grants == [])
        #expect(moqomReason { try bea.room.answer(true) } == .notOpen)
    }

    @Test func oneThatIsTakenBackCannotBeAccepted() throws {
        let (ana, bea) = try pair()
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(5))
        bench.settle()
        try ana.room.cancelInvitation()
        bench.settle()
        #expect(bea.room.invitations.map(\.state) == [.cancelled])
        #expect(moqomReason { try bea.room.answer(true) } == .notOpen)
        try ana.room.cancelInvitation()
        #expect(ana.room.invitations.map(\.state) == [.cancelled])
    }

    @Test func oneIsOpenUntilItExpires() throws {
        let (ana, bea) = try pair()
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(5))
        bench.advance(4900)
        #expect(ana.room.invitations.map(\.state) == [.offered] && bea.room.invitations.map(\.state) == [.offered])
        bench.advance(150)
        #expect(ana.room.invitations.map(\.state) == [.expired] && bea.room.invitations.map(\.state) == [.expired])
        #expect(moqomReason { try bea.room.answer(true) } == .notOpen)
    }

    @Test func anAnswerThatComesTooLateChangesNothing() throws {
        let (ana, bea) = try pair()
        try ana.room.invite("bea", [.publish], expiresAfter: .seconds(5))
        bench.settle()
        // Both at once: its issuer decides.
        try bea.room.answer(true)
        try ana.room.cancelInvitation()
        bench.settle()
        #expect(ana.room.invitations.map(\.state) == bea.room.invitations.map(\.state))
        let isIn = bea.room.invitations.map(\.state) == [.accepted]
        #expect(bea.room.report.grants == (isIn ? [.publish] : []))
    }

    @Test func aRequestIsAnsweredByHosts() throws {
        let (ana, bea) = try pair()
        let cleo = try bench.session("cleo", .speaker)
        try bea.room.requestStage([.publish], expiresAfter: .seconds(5))
        bench.settle()
        #expect(cleo.room.invitations.isEmpty && ana.room.invitations.map(\.with) == ["bea"])
        try ana.room.answer(true)
        bench.settle()
        #expect(bea.room.report.grants == [.publish] && bea.room.invitations.map(\.state) == [.accepted])
        try ana.room.lockStage(true)
        bench.settle()
        #expect(moqomReason { try bea.room.requestStage([.moderate], expiresAfter: .seconds(5)) } == .stageLocked)
    }
}
