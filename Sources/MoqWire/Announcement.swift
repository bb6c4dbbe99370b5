/// What a route costs (06): `warm` while the broadcast flows to the announcer anyway, `cold` when it must be fetched.
/// Each 0 to 2^62 - 1; sums saturate there.
public struct RouteCost: Hashable, Sendable {
    /// The cost while the broadcast flows anyway.
    public var warm: UInt64
    /// The cost while it must be fetched first.
    public var cold: UInt64

    /// A cost of its parts.
    public init(warm: UInt64 = 0, cold: UInt64 = 0) {
        self.warm = warm
        self.cold = cold
    }
}

/// One change of the set of broadcasts on an Announce stream. Paths are relative to the requested prefix.
///
/// 03, 04 and 05 name broadcasts by path; 06 numbers the STARTs of a stream from 0 (also those that the receiver
/// ignores) and ends and updates them by that number.
public enum Announcement: WireMessage {
    /// A broadcast is there (03 to 05). On 05, for a path already active, it replaces the announcement.
    case active(BroadcastPath, hops: HopList)
    /// A broadcast is gone (03 to 05). Its hop list is empty on the wire and not looked at.
    case ended(BroadcastPath)
    /// Another route or instance of a broadcast (05 only; accepted, never sent by known implementations).
    case restart(BroadcastPath, hops: HopList)
    /// A route is there (06); it takes the next number of the stream.
    case start(BroadcastPath, hops: HopList, cost: RouteCost)
    /// The route with this number is gone, the number with it (06).
    case end(id: UInt64)
    /// The route with this number changed (06).
    case update(id: UInt64, hops: HopList, cost: RouteCost)
    /// A type that 06 does not define: passed over by its length, takes no number.
    case unknown(type: UInt64, body: [UInt8])

    public static let messageName = "ANNOUNCE"

    public static func framing(in version: Version) -> MessageFraming {
        version.hasAnnounceIDs ? .typed : .counted
    }

    private enum Status {
        static let ended: UInt8 = 0
        static let active: UInt8 = 1
        static let restart: UInt8 = 2
    }

    private enum Kind {
        static let start: UInt64 = 0
        static let end: UInt64 = 1
        static let update: UInt64 = 2
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Announcement {
        version.hasAnnounceIDs ? try decodeTyped(raw, version: version) : try decodeByPath(raw, version: version)
    }

    private static func decodeByPath(_ raw: RawMessage, version: Version) throws(WireError) -> Announcement {
        var body = BodyReader(raw.body, message: messageName)
        let status = try body.byte("status")
        let isKnown = status <= Status.active || (status == Status.restart && version.repeatedActiveReplaces)
        guard isKnown else {
            let rule = version.repeatedActiveReplaces ? "0, 1 or 2" : "0 or 1"
            throw .illegal(body.field("status"), value: UInt64(status), rule: rule)
        }
        let suffix = try body.path("suffix")
        let hops = try body.hops(version: version)
        try body.finish()
        switch status {
        case Status.ended: return .ended(suffix)
        case Status.active: return .active(suffix, hops: hops)
        default: return .restart(suffix, hops: hops)
        }
    }

    private static func decodeTyped(_ raw: RawMessage, version: Version) throws(WireError) -> Announcement {
        guard let type = raw.type else { throw .truncated(WireField(messageName, "type")) }
        let message: Announcement
        var body: BodyReader
        switch type {
        case Kind.start:
            body = BodyReader(raw.body, message: "ANNOUNCE_START")
            let suffix = try body.path("suffix")
            message = .start(suffix, hops: try body.hops(version: version), cost: try body.cost())
        case Kind.end:
            body = BodyReader(raw.body, message: "ANNOUNCE_END")
            message = .end(id: try body.varint("announce id"))
        case Kind.update:
            body = BodyReader(raw.body, message: "ANNOUNCE_UPDATE")
            let id = try body.varint("announce id")
            message = .update(id: id, hops: try body.hops(version: version), cost: try body.cost())
        default:
            return .unknown(type: type, body: raw.body)
        }
        try body.finish()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        guard exists(in: version) else { throw .notInVersion(body.field(kindName), version) }
        switch self {
        case .active(let suffix, let hops):
            try body.status(Status.active, suffix, hops, version: version)
        case .ended(let suffix):
            try body.status(Status.ended, suffix, .empty, version: version)
        case .restart(let suffix, let hops):
            try body.status(Status.restart, suffix, hops, version: version)
        case .start(let suffix, let hops, let cost):
            body.path(suffix)
            try body.hops(hops, version: version)
            try body.cost(cost)
            return RawMessage(type: Kind.start, body: body.bytes)
        case .end(let id):
            try body.varint(id, "announce id")
            return RawMessage(type: Kind.end, body: body.bytes)
        case .update(let id, let hops, let cost):
            try body.varint(id, "announce id")
            try body.hops(hops, version: version)
            try body.cost(cost)
            return RawMessage(type: Kind.update, body: body.bytes)
        case .unknown(let type, let bytes):
            guard type > Kind.update else { throw .illegal(body.field("type"), value: type, rule: "above 2") }
            var prefix = BodyWriter(message: Self.messageName)
            try prefix.varint(type, "type")
            return RawMessage(type: type, body: bytes)
        }
        return RawMessage(body: body.bytes)
    }

    private func exists(in version: Version) -> Bool {
        switch self {
        case .active, .ended: !version.hasAnnounceIDs
        case .restart: version.repeatedActiveReplaces
        case .start, .end, .update, .unknown: version.hasAnnounceIDs
        }
    }

    /// What kind of change it is, in one word.
    public var kindName: String {
        switch self {
        case .active: "active"
        case .ended: "ended"
        case .restart: "restart"
        case .start: "start"
        case .end: "end"
        case .update: "update"
        case .unknown: "unknown type"
        }
    }
}

extension BodyReader {
    fileprivate mutating func cost() throws(WireError) -> RouteCost {
        RouteCost(warm: try varint("warm cost"), cold: try varint("cold cost"))
    }
}

extension BodyWriter {
    fileprivate mutating func cost(_ cost: RouteCost) throws(WireError) {
        try varint(cost.warm, "warm cost")
        try varint(cost.cold, "cold cost")
    }

    fileprivate mutating func status(
        _ status: UInt8, _ suffix: BroadcastPath, _ list: HopList, version: Version
    ) throws(WireError) {
        byte(status)
        path(suffix)
        try hops(list, version: version)
    }
}
