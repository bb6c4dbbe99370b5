/// GROUP: the head of a group stream; frames follow (`FrameDecoder`, `FrameEncoder`).
public struct GroupHeader: StreamOpeningMessage {
    public static let messageName = "GROUP"
    public static var streamType: UInt64 { UnidirectionalStreamType.group.rawValue }

    /// The subscription that the group answers.
    public var subscribeID: UInt64
    /// The number of the group in its track; not necessarily contiguous or in order.
    public var sequence: UInt64
    /// The number of the first frame on this stream (06). The first timestamp is written in full all the same.
    public var frameStart: UInt64

    /// A head of its parts.
    public init(subscribeID: UInt64, sequence: UInt64, frameStart: UInt64 = 0) {
        self.subscribeID = subscribeID
        self.sequence = sequence
        self.frameStart = frameStart
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> GroupHeader {
        var body = BodyReader(raw.body, message: messageName)
        let subscribeID = try body.varint("subscribe id")
        let sequence = try body.varint("sequence")
        let frameStart = version.hasFrameRanges ? try body.varint("frame start") : 0
        try body.finish()
        return GroupHeader(subscribeID: subscribeID, sequence: sequence, frameStart: frameStart)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(subscribeID, "subscribe id")
        try body.varint(sequence, "sequence")
        if version.hasFrameRanges {
            try body.varint(frameStart, "frame start")
        } else if frameStart != 0 {
            throw .notInVersion(body.field("frame start"), version)
        }
        return RawMessage(body: body.bytes)
    }
}
