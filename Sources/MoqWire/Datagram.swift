import MoqBase

/// The head of a datagram (05 and later): a group of one frame, without a stream.
public struct DatagramHeader: Hashable, Sendable {
    /// The subscription that it answers.
    public var subscribeID: UInt64
    /// The number of the group.
    public var sequence: UInt64
    /// The frame's timestamp in units of the track's timescale, not a difference.
    public var timestamp: UInt64

    /// A head of its parts.
    public init(subscribeID: UInt64, sequence: UInt64, timestamp: UInt64) {
        self.subscribeID = subscribeID
        self.sequence = sequence
        self.timestamp = timestamp
    }
}

/// A datagram: a head, and a payload that reaches to the end.
public struct Datagram: Hashable, Sendable {
    public static let messageName = "DATAGRAM"

    /// What it belongs to.
    public var header: DatagramHeader
    /// The frame, which reaches to the end of the datagram.
    public var payload: [UInt8]

    /// A datagram of its parts.
    public init(header: DatagramHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }

    /// Reads a whole datagram body. A receiver drops in silence what this refuses.
    public static func decode(_ bytes: [UInt8], version: Version) throws(WireError) -> Datagram {
        try check(version)
        var body = BodyReader(bytes, message: messageName)
        let header = DatagramHeader(
            subscribeID: try body.varint("subscribe id"), sequence: try body.varint("sequence"),
            timestamp: try body.varint("timestamp"))
        return Datagram(header: header, payload: body.rest())
    }

    /// The datagram's body. Whether it fits is for the transport to say.
    public func encode(version: Version) throws(WireError) -> [UInt8] {
        try Self.check(version)
        var body = BodyWriter(message: Self.messageName)
        try body.varint(header.subscribeID, "subscribe id")
        try body.varint(header.sequence, "sequence")
        try body.varint(header.timestamp, "timestamp")
        body.append(payload)
        return body.bytes
    }

    private static func check(_ version: Version) throws(WireError) {
        guard version.hasDatagrams else { throw .notInVersion(WireField(messageName, "the message"), version) }
    }
}
