/// FETCH: the subscriber asks for one group, or (06) for some of its frames. The answer is frames and FIN, without a
/// header. 03 and 04 define it, but publishers refuse it there (`Version.hasFetch`).
public struct Fetch: StreamOpeningMessage {
    public static let messageName = "FETCH"
    public static var streamType: UInt64 { BidirectionalStreamType.fetch.rawValue }

    /// The full path below the session's root.
    public var broadcast: BroadcastPath
    /// The instance of the publisher (07, its place as in SUBSCRIBE); nil for whichever there is.
    public var epoch: Epoch?
    /// The track of the broadcast.
    public var track: TrackName
    /// 255 is sent before 0.
    public var priority: UInt8
    /// The number of the group.
    public var group: UInt64
    /// The first frame wanted (06).
    public var frameStart: UInt64
    /// The last frame wanted, inclusive; nil for all, and a number beyond the group means the same (06).
    public var frameEnd: UInt64?

    /// Asks for a group, or some of its frames.
    public init(
        broadcast: BroadcastPath, epoch: Epoch? = nil, track: TrackName, priority: UInt8 = 0, group: UInt64,
        frameStart: UInt64 = 0, frameEnd: UInt64? = nil
    ) {
        self.broadcast = broadcast
        self.epoch = epoch
        self.track = track
        self.priority = priority
        self.group = group
        self.frameStart = frameStart
        self.frameEnd = frameEnd
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Fetch {
        var body = BodyReader(raw.body, message: messageName)
        let broadcast = try body.path("broadcast")
        let epoch = try body.epoch(version: version)
        let track = TrackName(try body.string("track"))
        var fetch = Fetch(
            broadcast: broadcast, epoch: epoch, track: track, priority: try body.byte("priority"),
            group: try body.varint("group"))
        if version.hasFrameRanges {
            fetch.frameStart = try body.varint("frame start")
            fetch.frameEnd = try body.optional("frame end")
            if let end = fetch.frameEnd, end < fetch.frameStart {
                throw .illegal(body.field("frame end"), value: end, rule: "at least the start, \(fetch.frameStart)")
            }
        }
        try body.finish()
        return fetch
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        body.path(broadcast)
        try body.epoch(epoch, version: version)
        body.string(track.text)
        body.byte(priority)
        try body.varint(group, "group")
        try body.frameRange(start: frameStart, end: frameEnd, version: version)
        return RawMessage(body: body.bytes)
    }
}
