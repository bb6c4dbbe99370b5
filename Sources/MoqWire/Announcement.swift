/// One change of the set of broadcasts on an Announce stream. Paths are relative to the requested prefix.
///
/// Up to 05 broadcasts are named by path; from 06 on the STARTs of a stream are numbered from 0 (also those that the
/// receiver ignores), and ended and updated by that number. 01 and 02 have no hops.
public enum Announcement: WireMessage {
    /// A broadcast is there (01 to 05). On 05, for a path already active, it replaces the announcement.
    case active(BroadcastPath, hops: HopList)
    /// A broadcast is gone (01 to 05). Its hop list is empty on the wire and not looked at.
    case ended(BroadcastPath)
    /// Another route or instance of a broadcast (05 only; accepted, never sent by known implementations).
    case restart(BroadcastPath, hops: HopList)
    /// A route is there (06 and later); it takes the next number of the stream.
    case start(BroadcastPath, hops: HopList, cost: RouteCost, epoch: Epoch? = nil)
    /// The route with this number is gone, the number with it (06).
    case end(id: UInt64)
    /// The route with this number changed (06).
    case update(id: UInt64, hops: HopList, cost: RouteCost)
    /// Another instance of the publisher is behind the route with this number (07, "restart" in code).
    case instance(id: UInt64, hops: HopList, cost: RouteCost, epoch: Epoch?)
    /// A start, update or instance of 07 that borrows from earlier ones.
    case borrowed(BorrowedRoute)
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
        static let instance: UInt64 = 3

        /// The greatest type that a version defines.
        static func last(in version: Version) -> UInt64 { version.hasEpochs ? instance : update }
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
        guard type <= Kind.last(in: version) else { return .unknown(type: type, body: raw.body) }
        if version.hasBorrowedRoutes && type != Kind.end {
            return try decodeBorrowing(raw, type: type, version: version)
        }
        let message: Announcement
        var body: BodyReader
        switch type {
        case Kind.start:
            body = BodyReader(raw.body, message: "ANNOUNCE_START")
            let suffix = try body.path("suffix")
            message = .start(suffix, hops: try body.hops(version: version), cost: try body.cost(version: version))
        case Kind.end:
            body = BodyReader(raw.body, message: "ANNOUNCE_END")
            message = .end(id: try body.varint("announce id"))
        default:
            body = BodyReader(raw.body, message: "ANNOUNCE_UPDATE")
            let id = try body.varint("announce id")
            message = .update(id: id, hops: try body.hops(version: version), cost: try body.cost(version: version))
        }
        try body.finish()
        return message
    }

    private static func decodeBorrowing(
        _ raw: RawMessage, type: UInt64, version: Version
    ) throws(WireError) -> Announcement {
        var body = BodyReader(raw.body, message: messageName)
        var path = RouteLoan.none
        let own: BorrowedRoute.Own
        switch type {
        case Kind.start:
            path = RouteLoan(base: try body.varint("path base"), keep: try body.varint("path keep"))
            own = .start(try body.path("suffix"), epoch: try body.epoch(version: version))
        case Kind.update:
            own = .update(id: try body.varint("announce id"))
        default:
            own = .restart(id: try body.varint("announce id"), epoch: try body.epoch(version: version))
        }
        let base = try body.varint("hops base")
        let hops = try body.hops(version: version)
        let route = BorrowedRoute(
            own: own, path: path, hops: hops, hopLoan: RouteLoan(base: base, keep: try body.varint("hops keep")),
            cost: try body.cost(version: version))
        try body.finish()
        guard route.path.isNone, route.hopLoan.isNone else { return .borrowed(route) }
        return try route.resolved(next: 0) { _ in nil }
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
        case .start(let suffix, let hops, let cost, let epoch):
            if version.hasBorrowedRoutes { try body.loan(.none) }
            body.path(suffix)
            try body.epoch(epoch, version: version)
            try body.route(hops, .none, cost, version: version)
            return RawMessage(type: Kind.start, body: body.bytes)
        case .end(let id):
            try body.varint(id, "announce id")
            return RawMessage(type: Kind.end, body: body.bytes)
        case .update(let id, let hops, let cost):
            try body.varint(id, "announce id")
            try body.route(hops, .none, cost, version: version)
            return RawMessage(type: Kind.update, body: body.bytes)
        case .instance(let id, let hops, let cost, let epoch):
            try body.varint(id, "announce id")
            try body.epoch(epoch, version: version)
            try body.route(hops, .none, cost, version: version)
            return RawMessage(type: Kind.instance, body: body.bytes)
        case .borrowed(let route):
            return try Self.raw(route, version: version)
        case .unknown(let type, let bytes):
            let last = Kind.last(in: version)
            guard type > last else { throw .illegal(body.field("type"), value: type, rule: "above \(last)") }
            var prefix = BodyWriter(message: Self.messageName)
            try prefix.varint(type, "type")
            return RawMessage(type: type, body: bytes)
        }
        return RawMessage(body: body.bytes)
    }

    private static func raw(_ route: BorrowedRoute, version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: messageName)
        let type: UInt64
        switch route.own {
        case .start(let rest, let epoch):
            try body.loan(route.path)
            body.path(rest)
            try body.epoch(epoch, version: version)
            type = Kind.start
        case .update(let id):
            try body.varint(id, "announce id")
            type = Kind.update
        case .restart(let id, let epoch):
            try body.varint(id, "announce id")
            try body.epoch(epoch, version: version)
            type = Kind.instance
        }
        try body.route(route.hops, route.hopLoan, route.cost, version: version)
        return RawMessage(type: type, body: body.bytes)
    }

    private func exists(in version: Version) -> Bool {
        switch self {
        case .active, .ended: !version.hasAnnounceIDs
        case .restart: version.repeatedActiveReplaces
        case .start, .end, .update, .unknown: version.hasAnnounceIDs
        case .instance: version.hasEpochs
        case .borrowed: version.hasBorrowedRoutes
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
        case .instance: "instance"
        case .borrowed: "borrowed route"
        case .unknown: "unknown type"
        }
    }
}

extension BodyWriter {
    fileprivate mutating func loan(_ loan: RouteLoan) throws(WireError) {
        try varint(loan.base, "base")
        try varint(loan.keep, "keep")
    }

    /// Hops and cost, and on 07 what the hops borrow around them.
    fileprivate mutating func route(
        _ list: HopList, _ loan: RouteLoan, _ cost: RouteCost, version: Version
    ) throws(WireError) {
        if version.hasBorrowedRoutes { try varint(loan.base, "hops base") }
        try hops(list, version: version)
        if version.hasBorrowedRoutes { try varint(loan.keep, "hops keep") }
        try self.cost(cost, version: version)
    }

    fileprivate mutating func status(
        _ status: UInt8, _ suffix: BroadcastPath, _ list: HopList, version: Version
    ) throws(WireError) {
        byte(status)
        path(suffix)
        try hops(list, version: version)
    }
}
