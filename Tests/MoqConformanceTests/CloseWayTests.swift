import MoqScenario
import MoqWire
import Testing

@testable import MoqConformance

/// How sessions end, held against the ways that are right.
@Suite struct CloseWayTests {
    private let book = CodeBook(generation: .second)

    private func isMet(_ way: RecordedClose.Way?, _ wanted: CloseWay..., code: UInt64? = nil, byPeer: Bool = true)
        -> Bool
    {
        let close = RecordedClose(code: code, byPeer: byPeer, text: "closed", way: way)
        return book.judge(close, against: .oneOf(wanted)).isMet
    }

    @Test func unauthorizedIsACodeOrAnHTTPStatus() {
        let code = CodeTable.numberToSend(for: .unauthorized, in: .second, on: .close)
        #expect(isMet(nil, .code(.condition("unauthorized")), code: code))
        #expect(isMet(.status(401), .code(.condition("unauthorized")), byPeer: false))
        #expect(isMet(.status(403), .code(.condition("unauthorized")), byPeer: false))
        #expect(!isMet(.status(404), .code(.condition("unauthorized")), byPeer: false))
        #expect(!isMet(.status(401), .code(.condition("not_found")), byPeer: false))
        #expect(!isMet(nil, .code(.condition("unauthorized")), code: code, byPeer: false))
    }

    @Test func noProtocolIsAnAlertOfQUICAndACodeOfQmuxAndAnAnswerWithoutAName() {
        #expect(isMet(.transport(0x178), .noProtocol))
        #expect(isMet(.noProtocol, .noProtocol, byPeer: false))
        #expect(!isMet(.transport(0x12A), .noProtocol))
        #expect(!isMet(.status(400), .noProtocol))
        #expect(isMet(.transport(0x178), .alert(120)))
        #expect(!isMet(.transport(0x178), .alert(121)))
    }

    @Test func aSetHoldsWhenOneOfItsWaysDoes() {
        #expect(isMet(.status(404), .status(405), .status(404)))
        #expect(isMet(.transport(3), .code(.number(7)), .transport(3)))
        #expect(!isMet(.transport(3), .code(.number(3)), .transport(4)))
        #expect(!isMet(.transport(3), .transport(3), byPeer: false))
        #expect(book.judge(RecordedClose(code: nil, byPeer: false, text: "lost"), against: .any).isMet)
    }
}
