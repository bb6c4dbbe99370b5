/// GOAWAY (04 and later): the sender wants the session to end, and the peer to go on elsewhere.
public struct Goaway: StreamOpeningMessage {
    public static let messageName = "GOAWAY"
    public static var streamType: UInt64 { BidirectionalStreamType.goaway.rawValue }

    /// Where to go; empty for the same place. At most 8192 bytes.
    public var uri: String

    /// Sends the peer to `uri`.
    public init(uri: String) {
        self.uri = uri
    }

    public static func isDefined(in version: Version) -> Bool { version.hasGoaway }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Goaway {
        var body = BodyReader(raw.body, message: messageName)
        let message = Goaway(uri: try body.string("URI"))
        try body.finish()
        try message.checkLength()
        return message
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        try checkLength()
        var body = BodyWriter(message: Self.messageName)
        body.string(uri)
        return RawMessage(body: body.bytes)
    }

    private func checkLength() throws(WireError) {
        guard uri.utf8.count <= WireLimits.goawayURIBytes else {
            throw .tooLarge(
                WireField(Self.messageName, "URI"), size: UInt64(uri.utf8.count), limit: WireLimits.goawayURIBytes)
        }
    }
}
