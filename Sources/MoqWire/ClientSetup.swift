/// CLIENT_SETUP (01 and 02): what the client writes first of all, on the first bidirectional stream. Which of the two
/// versions is spoken is not known then, and the bytes are the same for both.
public struct ClientSetup: WireMessage {
    public static let messageName = "CLIENT_SETUP"
    /// The kind at its start, where other streams have their type.
    public static let kind: UInt8 = 0x20
    public static var bodyLimit: Int { WireLimits.setupBytes }

    /// The numbers of the versions offered, the most wanted first (`Version.setupCode`; others stand for other
    /// protocols, as 0xff00000e does).
    public var versions: [UInt64]
    /// The parameters in the order of the wire; no id occurs twice.
    public var parameters: [ExchangeParameter]

    /// An offer of its parts.
    public init(versions: [UInt64], parameters: [ExchangeParameter] = []) {
        self.versions = versions
        self.parameters = parameters
    }

    /// The request path with its query, if the client sent one that is text and not empty.
    public var path: String? {
        for case .bytes(ExchangeParameter.pathID, let bytes) in parameters where !bytes.isEmpty {
            return String(validating: bytes, as: UTF8.self)
        }
        return nil
    }

    /// The version among `spoken` that a server takes: the client's order decides.
    public func choice(among spoken: [Version]) -> Version? {
        versions.lazy.compactMap { Version(setupCode: $0) }.first { spoken.contains($0) }
    }

    public static func framing(in version: Version) -> MessageFraming { .exchange }
    public static func isDefined(in version: Version) -> Bool { version.usesSetupExchange }

    /// The offer without what stands behind the versions. Known servers look no further, so an offer whose parameters
    /// are missing or wrong is good enough to be answered.
    public static func decodeOffer(_ raw: RawMessage) throws(WireError) -> ClientSetup {
        var body = try offer(raw)
        return ClientSetup(versions: try versions(from: &body))
    }

    private static func offer(_ raw: RawMessage) throws(WireError) -> BodyReader {
        guard raw.type == UInt64(kind) else { throw .unknownType(message: messageName, type: raw.type ?? 0) }
        return BodyReader(raw.body, message: messageName)
    }

    private static func versions(from body: inout BodyReader) throws(WireError) -> [UInt64] {
        let count = try body.varint("version count")
        guard count <= UInt64(WireLimits.exchangeVersions) else {
            throw .tooMany(body.field("versions"), count: count, limit: WireLimits.exchangeVersions)
        }
        var versions: [UInt64] = []
        for _ in 0..<count { versions.append(try body.varint("version")) }
        return versions
    }

    public static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> ClientSetup {
        var body = try offer(raw)
        var setup = ClientSetup(versions: try versions(from: &body))
        setup.parameters = try body.exchangeParameters()
        try body.finish()
        return setup
    }

    public func raw(version: Version) throws(WireError) -> RawMessage {
        var body = BodyWriter(message: Self.messageName)
        guard versions.count <= WireLimits.exchangeVersions else {
            throw .tooMany(
                body.field("versions"), count: UInt64(versions.count), limit: WireLimits.exchangeVersions)
        }
        try body.varint(UInt64(versions.count), "version count")
        for version in versions { try body.varint(version, "version") }
        try body.exchangeParameters(parameters)
        return RawMessage(type: UInt64(Self.kind), body: body.bytes)
    }
}
