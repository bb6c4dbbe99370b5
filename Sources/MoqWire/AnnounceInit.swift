/// ANNOUNCE_INIT (01 and 02): the broadcasts that are there, ahead of the announcements.
public struct AnnounceInit: WireMessage {
    public static let messageName = "ANNOUNCE_INIT"
    public static var bodyLimit: Int { WireLimits.announceInitBytes }

    /// The paths below the requested prefix; may be none.
    public var suffixes: [BroadcastPath]

    /// The present set.
    public init(suffixes: [BroadcastPath]) {
        self.suffixes = suffixes
    }

    public static func isDefined(in version: Version) -> Bool { version.hasAnnounceInit }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> AnnounceInit {
        var body = BodyReader(raw.body, message: messageName)
        let count = try body.varint("count")
        // Every suffix takes a byte at least, so the bytes bound what is made room for.
        guard count <= UInt64(raw.body.count) else { throw .truncated(body.field("suffixes")) }
        var message = AnnounceInit(suffixes: [])
        for _ in 0..<count { message.suffixes.append(try body.path("suffix")) }
        try body.finish()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(UInt64(suffixes.count), "count")
        for suffix in suffixes { body.path(suffix) }
        return RawMessage(body: body.bytes)
    }
}
