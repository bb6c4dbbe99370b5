import MoqBase

/// The types of frames on the wire: QUIC's (RFC 9000 section 19) and Qmux's own.
enum QmuxFrameType {
    static let padding: UInt64 = 0x00
    static let resetStream: UInt64 = 0x04
    static let stopSending: UInt64 = 0x05
    /// The first of eight: 1 is the end, 2 a length, 4 an offset.
    static let stream: UInt64 = 0x08
    static let maximumData: UInt64 = 0x10
    static let maximumStreamData: UInt64 = 0x11
    static let maximumStreamsBidirectional: UInt64 = 0x12
    static let maximumStreamsUnidirectional: UInt64 = 0x13
    static let dataBlocked: UInt64 = 0x14
    static let streamDataBlocked: UInt64 = 0x15
    static let streamsBlockedBidirectional: UInt64 = 0x16
    static let streamsBlockedUnidirectional: UInt64 = 0x17
    static let connectionClose: UInt64 = 0x1C
    static let applicationClose: UInt64 = 0x1D
    static let resetStreamAt: UInt64 = 0x24
    static let datagram: UInt64 = 0x30
    static let datagramWithLength: UInt64 = 0x31
    static let parameters: UInt64 = 0x3F51_5330_0D0A_0D0A
    static let pingRequest: UInt64 = 0x348C_6752_9EF8_C7BD
    static let pingResponse: UInt64 = 0x348C_6752_9EF8_C7BE

    /// What the type of the transport parameters looks like on the wire: a Qmux connection begins with it.
    static let magic: [UInt8] = [0xFF, 0x51, 0x53, 0x30, 0x0D, 0x0A, 0x0D, 0x0A]
}

/// One frame that arrived.
enum QmuxFrame {
    case padding
    /// Where the stream ends; nil in the oldest format, which does not say.
    case resetStream(StreamID, code: UInt64, finalSize: UInt64?)
    case stopSending(StreamID, code: UInt64)
    /// The data are a range of the record. No offset means that the data follow what came before: the oldest format
    /// has none, and releases before 0.4 of the Rust stack leave it out everywhere.
    case stream(StreamID, offset: UInt64?, data: Range<Int>, isLast: Bool)
    case maximumData(UInt64)
    case maximumStreamData(StreamID, UInt64)
    case maximumStreams(StreamDirection, UInt64)
    case dataBlocked
    case streamDataBlocked(StreamID)
    case streamsBlocked
    case close(SessionClose.Cause, reason: String)
    case parameters(QmuxParameters)
    case pingRequest(UInt64)
    case pingResponse(UInt64)
}

/// Reads the frames of one record.
struct QmuxFrameReader {
    private var reader: ByteReader
    private let bytes: [UInt8]
    private let version: QmuxVersion
    /// The type of the frame that was read last, for the close.
    private(set) var type: UInt64 = 0

    init(_ bytes: [UInt8], in range: Range<Int>, version: QmuxVersion) {
        reader = ByteReader(bytes, in: range)
        self.bytes = bytes
        self.version = version
    }

    /// The next frame, nil at the end of the record.
    mutating func next() throws(QmuxViolation) -> QmuxFrame? {
        guard !reader.isAtEnd else { return nil }
        if version == .webTransport { return try nextOfOldest() }
        type = try number()
        switch type {
        case QmuxFrameType.padding: return .padding
        case QmuxFrameType.stream..<QmuxFrameType.stream + 8: return try stream()
        case QmuxFrameType.resetStream:
            return .resetStream(try stream(), code: try number(), finalSize: try number())
        case QmuxFrameType.stopSending: return .stopSending(try stream(), code: try number())
        case QmuxFrameType.maximumData: return .maximumData(try number())
        case QmuxFrameType.maximumStreamData: return .maximumStreamData(try stream(), try number())
        case QmuxFrameType.maximumStreamsBidirectional: return .maximumStreams(.bidirectional, try streamCount())
        case QmuxFrameType.maximumStreamsUnidirectional: return .maximumStreams(.unidirectional, try streamCount())
        case QmuxFrameType.dataBlocked:
            _ = try number()
            return .dataBlocked
        case QmuxFrameType.streamDataBlocked:
            let stream: StreamID = try stream()
            _ = try number()
            return .streamDataBlocked(stream)
        case QmuxFrameType.streamsBlockedBidirectional, QmuxFrameType.streamsBlockedUnidirectional:
            _ = try streamCount()
            return .streamsBlocked
        case QmuxFrameType.connectionClose, QmuxFrameType.applicationClose: return try close()
        case QmuxFrameType.parameters:
            var content = try confined()
            return .parameters(try QmuxParameters.read(&content))
        case QmuxFrameType.pingRequest where version.usesRecords: return .pingRequest(try number())
        case QmuxFrameType.pingResponse where version.usesRecords: return .pingResponse(try number())
        case QmuxFrameType.datagram, QmuxFrameType.datagramWithLength:
            throw violation(.protocolViolation, "a DATAGRAM frame, which was not announced as understood")
        case QmuxFrameType.resetStreamAt:
            throw violation(.protocolViolation, "a RESET_STREAM_AT frame, which was not announced as understood")
        default:
            throw violation(.frameEncoding, "a frame of type 0x\(String(type, radix: 16)), which Qmux does not have")
        }
    }

    func violation(_ code: QmuxViolation.Code, _ reason: String) -> QmuxViolation {
        QmuxViolation(code, frameType: type, reason)
    }

    /// The whole rest of the message belongs to its one frame, and the type is a byte.
    private mutating func nextOfOldest() throws(QmuxViolation) -> QmuxFrame {
        type = UInt64(try byte())
        switch type {
        case QmuxFrameType.stream, QmuxFrameType.stream + 1:
            let stream: StreamID = try stream()
            return .stream(stream, offset: nil, data: skipRest(), isLast: type & 1 == 1)
        case QmuxFrameType.resetStream: return .resetStream(try stream(), code: try number(), finalSize: nil)
        case QmuxFrameType.stopSending: return .stopSending(try stream(), code: try number())
        case QmuxFrameType.connectionClose:
            let code = try number()
            return .close(.transport(code: code), reason: text(skipRest()))
        case QmuxFrameType.applicationClose:
            let code = try number()
            return .close(.application(code: code), reason: text(skipRest()))
        default:
            throw violation(.frameEncoding, "a frame of type 0x\(String(type, radix: 16)), which this format lacks")
        }
    }

    private mutating func stream() throws(QmuxViolation) -> QmuxFrame {
        let stream: StreamID = try stream()
        let offset: UInt64? = type & 4 == 0 ? nil : try number()
        let data: Range<Int>
        if type & 2 == 0 {
            data = skipRest()
        } else {
            let content = try confined()
            data = content.position..<content.end
        }
        return .stream(stream, offset: offset, data: data, isLast: type & 1 == 1)
    }

    private mutating func close() throws(QmuxViolation) -> QmuxFrame {
        let isTransport = type == QmuxFrameType.connectionClose
        let code = try number()
        if isTransport { _ = try number() }
        var content = try confined()
        if !isTransport, content.remaining == 0, let second = try? reader.confined(), second.end == reader.end {
            // Early releases put a frame type, always 0, before the reason here as well.
            content = second
        }
        let reason = text(content.position..<content.end)
        return .close(isTransport ? .transport(code: code) : .application(code: code), reason: reason)
    }

    private mutating func byte() throws(QmuxViolation) -> UInt8 {
        do { return try reader.byte() } catch { throw truncated(error) }
    }

    private mutating func number() throws(QmuxViolation) -> UInt64 {
        do { return try reader.varint() } catch { throw truncated(error) }
    }

    private mutating func stream() throws(QmuxViolation) -> StreamID {
        StreamID(rawValue: try number())
    }

    private mutating func streamCount() throws(QmuxViolation) -> UInt64 {
        let count = try number()
        guard count <= QmuxLimits.streams else { throw violation(.frameEncoding, "a stream limit exceeds 2^60") }
        return count
    }

    private mutating func confined() throws(QmuxViolation) -> ByteReader {
        do { return try reader.confined() } catch { throw truncated(error) }
    }

    private mutating func skipRest() -> Range<Int> {
        let range = reader.position..<reader.end
        reader = ByteReader(bytes, in: reader.end..<reader.end)
        return range
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.prefix(QmuxLimits.reason)], as: UTF8.self)
    }

    private func truncated(_ error: ByteError) -> QmuxViolation {
        violation(.frameEncoding, "a frame is cut short: \(error)")
    }
}
