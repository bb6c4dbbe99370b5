import MoqBase
import Testing

@testable import MoqHTTP3

@Suite struct FramingTests {
    @Test func aFrameIsTypeLengthAndPayload() {
        #expect(HTTP3Frame.encode(HTTP3FrameType.data, [7, 8]) == [0, 2, 7, 8])
        #expect(HTTP3Frame.encode(0x41, []) == [0x40, 0x41, 0])
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func framesAreReadHoweverTheyAreCut(size: Int) throws {
        let bytes =
            HTTP3Frame.encode(0x21, [1, 2, 3]) + HTTP3Frame.encode(1, [4, 5]) + HTTP3Frame.encode(0, [6, 7, 8, 9])
            + HTTP3Frame.encode(0, []) + HTTP3Frame.encode(0x4000, []) + HTTP3Frame.encode(0, [10])
        var reader = RequestStreamReader(atServer: true)
        var heads: [[UInt8]] = []
        var data: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
            while let event = try reader.next() {
                switch event {
                case .head(let section): heads.append(section)
                case .data(let piece): data += piece
                }
            }
            #expect(reader.isBetweenFrames || start + size < bytes.count)
        }
        #expect(heads == [[4, 5]] && data == [6, 7, 8, 9, 10])
    }

    @Test func aFrameOfUnknownTypeMayBeOfAnySizeAndIsNotKept() throws {
        var reader = RequestStreamReader(atServer: false)
        var header = ByteWriter()
        header.varint(0x21)
        header.varint(VarInt.maximum)
        reader.append(header.bytes + [UInt8](repeating: 0, count: 1000))
        #expect(try reader.next() == nil && !reader.isBetweenFrames)
    }

    @Test func settingsAreReadInTheirOrder() throws {
        // As moq-ffi 0.4.18 sends them (recorded).
        let settings = HTTP3Settings([
            .init(0xC671_706A, 1), .init(0x2B60_3742, 1), .init(0x2B60_3743, 1), .init(0x8, 1), .init(0xFFD277, 1),
            .init(0x33, 1),
        ])
        let back = try HTTP3Settings(payload: settings.payload)
        #expect(back == settings && back.allowsWebTransport && back.allowsExtendedConnect && back.allowsDatagrams)
        #expect(back[0x33] == 1 && back[0x34] == nil && back.values.count == 6)
        #expect(!HTTP3Settings([]).allowsWebTransport && !HTTP3Settings([]).allowsDatagrams)
        #expect(HTTP3Settings([.init(0xFFD277, 1)]).allowsDatagrams)
    }

    @Test func ourSettingsAreThese() {
        #expect(
            Hexadecimal.encode(HTTP3Settings.webTransport.payload)
                == "0680010000" + "0801" + "3301" + "80ffd27701" + "ab60374201" + "ab60374301" + "c0000000c671706a01")
    }

    @Test func theControlStreamIsReadHoweverItIsCut() throws {
        let bytes =
            HTTP3Frame.encode(4, HTTP3Settings.webTransport.payload) + HTTP3Frame.encode(0x21, [1, 2, 3])
            + HTTP3Frame.encode(7, [8]) + HTTP3Frame.encode(7, [4])
        for size in [1, 5, 1000] {
            var reader = ControlStreamReader(atServer: false)
            var events: [ControlStreamReader.Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += try reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(events == [.settings(.webTransport), .goaway(8), .goaway(4)])
        }
    }
}

@Suite struct CapsuleTests {
    /// As moq-ffi sends it for code 5 (recorded).
    @Test func aCloseIsCodeAndReason() throws {
        let bytes: [UInt8] = [0x68, 0x43, 0x11, 0, 0, 0, 5] + Array("invalid value".utf8)
        #expect(Capsule.closeSession(code: 5, reason: "invalid value").encoded == bytes)
        var reader = CapsuleReader()
        #expect(try reader.receive(bytes) == [.closeSession(code: 5, reason: "invalid value")])
        #expect(reader.isBetweenCapsules)
    }

    @Test(arguments: [1, 3, 1000]) func capsulesAreReadHoweverTheyAreCut(size: Int) throws {
        var unknown = ByteWriter()
        unknown.varint(0x190B_4D3D)
        unknown.counted([1, 2, 3, 4])
        let bytes =
            unknown.bytes + Capsule.drainSession.encoded
            + Capsule.closeSession(code: .max, reason: "ü").encoded
        var reader = CapsuleReader()
        var capsules: [Capsule] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            capsules += try reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(capsules == [.drainSession, .closeSession(code: .max, reason: "ü")])
    }

    @Test func aReasonIsCutBetweenCharacters() {
        #expect("aé".prefixOfBytes(2) == "a" && "aé".prefixOfBytes(3) == "aé" && "".prefixOfBytes(0) == "")
        #expect("👩‍👩‍👧x".prefixOfBytes(8) == "")
        let long = Capsule.closeSession(code: 0, reason: String(repeating: "x", count: 5000)).encoded
        #expect(long.count == 4 + 4 + HTTP3Limits.closeReason)
    }
}

@Suite struct StreamPrefixTests {
    /// As on the wire between moq-ffi peers (recorded): 0x4054 and 0x4041, then the session.
    @Test func aPrefixIsTypeAndSession() {
        #expect(StreamPrefix.unidirectional(session: 0) == [0x40, 0x54, 0])
        #expect(StreamPrefix.bidirectional(session: 256) == [0x40, 0x41, 0x41, 0])
        #expect(DatagramPrefix.encode(session: 256) == [0x40, 0x40])
    }

    @Test(arguments: [0, 4, 252, 256, 65_536, VarInt.maximum - 3] as [UInt64]) func nothingBehindThePrefixIsRead(
        session: UInt64
    ) {
        for prefix in [StreamPrefix.unidirectional(session: session), StreamPrefix.bidirectional(session: session)] {
            for step in [1, 8] {
                var reader = StreamPrefixReader(isUnidirectional: prefix[1] == 0x54)
                var position = 0
                var kind: StreamPrefixReader.Kind?
                while kind == nil, position < prefix.count {
                    let count = min(reader.wanted, step, prefix.count - position)
                    kind = reader.receive(Array(prefix[position..<position + count]))
                    position += count
                }
                #expect(kind == .webTransport(session: session) && position == prefix.count)
            }
        }
    }

    @Test func otherStreamsGetBackWhatWasRead() {
        var control = StreamPrefixReader(isUnidirectional: true)
        #expect(control.receive([0, 4, 0]) == .other(type: 0, read: [4, 0]))
        var request = StreamPrefixReader(isUnidirectional: false)
        #expect(request.receive([1, 20, 0]) == .other(type: 1, read: [1, 20, 0]))
        var wrongWay = StreamPrefixReader(isUnidirectional: false)
        #expect(wrongWay.receive([0x40, 0x54, 0]) == .other(type: 0x54, read: [0x40, 0x54, 0]))
    }

    @Test func aDatagramNamesAQuarterOfItsStream() throws {
        let (session, payload) = try DatagramPrefix.decode([0x40, 0x40, 1, 2])
        #expect(session == 256 && payload == [1, 2])
        #expect(try DatagramPrefix.decode([0]).payload == [])
        #expect(throws: HTTP3Error.self) { try DatagramPrefix.decode([]) }
        #expect(throws: HTTP3Error.self) { try DatagramPrefix.decode([0x40]) }
    }
}
