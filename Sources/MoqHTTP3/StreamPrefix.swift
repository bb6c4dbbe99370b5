import MoqBase

/// The numbers with which streams begin (RFC 9114 section 6.2, RFC 9204 section 4.2, draft-ietf-webtrans-http3
/// section 4).
public enum HTTP3StreamType {
    /// Settings and what concerns the whole connection; one each way.
    public static let control: UInt64 = 0x00
    /// A pushed response; never allowed here.
    public static let push: UInt64 = 0x01
    /// Instructions for the table of QPACK; at most one each way.
    public static let qpackEncoder: UInt64 = 0x02
    /// What became of those instructions; at most one each way.
    public static let qpackDecoder: UInt64 = 0x03
    /// A stream of a WebTransport session.
    public static let webTransport: UInt64 = 0x54
}

/// How a stream of a WebTransport session begins: its type and the number of the CONNECT stream.
public enum StreamPrefix {
    /// The prefix of a bidirectional stream.
    public static func bidirectional(session: UInt64) -> [UInt8] {
        encode(HTTP3FrameType.webTransportStream, session)
    }

    /// The prefix of a unidirectional stream.
    public static func unidirectional(session: UInt64) -> [UInt8] {
        encode(HTTP3StreamType.webTransport, session)
    }

    private static func encode(_ type: UInt64, _ session: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.varint(type)
        writer.varint(session)
        return writer.bytes
    }
}

/// Reads the beginning of a stream, and never a byte of what follows it.
public struct StreamPrefixReader: Sendable {
    /// What a stream turns out to be.
    public enum Kind: Hashable, Sendable {
        /// A stream of the WebTransport session on this CONNECT stream.
        case webTransport(session: UInt64)
        /// Something else, by its type; `read` are its bytes so far, behind the type on a unidirectional stream and
        /// from the start on a bidirectional one, whose first frame the type is.
        case other(type: UInt64, read: [UInt8])
    }

    /// The fewest bytes that a WebTransport prefix has: both of its types need two bytes.
    private static let shortest = 3

    private let isUnidirectional: Bool
    private var bytes: [UInt8] = []

    /// A reader for one stream.
    public init(isUnidirectional: Bool) {
        self.isUnidirectional = isUnidirectional
    }

    /// Whether nothing was read.
    public var isEmpty: Bool { bytes.isEmpty }

    /// How many bytes to read next, at most: with these, nothing behind the prefix of a WebTransport stream is taken.
    public var wanted: Int {
        guard let first = bytes.first else { return Self.shortest }
        let typeLength = VarInt.length(firstByte: first)
        if bytes.count <= typeLength { return max(1, typeLength + 1 - bytes.count) }
        return max(1, typeLength + VarInt.length(firstByte: bytes[typeLength]) - bytes.count)
    }

    /// Takes bytes, at most as many as are `wanted`; nil when more are needed.
    public mutating func receive(_ more: [UInt8]) -> Kind? {
        bytes += more
        var reader = ByteReader(bytes)
        guard let type = try? reader.varint() else { return nil }
        let expected = isUnidirectional ? HTTP3StreamType.webTransport : HTTP3FrameType.webTransportStream
        guard type == expected else {
            return .other(type: type, read: isUnidirectional ? reader.rest() : bytes)
        }
        guard let session = try? reader.varint() else { return nil }
        return .webTransport(session: session)
    }
}

/// The session of a datagram: a quarter of the CONNECT stream's number, in front of the payload (RFC 9297 section 2.1).
public enum DatagramPrefix {
    /// The bytes in front of every datagram of a session.
    public static func encode(session: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.varint(session / 4)
        return writer.bytes
    }

    /// The session and the payload. Throws H3_DATAGRAM_ERROR when no stream can have that number.
    public static func decode(_ datagram: [UInt8]) throws(HTTP3Error) -> (session: UInt64, payload: [UInt8]) {
        var reader = ByteReader(datagram)
        guard let quarter = try? reader.varint(), quarter <= VarInt.maximum / 4 else {
            throw HTTP3Error(.datagramError, "a datagram that names no stream")
        }
        return (quarter * 4, reader.rest())
    }
}
