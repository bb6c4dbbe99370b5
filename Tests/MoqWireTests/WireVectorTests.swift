import Foundation
import MoqBase
import Testing

@testable import MoqWire

@Suite struct WireVectorTests {
    @Test func everyVectorOfTheFirstFileIsReadAndWritten() throws {
        let (checked, skipped) = try check("moqlite-vectors")
        #expect(checked == 91)
        #expect(
            skipped == [
                "the trial of 06, replaced by the final 06, whose bytes differ": 18,
                "a draft text that was never put on the wire": 2,
                "the mapping of codes belongs to the transport's binding": 9,
                "frames of another binding, not messages": 4,
            ])
    }

    @Test func everyVectorOfTheFileOf06IsReadAndWritten() throws {
        let (checked, skipped) = try check("moqlite-vectors-06")
        #expect(checked == 57)
        #expect(
            skipped == [
                "the mapping of codes belongs to the transport's binding": 13
            ])
    }

    private func check(_ file: String) throws -> (checked: Int, skipped: [String: Int]) {
        var checked = 0
        var skipped: [String: Int] = [:]
        for vector in try WireVector.load(file) {
            if let reason = vector.skipReason {
                skipped[reason, default: 0] += 1
            } else {
                try check(vector)
                checked += 1
            }
        }
        return (checked, skipped)
    }

    private func check(_ vector: WireVector) throws {
        switch vector.messageName {
        case "VARINT": try checkVarint(vector)
        case "ZIGZAG": try checkZigzag(vector)
        case "DATAGRAM": try checkDatagram(vector)
        case "FETCH response": try checkFrames(vector, from: 0)
        case "GROUP" where vector.fields["frames"] != nil: try checkGroupStream(vector)
        case "PROBE" where vector.opensStream: #expect(BidirectionalStreamType.probe.opening == vector.bytes)
        default: try checkMessage(try vector.wireMessage(), vector)
        }
    }

    private func checkMessage<M: WireMessage>(_ message: M, _ vector: WireVector) throws {
        let version = try vector.wireVersion()
        var decoder = MessageDecoder()
        decoder.feed(vector.bytes)
        if vector.opensStream {
            let opening = try #require(message as? any StreamOpeningMessage)
            #expect(try opening.encodeStream(version: version) == vector.bytes, "\(vector)")
            #expect(decoder.nextStreamType() == type(of: opening).streamType, "\(vector)")
        } else {
            #expect(try message.encode(version: version) == vector.bytes, "\(vector)")
        }
        #expect(try decoder.next(M.self, version: version) == message, "\(vector)")
        #expect(decoder.isBetweenMessages, "\(vector)")
    }

    private func checkVarint(_ vector: WireVector) throws {
        var reader = ByteReader(vector.bytes)
        #expect(try reader.varint() == vector.number("value"))
        var writer = ByteWriter()
        writer.varint(try vector.number("value"))
        #expect(writer.bytes == vector.bytes)
    }

    private func checkZigzag(_ vector: WireVector) throws {
        let value = try #require(vector.fields["value"] as? NSNumber).int64Value
        var reader = ByteReader(vector.bytes)
        #expect(VarInt.unzigzag(try reader.varint()) == value)
        var writer = ByteWriter()
        writer.varint(VarInt.zigzag(value))
        #expect(writer.bytes == vector.bytes)
    }

    private func checkDatagram(_ vector: WireVector) throws {
        let version = try vector.wireVersion()
        let datagram = Datagram(
            header: DatagramHeader(
                subscribeID: try vector.number("subscribe_id"), sequence: try vector.number("sequence"),
                timestamp: try vector.number("timestamp")),
            payload: Array(try vector.text("payload").utf8))
        #expect(try datagram.encode(version: version) == vector.bytes)
        #expect(try Datagram.decode(vector.bytes, version: version) == datagram)
    }

    private func checkGroupStream(_ vector: WireVector) throws {
        let version = try vector.wireVersion()
        let header = try vector.groupHeader()
        let head = try header.encodeStream(version: version)
        #expect(Array(vector.bytes.prefix(head.count)) == head, "\(vector)")
        var decoder = MessageDecoder()
        decoder.feed(vector.bytes)
        #expect(decoder.nextStreamType() == GroupHeader.streamType)
        #expect(try decoder.next(GroupHeader.self, version: version) == header)
        #expect(decoder.takeRest() == Array(vector.bytes.dropFirst(head.count)))
        try checkFrames(vector, from: head.count)
    }

    private func checkFrames(_ vector: WireVector, from start: Int) throws {
        let version = try vector.wireVersion()
        let frames = try vector.frames()
        let bytes = Array(vector.bytes.dropFirst(start))
        var encoder = FrameEncoder(version: version)
        var written: [UInt8] = []
        for frame in frames { written += try encoder.encode(frame) }
        #expect(written == bytes, "\(vector)")
        var assembler = FrameAssembler(version: version)
        assembler.feed(bytes)
        var read: [Frame] = []
        while let frame = try assembler.next() { read.append(frame) }
        #expect(read == frames, "\(vector)")
        #expect(assembler.isBetweenFrames)
    }
}
