import MoqBase

/// How a message is delimited.
public enum MessageFraming: Hashable, Sendable {
    /// A byte count, then the body.
    case counted
    /// A type, a byte count, then the body.
    case typed
    /// A kind of one byte, a byte count of two, then the body: the setup exchange of 01 and 02.
    case exchange
}

/// A message cut out of a stream, not decoded yet.
public struct RawMessage: Hashable, Sendable {
    /// The type in front of the count, at most 2^62 - 1; nil where the framing has none.
    public var type: UInt64?
    /// The fields' bytes.
    public var body: [UInt8]

    /// A message of its parts.
    public init(type: UInt64? = nil, body: [UInt8]) {
        self.type = type
        self.body = body
    }

    /// The message with its type (if any) and byte count in front, for any framing but `exchange`.
    public var framed: [UInt8] { framed(.counted) }

    /// The message as a framing delimits it; a body for `exchange` is below 64 KiB.
    func framed(_ framing: MessageFraming) -> [UInt8] {
        var writer = ByteWriter(capacity: body.count + 12)
        if framing == .exchange {
            writer.byte(UInt8(truncatingIfNeeded: type ?? 0))
            writer.uint16(UInt16(truncatingIfNeeded: body.count))
            writer.append(body)
            return writer.bytes
        }
        if let type { writer.varint(type) }
        writer.counted(body)
        return writer.bytes
    }
}

/// A moq-lite message: a value that turns into bytes and back, the same type in every version.
public protocol WireMessage: Hashable, Sendable {
    /// The message as the drafts call it, for error texts.
    static var messageName: String { get }
    /// How it is delimited in a version.
    static func framing(in version: Version) -> MessageFraming
    /// Whether a version defines it.
    static func isDefined(in version: Version) -> Bool
    /// The most bytes its body may have.
    static var bodyLimit: Int { get }
    /// Reads the body of a message, all of it: spare bytes and bodies cut short are errors.
    static func decode(_ raw: RawMessage, version: Version) throws(WireError) -> Self
    /// Writes the body, and the type where the framing has one.
    func raw(version: Version) throws(WireError) -> RawMessage
}

/// A message that is the first of its stream.
public protocol StreamOpeningMessage: WireMessage {
    /// The type at the start of the stream.
    static var streamType: UInt64 { get }
}

extension WireMessage {
    public static func framing(in version: Version) -> MessageFraming { .counted }
    public static func isDefined(in version: Version) -> Bool { true }
    public static var bodyLimit: Int { WireLimits.messageBytes }

    /// The message's bytes, framed. Throws when the version lacks the message or cannot express a field.
    public func encode(version: Version) throws(WireError) -> [UInt8] {
        guard Self.isDefined(in: version) else {
            throw .notInVersion(WireField(Self.messageName, "the message"), version)
        }
        let raw = try raw(version: version)
        guard raw.body.count <= Self.bodyLimit else {
            throw .tooLarge(
                WireField(Self.messageName, "length"), size: UInt64(raw.body.count), limit: Self.bodyLimit)
        }
        return raw.framed(Self.framing(in: version))
    }
}

extension StreamOpeningMessage {
    /// The stream's type and the message behind it: the first bytes of the stream.
    public func encodeStream(version: Version) throws(WireError) -> [UInt8] {
        var writer = ByteWriter(capacity: 1)
        writer.varint(Self.streamType)
        writer.append(try encode(version: version))
        return writer.bytes
    }
}
