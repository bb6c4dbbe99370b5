/// What a publisher says on a Subscribe stream. The numbers of the types moved between 04 and 05.
public enum SubscribeAnswer: WireMessage {
    /// SUBSCRIBE_OK of 03 and 04, the first answer: echoes the request's priority; known publishers write zeros and
    /// absent for the rest.
    case ok(SubscribeOptions)
    /// SUBSCRIBE_OK of 05 and later (START in code): the first group that will be delivered.
    case start(group: UInt64)
    /// SUBSCRIBE_END (05 and later): the first group that will never exist; 0 when the track ended without any.
    case end(group: UInt64)
    /// SUBSCRIBE_DROP: groups that will not be delivered, both ends inclusive, and the stream code that says why.
    case drop(start: UInt64, end: UInt64, code: UInt64)

    public static let messageName = "SUBSCRIBE answer"

    public static func framing(in version: Version) -> MessageFraming { .typed }

    private enum Kind: Hashable {
        case ok, start, end, drop

        init?(_ type: UInt64, version: Version) {
            switch (type, version.subscribeAnswerIsOK) {
            case (0, true): self = .ok
            case (1, true): self = .drop
            case (0, false): self = .start
            case (1, false): self = .end
            case (2, false): self = .drop
            default: return nil
            }
        }
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> SubscribeAnswer {
        guard let type = raw.type else { throw .truncated(WireField(messageName, "type")) }
        guard let kind = Kind(type, version: version) else { throw .unknownType(message: messageName, type: type) }
        var body = BodyReader(raw.body, message: name(of: kind))
        let answer: SubscribeAnswer
        switch kind {
        case .ok: answer = .ok(try body.subscribeOptions(version: version))
        case .start: answer = .start(group: try body.varint("group"))
        case .end: answer = .end(group: try body.varint("group"))
        case .drop:
            answer = .drop(start: try body.varint("start"), end: try body.varint("end"), code: try body.varint("code"))
        }
        try body.finish()
        return answer
    }

    private static func name(of kind: Kind) -> String {
        switch kind {
        case .ok, .start: "SUBSCRIBE_OK"
        case .end: "SUBSCRIBE_END"
        case .drop: "SUBSCRIBE_DROP"
        }
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        switch self {
        case .ok(let options):
            var body = BodyWriter(message: "SUBSCRIBE_OK")
            guard version.subscribeAnswerIsOK else { throw .notInVersion(body.field("echo of the request"), version) }
            try body.subscribeOptions(options, version: version)
            return RawMessage(type: 0, body: body.bytes)
        case .start(let group):
            var body = BodyWriter(message: "SUBSCRIBE_OK")
            guard !version.subscribeAnswerIsOK else { throw .notInVersion(body.field("start"), version) }
            try body.varint(group, "group")
            return RawMessage(type: 0, body: body.bytes)
        case .end(let group):
            var body = BodyWriter(message: "SUBSCRIBE_END")
            guard !version.subscribeAnswerIsOK else { throw .notInVersion(body.field("the message"), version) }
            try body.varint(group, "group")
            return RawMessage(type: 1, body: body.bytes)
        case .drop(let start, let end, let code):
            var body = BodyWriter(message: "SUBSCRIBE_DROP")
            try body.varint(start, "start")
            try body.varint(end, "end")
            try body.varint(code, "code")
            return RawMessage(type: version.subscribeAnswerIsOK ? 1 : 2, body: body.bytes)
        }
    }
}
