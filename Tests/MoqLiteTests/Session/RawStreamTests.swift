import MoqBase
import MoqLite
import MoqTransport
import MoqWire
import Testing

@Suite struct RawStreamTests {
    @Test(arguments: Version.allCases)
    func whatThePeerDoesOnARawStreamIsTold(_ version: Version) throws {
        let pair = SessionPair.established(version)
        let unknown = try #require(pair.client.openRawStream(.bidirectional, writing: [0x3F]))
        #expect(
            pair.clientTold() == [.rawEnded(unknown, .reset(.code(1))), .rawStopped(unknown, .code(1))])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func aRawRequestIsAnsweredInBytes() throws {
        let pair = SessionPair.established(.lite06)
        let stream = try #require(pair.client.openRawStream(.bidirectional, writing: [0x01]))
        #expect(pair.client.writeRaw([0x01, 0x00], to: stream))
        guard case .announceRequested(let id, _, _)? = pair.serverTold().last else {
            Issue.record("no request")
            return
        }
        pair.server.answerAnnounce(id, active: [])
        #expect(pair.clientTold() == [.rawBytes(stream, [0x02, UInt8(SessionPair.serverHop), 0x00])])
        pair.client.finishRaw(stream)
        #expect(!pair.client.writeRaw([0x00], to: stream))
        #expect(pair.clientTold() == [.rawEnded(stream, .finished)])
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func aRawStreamCanBeResetAndStopped() throws {
        let pair = SessionPair.established(.lite06)
        let stream = try #require(pair.client.openRawStream(.bidirectional, writing: [0x01, 0x01, 0x00]))
        _ = pair.serverTold()
        pair.client.resetRaw(stream, code: .unmapped(raw: 24))
        pair.client.stopRaw(stream, code: .code(9))
        #expect(pair.clientTold() == [.rawEnded(stream, .cancelled)])
        guard case .announceCancelled(_, .reset(.unmapped(raw: 24)))? = pair.serverTold().last else {
            Issue.record("not told")
            return
        }
        #expect(pair.openPurposes.isEmpty)
    }

    @Test func aRawStreamEndsWithTheSession() throws {
        let pair = SessionPair.established(.lite06)
        let stream = try #require(pair.client.openRawStream(.bidirectional, writing: [0x04]))
        _ = pair.clientTold()
        pair.server.close(code: 0, reason: "")
        #expect(pair.clientTold().first == .rawEnded(stream, .sessionClosed))
    }
}
