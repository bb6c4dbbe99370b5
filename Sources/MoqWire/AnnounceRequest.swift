/// ANNOUNCE_REQUEST: the subscriber asks for the broadcasts below a prefix.
public struct AnnounceRequest: StreamOpeningMessage {
    public static let messageName = "ANNOUNCE_REQUEST"
    public static var streamType: UInt64 { BidirectionalStreamType.announce.rawValue }

    /// The prefix; empty asks for everything.
    public var prefix: BroadcastPath
    /// A hop whose routes are not wanted, usually the subscriber itself; 0 for none. Only 04 and 05 carry it, the
    /// others leave it out.
    public var excludeHop: UInt64
    /// Whether routes with a part below the prefix that starts with `.` are wanted too. Only 07 carries it; before,
    /// nothing is hidden.
    public var includesHidden: Bool

    /// Asks for what lies below `prefix`.
    public init(prefix: BroadcastPath = .empty, excludeHop: UInt64 = 0, includesHidden: Bool = true) {
        self.prefix = prefix
        self.excludeHop = excludeHop
        self.includesHidden = includesHidden
    }

    /// Whether a path below the prefix is to be announced, as far as hiding goes.
    public func wants(_ suffix: BroadcastPath) -> Bool {
        includesHidden || !suffix.parts.contains { $0.hasPrefix(".") }
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> AnnounceRequest {
        var body = BodyReader(raw.body, message: messageName)
        let prefix = try body.path("prefix")
        let excludeHop = version.hasExcludeHop ? try body.varint("exclude hop") : 0
        let includesHidden = version.hasHiddenRoutes ? try body.flag("hidden") : true
        try body.finish()
        return AnnounceRequest(prefix: prefix, excludeHop: excludeHop, includesHidden: includesHidden)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        body.path(prefix)
        if version.hasExcludeHop { try body.varint(excludeHop, "exclude hop") }
        if version.hasHiddenRoutes { body.flag(includesHidden) }
        return RawMessage(body: body.bytes)
    }
}

/// ANNOUNCE_OK (05 and later): the publisher's answer ahead of its announcements.
public struct AnnounceOK: WireMessage {
    public static let messageName = "ANNOUNCE_OK"

    /// The publisher's own hop id, which the receiver puts behind every hop list; 0 is unknown.
    public var hop: UInt64
    /// How many announcements of the present set follow at once.
    public var activeCount: UInt64

    /// An answer of its parts.
    public init(hop: UInt64, activeCount: UInt64) {
        self.hop = hop
        self.activeCount = activeCount
    }

    public static func isDefined(in version: Version) -> Bool { version.hasAnnounceOK }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> AnnounceOK {
        var body = BodyReader(raw.body, message: messageName)
        let message = AnnounceOK(hop: try body.varint("hop id"), activeCount: try body.varint("active count"))
        try body.finish()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(hop, "hop id")
        try body.varint(activeCount, "active count")
        return RawMessage(body: body.bytes)
    }
}
