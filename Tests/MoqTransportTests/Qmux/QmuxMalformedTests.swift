import MoqBase
import MoqTransport
import Testing

/// Something that a peer must not say, and the code that tells it so.
struct QmuxMisdeed: CustomStringConvertible, Sendable {
    var what: String
    var code: QmuxViolation.Code
    var record: [UInt8]
    var version = QmuxVersion.draft02

    init(_ what: String, _ code: QmuxViolation.Code, _ record: [UInt8], _ version: QmuxVersion = .draft02) {
        self.what = what
        self.code = code
        self.record = record
        self.version = version
    }

    var description: String { what }
}

@Suite struct QmuxMalformedTests {
    /// The engine is a server; client streams are 0, 4 .. and 2, 6 .., of which it allows 1024 each, and it has opened
    /// none. Stream 2 has carried three bytes, stream 6 four bytes and its end.
    static let misdeeds: [QmuxMisdeed] = [
        QmuxMisdeed("a record without frames", .protocolViolation, []),
        QmuxMisdeed("a number cut short", .frameEncoding, [0x40]),
        QmuxMisdeed("STREAM without a stream", .frameEncoding, [0x08]),
        QmuxMisdeed("STREAM with more length than bytes", .frameEncoding, [0x0A, 10, 5, 1, 2]),
        QmuxMisdeed("STREAM with a huge length", .frameEncoding, [0x0A, 10] + Array(repeating: 0xFF, count: 8)),
        QmuxMisdeed("STREAM that leaves a gap", .protocolViolation, [0x0E, 2, 4, 1, 0]),
        QmuxMisdeed("STREAM that repeats bytes", .protocolViolation, [0x0E, 2, 0, 1, 0]),
        QmuxMisdeed("bytes behind the end", .finalSize, [0x0E, 6, 4, 1, 0]),
        QmuxMisdeed("STREAM on a stream of ours that is not open", .streamState, [0x0A, 1, 1, 0]),
        QmuxMisdeed("STREAM on a stream that only we send on", .streamState, [0x0A, 3, 1, 0]),
        QmuxMisdeed("a unidirectional stream over the limit", .streamLimit, [0x0A] + big(1024 << 2 | 2) + [1, 0]),
        QmuxMisdeed("a bidirectional stream over the limit", .streamLimit, [0x0A] + big(1024 << 2) + [1, 0]),
        QmuxMisdeed("the greatest of all streams", .streamLimit, [0x0A] + big(VarInt.maximum - 3) + [0]),
        QmuxMisdeed("RESET_STREAM cut short", .frameEncoding, [4, 2, 0]),
        QmuxMisdeed("RESET_STREAM with less than has come", .finalSize, [4, 2, 0, 2]),
        QmuxMisdeed("RESET_STREAM with another end than was said", .finalSize, [4, 6, 0, 9]),
        QmuxMisdeed("RESET_STREAM beyond the window", .flowControl, [4, 2, 0] + big(1 << 40)),
        QmuxMisdeed("RESET_STREAM on a stream that only we send on", .streamState, [4, 3, 0, 0]),
        QmuxMisdeed("STOP_SENDING on a stream that only the peer sends on", .streamState, [5, 2, 0]),
        QmuxMisdeed("STOP_SENDING on a stream of ours that is not open", .streamState, [5, 3, 0]),
        QmuxMisdeed("MAX_STREAM_DATA on a stream that only the peer sends on", .streamState, [0x11, 2, 9]),
        QmuxMisdeed("MAX_STREAM_DATA on a stream of ours that is not open", .streamState, [0x11, 1, 9]),
        QmuxMisdeed("STREAM_DATA_BLOCKED on a stream that only we send on", .streamState, [0x15, 3, 9]),
        QmuxMisdeed("MAX_STREAMS beyond 2^60", .frameEncoding, [0x12] + big(1 << 60 | 1)),
        QmuxMisdeed("STREAMS_BLOCKED beyond 2^60", .frameEncoding, [0x17] + big(1 << 60 | 1)),
        QmuxMisdeed("MAX_DATA cut short", .frameEncoding, [0x10]),
        QmuxMisdeed("a close cut short", .frameEncoding, [0x1D, 0, 9, 0x61]),
        QmuxMisdeed("PING of QUIC", .frameEncoding, [0x01]),
        QmuxMisdeed("ACK of QUIC", .frameEncoding, [0x02, 0, 0, 0, 0]),
        QmuxMisdeed("CRYPTO of QUIC", .frameEncoding, [0x06, 0, 0]),
        QmuxMisdeed("HANDSHAKE_DONE of QUIC", .frameEncoding, [0x1E]),
        QmuxMisdeed("PATH_CHALLENGE of QUIC", .frameEncoding, [0x1A, 0, 0, 0, 0, 0, 0, 0, 0]),
        QmuxMisdeed("a frame that nobody has", .frameEncoding, big(0x1234_5678)),
        QmuxMisdeed("a datagram", .protocolViolation, [0x30, 1]),
        QmuxMisdeed("RESET_STREAM_AT", .protocolViolation, [0x24, 2, 0, 3, 3]),
        QmuxMisdeed("transport parameters twice", .protocolViolation, QmuxRawPeer.parameters()),
        QmuxMisdeed("an answer to no ping", .protocolViolation, big(0x348C_6752_9EF8_C7BE) + [9]),
        QmuxMisdeed(
            "pings that go back", .protocolViolation,
            big(0x348C_6752_9EF8_C7BD) + [9] + big(0x348C_6752_9EF8_C7BD) + [9]),
        QmuxMisdeed("a ping where there are none", .frameEncoding, big(0x348C_6752_9EF8_C7BD) + [9], .draft00),
        QmuxMisdeed("an empty message", .protocolViolation, [], .webTransport),
        QmuxMisdeed("a window in the oldest format", .frameEncoding, [0x10, 9], .webTransport),
        QmuxMisdeed("a type that is no byte in the oldest format", .frameEncoding, [0x40, 0x08, 2, 1], .webTransport),
    ]

    static func big(_ value: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(value, width: 8)
        return writer.bytes
    }

    @Test(arguments: misdeeds)
    func misdeedsEndTheConnectionWithTheirCode(_ misdeed: QmuxMisdeed) throws {
        let peer = QmuxRawPeer(misdeed.version)
        if misdeed.version != .webTransport { peer.give([0x0A, 2, 3, 1, 2, 3, 0x0F, 6, 0, 4, 1, 2, 3, 4]) }
        try #require(peer.engine.closed == nil)
        peer.drain()
        peer.give(misdeed.record)
        #expect(peer.engine.closed?.cause == .transport(code: misdeed.code.rawValue))
        #expect(peer.engine.closed?.initiator == .local && peer.engine.closed?.reason.isEmpty == false)
        // The peer is told with the code, nothing else follows, and what it says then is not listened to.
        let records = peer.drain()
        #expect(records.count == 1)
        var reader = ByteReader(records.first ?? [])
        #expect(try reader.varint() == 0x1C)
        #expect(try reader.varint() == misdeed.code.rawValue)
        #expect(peer.engine.isFinished)
        peer.give([0x0A, 10, 1, 1])
        #expect(QmuxPair.events(peer.engine).filter { $0.hasPrefix("closed") }.count == 1)
    }

    /// Transport parameters, by the bytes that stand behind the usual ones.
    static let parameters: [(what: String, bytes: [UInt8])] = [
        ("one that stands twice", [4, 1, 9]),
        ("a number with a byte behind it", [1, 2, 9, 9]),
        ("a number cut short", [1, 1, 0x40]),
        ("an identifier without a length", [1]),
        ("a length beyond the frame", [1, 9, 1]),
        ("original_destination_connection_id", [0, 0]),
        ("stateless_reset_token", [2, 0]),
        ("max_udp_payload_size", [3, 1, 9]),
        ("retry_source_connection_id", [0x10, 0]),
        ("max_record_size below the least", big(0x0571_C594_29CD_0845) + [2, 0x7F, 0xFD]),
        ("an empty list of protocols", big(0x3D4F_9C2A_8B1E_6075) + [0]),
        ("a protocol that is no text", big(0x3D4F_9C2A_8B1E_6075) + [2, 1, 0xFF]),
        ("a protocol cut short", big(0x3D4F_9C2A_8B1E_6075) + [2, 2, 0x61]),
        ("protocols where one was agreed on", big(0x3D4F_9C2A_8B1E_6075) + [2, 1, 0x61]),
    ]

    @Test(arguments: parameters.indices)
    func badTransportParametersEndTheConnection(_ index: Int) {
        let engine = QmuxEngine(role: .server, settings: QmuxSettings())
        engine.begin(.draft02, negotiation: .agreed("moq-lite-06"), at: .origin)
        engine.receive(record: QmuxRawPeer.parameters(adding: Self.parameters[index].bytes), at: .origin)
        #expect(
            engine.closed?.cause == .transport(code: 0x8),
            "\(Self.parameters[index].what): \(String(describing: engine.closed))")
        let first = engine.transmit(limit: 4096, at: .origin)
        #expect(first?.first == 0xFF)
        let second = engine.transmit(limit: 4096, at: .origin)
        #expect(second?.first == 0x1C && engine.isFinished)
    }

    @Test func tooManyStreamsInTheParametersAreAnError() {
        let engine = QmuxEngine(role: .server, settings: QmuxSettings())
        engine.begin(.draft02, negotiation: .agreed(nil), at: .origin)
        var content: [UInt8] = [8, 8]
        content += Self.big(1 << 60 | 1)
        engine.receive(record: QmuxRawPeer.frame(parameters: content), at: .origin)
        #expect(engine.closed?.cause == .transport(code: 0x8))
    }

    @Test func unknownTransportParametersAreIgnored() {
        let engine = QmuxEngine(role: .server, settings: QmuxSettings())
        engine.begin(.draft02, negotiation: .agreed(nil), at: .origin)
        var more = Self.big(31 * 7 + 27)
        more += [3, 1, 2, 3, 0x1D, 0, 0x20, 1, 9]
        more += Self.big(0x7777)
        more.append(0)
        engine.receive(record: QmuxRawPeer.parameters(adding: more), at: .origin)
        #expect(engine.closed == nil && engine.peerParameters?.datagramFrame == 9)
        #expect(QmuxPair.events(engine) == ["established"])
    }

    @Test func somethingElseBeforeTheParametersIsNotQmux() {
        for record: [UInt8] in [[0x0A, 2, 1, 1], [0x00], Array("GET / HTTP/1.1\r\n".utf8), [0x3F]] {
            let engine = QmuxEngine(role: .server, settings: QmuxSettings())
            engine.begin(.draft02, negotiation: .agreed(nil), at: .origin)
            engine.receive(record: record, at: .origin)
            guard case .refused(.notSpoken) = engine.closed?.cause else {
                Issue.record("\(record): \(String(describing: engine.closed))")
                continue
            }
            #expect(engine.transmit(limit: 4096, at: .origin)?.first == 0xFF)
            #expect(engine.transmit(limit: 4096, at: .origin)?.first == 0x1C)
        }
    }

    @Test func aCloseInsteadOfParametersIsTakenForWhatItIs() {
        let engine = QmuxEngine(role: .client, settings: QmuxSettings())
        engine.begin(.draft02, negotiation: .agreed(nil), at: .origin)
        engine.receive(record: [0x1C, 0x41, 0x78, 0, 2, 0x6E, 0x6F], at: .origin)
        #expect(engine.closed == SessionClose(initiator: .peer, cause: .transport(code: 0x178), reason: "no"))
        #expect(engine.transmit(limit: 4096, at: .origin) == nil && engine.isFinished)
    }

    @Test func theReasonOfACloseIsKeptWithinABound() {
        let peer = QmuxRawPeer()
        peer.give([0x1D, 1, 0x7F, 0x00] + Array(repeating: 0x61, count: 0x3F00))
        #expect(peer.engine.closed?.reason.utf8.count == 1024)
        let other = QmuxRawPeer()
        other.engine.close(code: 1, reason: String(repeating: "x", count: 50_000))
        #expect(other.drain().last?.count == 1024 + 4)
    }
}
