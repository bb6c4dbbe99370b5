/// SERVER_SETUP (01 and 02): the server's answer to CLIENT_SETUP on the same stream, which then stays open as the
/// session's stream and carries nothing but `SessionInfo`.
public struct ServerSetup: WireMessage {
    public static let messageName = "SERVER_SETUP"
    /// The kind at its start.
    public static let kind: UInt8 = 0x21
    public static var bodyLimit: Int { WireLimits.setupBytes }

    /// The number of the version chosen; one of those offered, if the server is in order.
    public var version: UInt64
    /// The parameters in the order of the wire; known servers send none.
    public var parameters: [ExchangeParameter]

    /// An answer of its parts.
    public init(version: UInt64, parameters: [ExchangeParameter] = []) {
        self.version = version
        self.parameters = parameters
    }

    public static func framing(in version: Version) -> MessageFraming { .exchange }
    public static func isDefined(in version: Version) -> Bool { version.usesSetupExchange }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> ServerSetup {
        guard raw.type == UInt64(kind) else { throw .unknownType(message: messageName, type: raw.type ?? 0) }
        var body = BodyReader(raw.body, message: messageName)
        let setup = ServerSetup(version: try body.varint("version"), parameters: try body.exchangeParameters())
        try body.finish()
        return setup
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(self.version, "version")
        try body.exchangeParameters(parameters)
        return RawMessage(type: UInt64(Self.kind), body: body.bytes)
    }
}

/// SESSION_INFO (01 and 02): what either side may write on the session's stream behind the exchange. Known peers read it
/// and do nothing.
public struct SessionInfo: WireMessage {
    public static let messageName = "SESSION_INFO"

    /// The estimated rate in bits a second; nil when unknown. A measured 0 is written as 1.
    public var bitrate: UInt64?

    /// A measurement.
    public init(bitrate: UInt64?) {
        self.bitrate = bitrate
    }

    public static func isDefined(in version: Version) -> Bool { version.usesSetupExchange }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> SessionInfo {
        var body = BodyReader(raw.body, message: messageName)
        let bitrate = try body.varint("bitrate")
        try body.finish()
        return SessionInfo(bitrate: bitrate == 0 ? nil : bitrate)
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        try body.varint(bitrate.map { max($0, 1) } ?? 0, "bitrate")
        return RawMessage(body: body.bytes)
    }
}
