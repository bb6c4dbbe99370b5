import MoqBase
import Testing

@testable import MoqTransport

/// Bytes beneath sessions.
@Suite struct RawTests {
    private let now = Instant.origin

    private func stream() -> ByteStreamSession {
        ByteStreamSession(kind: .tcp, remote: .loopback(port: 1))
    }

    private func kinds(_ session: ByteStreamSession) -> [String] {
        var kinds: [String] = []
        while let event = session.poll() {
            switch event {
            case .established: kinds.append("established")
            case .readable: kinds.append("readable")
            case .closed(let close): kinds.append("closed by \(close.initiator)")
            default: kinds.append("other")
            }
        }
        return kinds
    }

    @Test func bytesPassAsTheyStand() {
        let session = stream()
        #expect(session.transmit(at: now) == nil)
        session.write([1, 2], to: ByteStreamSession.stream)
        session.write([3], to: ByteStreamSession.stream)
        session.write([9], to: StreamID(rawValue: 4))
        #expect(session.transmit(at: now) == [1, 2, 3])
        session.receive([7, 8, 9], at: now)
        #expect(kinds(session) == ["established", "readable"])
        #expect(session.read(ByteStreamSession.stream, limit: 2)?.bytes == [7, 8])
        #expect(session.read(ByteStreamSession.stream, limit: 2)?.bytes == [9])
        #expect(session.read(ByteStreamSession.stream, limit: 2) == nil)
        #expect(!session.isFinished)
    }

    @Test func theEndOfThePeerIsTheEndOfTheStreamAndOfTheSession() {
        let session = stream()
        session.receive([7], at: now)
        session.receiveEnd(failure: nil, at: now)
        #expect(kinds(session) == ["established", "readable", "readable", "closed by peer"])
        let read = session.read(ByteStreamSession.stream, limit: 10)
        #expect(read?.bytes == [7])
        #expect(read?.isFinished == true)
        #expect(session.isFinished)
    }

    @Test func whatWasWrittenGoesOutBeforeTheOwnEnd() {
        let session = stream()
        session.write([1], to: ByteStreamSession.stream)
        session.finish(ByteStreamSession.stream)
        session.write([2], to: ByteStreamSession.stream)
        #expect(!session.isFinished)
        #expect(session.transmit(at: now) == [1])
        #expect(session.isFinished)
    }

    @Test func aHeadThatWasWrittenCanBeReadOnceItIsWhole() throws {
        let stream = StreamID(rawValue: 0)
        let frame = try HTTP3Text.headersFrame([(":status", "404"), ("Allow", "CONNECT")], on: stream)
        #expect(HTTP3Text.fields(in: Array(frame.dropLast()), of: stream) == nil)
        // A frame of another type before it is passed over.
        let fields = try #require(HTTP3Text.fields(in: [0x21, 1, 0] + frame, of: stream))
        #expect(fields.map(\.name) == [":status", "Allow"])
        #expect(fields.map(\.value) == ["404", "CONNECT"])
    }
}
