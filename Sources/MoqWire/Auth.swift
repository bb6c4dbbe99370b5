/// AUTH (07): a client shows another token in the middle of a session, on a stream of its own. Known from sources
/// only: no release answers it, and the engine refuses such streams like any unknown one.
public struct Auth: StreamOpeningMessage {
    public static let messageName = "AUTH"
    /// The type of its stream, which no version here serves.
    public static let streamType: UInt64 = 7

    /// The token; empty to ask what is allowed without one.
    public var token: String

    /// Shows a token.
    public init(token: String) {
        self.token = token
    }

    public static func isDefined(in version: Version) -> Bool { version >= .lite07 }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Auth {
        var body = BodyReader(raw.body, message: messageName)
        let message = Auth(token: try body.string("token"))
        try body.finish()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        body.string(token)
        return RawMessage(body: body.bytes)
    }
}
