/// How far a track has come.
public struct TrackPosition: Hashable, Sendable {
    /// The greatest group number so far, at most 2^62 - 2.
    public var group: UInt64
    /// The number of the latest frame in that group.
    public var frame: UInt64

    /// A position of its parts.
    public init(group: UInt64, frame: UInt64) {
        self.group = group
        self.frame = frame
    }
}

/// What a publisher says on a Subscribe stream. 01 and 02 have SUBSCRIBE_OK only, without a type; the numbers of the
/// types moved between 04 and 05.
public enum SubscribeAnswer: WireMessage {
    /// SUBSCRIBE_OK up to 04, the first answer: echoes the request's priority (02: nothing); known publishers write zeros
    /// and absent for the rest.
    case ok(SubscribeOptions)
    /// SUBSCRIBE_OK of 05 and later (START in code): the first group that will be delivered, and (07) how far the track
    /// has come; nil when it has nothing yet, or the version does not say.
    case start(group: UInt64, largest: TrackPosition? = nil)
    /// SUBSCRIBE_END (05 and later): the first group that will never exist, 0 when the track ended without any; and
    /// (07, 0 before) how many group streams the subscription had.
    case end(group: UInt64, streams: UInt64 = 0)
    /// SUBSCRIBE_DROP (03 to 06): groups that will not be delivered, both ends inclusive, and the stream code that says
    /// why.
    case drop(start: UInt64, end: UInt64, code: UInt64)

    public static let messageName = "SUBSCRIBE answer"

    public static func framing(in version: Version) -> MessageFraming {
        version.subscribeAnswersAreTyped ? .typed : .counted
    }

    private enum Kind: Hashable {
        case ok, start, end, drop

        init?(_ type: UInt64, version: Version) {
            switch (type, version.subscribeAnswerIsOK) {
            case (0, true): self = .ok
            case (1, true): self = .drop
            case (0, false): self = .start
            case (1, false): self = .end
            case (2, false) where version.hasSubscribeDrop: self = .drop
            default: return nil
            }
        }

        var name: String {
            switch self {
            case .ok, .start: "SUBSCRIBE_OK"
            case .end: "SUBSCRIBE_END"
            case .drop: "SUBSCRIBE_DROP"
            }
        }
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> SubscribeAnswer {
        let kind: Kind
        if version.subscribeAnswersAreTyped {
            guard let type = raw.type else { throw .truncated(WireField(messageName, "type")) }
            guard let known = Kind(type, version: version) else { throw .unknownType(message: messageName, type: type) }
            kind = known
        } else {
            kind = .ok
        }
        var body = BodyReader(raw.body, message: kind.name)
        let answer: SubscribeAnswer
        switch kind {
        case .ok: answer = .ok(try body.echo(version: version))
        case .start:
            let group = try body.varint("group")
            answer = .start(group: group, largest: version.hasLargestPosition ? try body.largest() : nil)
        case .end:
            let group = try body.varint("group")
            answer = .end(group: group, streams: version.subscriberEndsFirst ? try body.varint("streams") : 0)
        case .drop:
            answer = .drop(start: try body.varint("start"), end: try body.varint("end"), code: try body.varint("code"))
        }
        try body.finish()
        return answer
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        switch self {
        case .ok(let options):
            var body = BodyWriter(message: "SUBSCRIBE_OK")
            guard version.subscribeAnswerIsOK else { throw .notInVersion(body.field("echo of the request"), version) }
            try body.echo(options, version: version)
            return RawMessage(type: version.subscribeAnswersAreTyped ? 0 : nil, body: body.bytes)
        case .start(let group, let largest):
            var body = BodyWriter(message: "SUBSCRIBE_OK")
            guard !version.subscribeAnswerIsOK else { throw .notInVersion(body.field("start"), version) }
            try body.varint(group, "group")
            // Like an age, this is left out where the version has no field for it.
            if version.hasLargestPosition { try body.largest(largest) }
            return RawMessage(type: 0, body: body.bytes)
        case .end(let group, let streams):
            var body = BodyWriter(message: "SUBSCRIBE_END")
            guard !version.subscribeAnswerIsOK else { throw .notInVersion(body.field("the message"), version) }
            try body.varint(group, "group")
            if version.subscriberEndsFirst { try body.varint(streams, "streams") }
            return RawMessage(type: 1, body: body.bytes)
        case .drop(let start, let end, let code):
            var body = BodyWriter(message: "SUBSCRIBE_DROP")
            guard version.hasSubscribeDrop else { throw .notInVersion(body.field("the message"), version) }
            try body.varint(start, "start")
            try body.varint(end, "end")
            try body.varint(code, "code")
            return RawMessage(type: version.subscribeAnswerIsOK ? 1 : 2, body: body.bytes)
        }
    }
}

extension BodyReader {
    fileprivate mutating func echo(version: Version) throws(WireError) -> SubscribeOptions {
        guard version.subscribeOKHasPriority else { return SubscribeOptions() }
        return try subscribeOptions(version: version)
    }

    fileprivate mutating func largest() throws(WireError) -> TrackPosition? {
        guard let group = try optional("largest group") else { return nil }
        return TrackPosition(group: group, frame: try varint("largest frame"))
    }
}

extension BodyWriter {
    fileprivate mutating func echo(_ options: SubscribeOptions, version: Version) throws(WireError) {
        if version.subscribeOKHasPriority { try subscribeOptions(options, version: version) }
    }

    fileprivate mutating func largest(_ position: TrackPosition?) throws(WireError) {
        try optional(position?.group, "largest group")
        if let position { try varint(position.frame, "largest frame") }
    }
}
