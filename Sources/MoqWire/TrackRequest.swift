/// TRACK (05 and later): the subscriber asks for the properties of a track. Not followed by FIN: newer relays take
/// that for a cancel (observed on 0.4.9 and 0.4.18).
public struct TrackRequest: StreamOpeningMessage {
    public static let messageName = "TRACK"
    public static var streamType: UInt64 { BidirectionalStreamType.track.rawValue }

    /// The full path below the session's root.
    public var broadcast: BroadcastPath
    /// The instance of the publisher (07, its place as in SUBSCRIBE); nil for whichever there is.
    public var epoch: Epoch?
    /// The track of the broadcast.
    public var track: TrackName

    /// Asks for a track.
    public init(broadcast: BroadcastPath, epoch: Epoch? = nil, track: TrackName) {
        self.broadcast = broadcast
        self.epoch = epoch
        self.track = track
    }

    public static func isDefined(in version: Version) -> Bool { version.hasTrackStream }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> TrackRequest {
        var body = BodyReader(raw.body, message: messageName)
        let message = TrackRequest(
            broadcast: try body.path("broadcast"), epoch: try body.epoch(version: version),
            track: TrackName(try body.string("track")))
        try body.finish()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        body.path(broadcast)
        try body.epoch(epoch, version: version)
        body.string(track.text)
        return RawMessage(body: body.bytes)
    }
}

/// TRACK_INFO (05 and later): the properties of a track, fixed for its life.
public struct TrackInfo: WireMessage {
    public static let messageName = "TRACK_INFO"

    /// What is known of a track that says nothing of itself (01 to 04, where a relay makes it up).
    public static let unknown = TrackInfo(priority: 0, ordered: false, maxAge: 5000, timescale: 1000)

    /// The publisher's priority; 255 before 0.
    public var priority: UInt8
    /// Whether groups are meant to be sent oldest first. Only 05 carries it; 06 leaves it out.
    public var ordered: Bool
    /// How long the publisher keeps a group that is not the latest, in milliseconds (`WireLimits.unlimitedAge`: for ever).
    public var maxAge: UInt64
    /// Units of the frames' timestamps per second, at least 1.
    public var timescale: UInt64

    /// Properties; what is not given is what current publishers say.
    public init(priority: UInt8 = 0, ordered: Bool = false, maxAge: UInt64 = 5000, timescale: UInt64 = 1_000_000) {
        self.priority = priority
        self.ordered = ordered
        self.maxAge = maxAge
        self.timescale = timescale
    }

    public static func isDefined(in version: Version) -> Bool { version.hasTrackStream }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> TrackInfo {
        var body = BodyReader(raw.body, message: messageName)
        let priority = try body.byte("priority")
        let ordered = version.hasOrdered ? try body.flag("ordered") : false
        let maxAge =
            version.trackAgeIsOptional
            ? try body.optional("max age") ?? WireLimits.unlimitedAge : try body.varint("max age")
        let timescale = try body.varint("timescale")
        guard timescale > 0 else { throw .illegal(body.field("timescale"), value: 0, rule: "at least 1") }
        try body.finish()
        return TrackInfo(priority: priority, ordered: ordered, maxAge: maxAge, timescale: timescale)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        guard timescale > 0 else { throw .illegal(body.field("timescale"), value: 0, rule: "at least 1") }
        body.byte(priority)
        if version.hasOrdered { body.flag(ordered) }
        if version.trackAgeIsOptional {
            try body.optional(maxAge == WireLimits.unlimitedAge ? nil : maxAge, "max age")
        } else {
            try body.varint(maxAge, "max age")
        }
        try body.varint(timescale, "timescale")
        return RawMessage(body: body.bytes)
    }
}
