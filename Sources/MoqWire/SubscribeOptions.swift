/// What a subscriber wants of a track: part of SUBSCRIBE, all of SUBSCRIBE_UPDATE, echoed by SUBSCRIBE_OK on 03 and 04.
/// 01 and 02 have the priority only.
public struct SubscribeOptions: Hashable, Sendable {
    /// 255 is sent before 0.
    public var priority: UInt8
    /// Whether groups are wanted oldest first. Only 03 to 05 carry it; 06 leaves it out.
    public var ordered: Bool
    /// How old a group that is not the latest may get before it is no longer wanted, in milliseconds ("max latency"
    /// up to 05). 0 on 06 asks for the latest group only.
    public var maxAge: UInt64
    /// The first group wanted. Nil: up to 05 the latest group, on 06 no lower bound (which is written as 0).
    public var groupStart: UInt64?
    /// The last group wanted, inclusive; nil for no end.
    public var groupEnd: UInt64?
    /// The first frame wanted of the first group (06).
    public var frameStart: UInt64
    /// The last frame wanted of the last group, inclusive; nil for all (06). Goes with `groupEnd` only.
    public var frameEnd: UInt64?

    /// Options; what is not given is the least demanding.
    public init(
        priority: UInt8 = 0, ordered: Bool = false, maxAge: UInt64 = 0, groupStart: UInt64? = nil,
        groupEnd: UInt64? = nil, frameStart: UInt64 = 0, frameEnd: UInt64? = nil
    ) {
        self.priority = priority
        self.ordered = ordered
        self.maxAge = maxAge
        self.groupStart = groupStart
        self.groupEnd = groupEnd
        self.frameStart = frameStart
        self.frameEnd = frameEnd
    }
}

extension BodyReader {
    mutating func subscribeOptions(version: Version) throws(WireError) -> SubscribeOptions {
        var options = SubscribeOptions()
        options.priority = try byte("priority")
        guard version.hasSubscribeRange else { return options }
        if version.hasOrdered { options.ordered = try flag("ordered") }
        options.maxAge = try varint("max age")
        if version.startIsFloor {
            let start = try varint("group start")
            options.groupStart = start == 0 ? nil : start
        } else {
            options.groupStart = try optional("group start")
        }
        options.groupEnd = try optional("group end")
        guard version.hasFrameRanges else { return options }
        options.frameStart = try varint("frame start")
        options.frameEnd = try optional("frame end")
        if let end = options.frameEnd, options.groupEnd == nil {
            throw .illegal(field("frame end"), value: end, rule: "absent when there is no group end")
        }
        return options
    }
}

extension BodyWriter {
    mutating func subscribeOptions(_ options: SubscribeOptions, version: Version) throws(WireError) {
        byte(options.priority)
        guard version.hasSubscribeRange else {
            // An age is a wish like the order, and left out like it; a range that cannot be said is not.
            if options.groupStart != nil { throw .notInVersion(field("group start"), version) }
            if options.groupEnd != nil { throw .notInVersion(field("group end"), version) }
            return try frameRange(start: options.frameStart, end: options.frameEnd, version: version)
        }
        if version.hasOrdered { flag(options.ordered) }
        try varint(options.maxAge, "max age")
        if version.startIsFloor {
            try varint(options.groupStart ?? 0, "group start")
        } else {
            try optional(options.groupStart, "group start")
        }
        try optional(options.groupEnd, "group end")
        try frameRange(start: options.frameStart, end: options.frameEnd, version: version)
    }

    /// The first and last frame where the version has them; throws when there is something to say and no field for it.
    mutating func frameRange(start: UInt64, end: UInt64?, version: Version) throws(WireError) {
        if version.hasFrameRanges {
            try varint(start, "frame start")
            try optional(end, "frame end")
        } else if start != 0 {
            throw .notInVersion(field("frame start"), version)
        } else if end != nil {
            throw .notInVersion(field("frame end"), version)
        }
    }
}
