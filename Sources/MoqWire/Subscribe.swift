/// SUBSCRIBE: the subscriber asks for the groups of a track.
public struct Subscribe: StreamOpeningMessage {
    public static let messageName = "SUBSCRIBE"
    public static var streamType: UInt64 { BidirectionalStreamType.subscribe.rawValue }

    /// Chosen by the subscriber, unique in the session; group streams and datagrams name it.
    public var id: UInt64
    /// The full path below the session's root.
    public var broadcast: BroadcastPath
    /// The instance of the publisher (07); nil for whichever there is.
    public var epoch: Epoch?
    /// The track of the broadcast.
    public var track: TrackName
    /// What is wanted of the track.
    public var options: SubscribeOptions

    /// Asks for a track.
    public init(
        id: UInt64, broadcast: BroadcastPath, epoch: Epoch? = nil, track: TrackName, options: SubscribeOptions = .init()
    ) {
        self.id = id
        self.broadcast = broadcast
        self.epoch = epoch
        self.track = track
        self.options = options
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Subscribe {
        var body = BodyReader(raw.body, message: messageName)
        let id = try body.varint("id")
        let broadcast = try body.path("broadcast")
        let epoch = try body.epoch(version: version)
        let track = TrackName(try body.string("track"))
        let options = try body.subscribeOptions(version: version)
        try body.finish()
        return Subscribe(id: id, broadcast: broadcast, epoch: epoch, track: track, options: options)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(id, "id")
        body.path(broadcast)
        try body.epoch(epoch, version: version)
        body.string(track.text)
        try body.subscribeOptions(options, version: version)
        return RawMessage(body: body.bytes)
    }
}

/// SUBSCRIBE_UPDATE: replaces every option of a subscription; behind SUBSCRIBE on the same stream, as often as wanted.
/// An absent start leaves the read position where it is.
public struct SubscribeUpdate: WireMessage {
    public static let messageName = "SUBSCRIBE_UPDATE"

    /// All of what is wanted from now on.
    public var options: SubscribeOptions

    /// Replaces the options.
    public init(options: SubscribeOptions) {
        self.options = options
    }

    public static func isDefined(in version: Version) -> Bool { version.hasSubscribeUpdate }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> SubscribeUpdate {
        var body = BodyReader(raw.body, message: messageName)
        let options = try body.subscribeOptions(version: version)
        try body.finish()
        return SubscribeUpdate(options: options)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.subscribeOptions(options, version: version)
        return RawMessage(body: body.bytes)
    }
}
