import MoqBase

/// Cuts the bytes of a stream into messages, whatever pieces they arrive in.
///
/// Feed what arrives and take messages until nil; what stays behind is then less than one message within its bound. A
/// length beyond the bound is refused as soon as it is read, before its bytes are waited for.
public struct MessageDecoder: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0

    /// Starts at the first byte of a stream.
    public init() {}

    /// How many bytes wait for the rest of their message.
    public var bufferedCount: Int { bytes.count - position }

    /// Whether nothing waits: an end of the stream is in place here.
    public var isBetweenMessages: Bool { bufferedCount == 0 }

    /// Takes bytes that arrived.
    public mutating func feed(_ more: [UInt8]) {
        if position == bytes.count {
            bytes = more
        } else {
            if position > 0 { bytes.removeFirst(position) }
            bytes.append(contentsOf: more)
        }
        position = 0
    }

    /// The byte that comes next, if it is there; it is not taken.
    public var firstByte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The stream's type, its first number; nil when more bytes are needed.
    public mutating func nextStreamType() -> UInt64? {
        var reader = ByteReader(bytes, in: position..<bytes.count)
        guard let type = try? reader.varint() else { return nil }
        position = reader.position
        return type
    }

    /// The next message, not decoded; nil when more bytes are needed. Throws `tooLarge` for a length beyond `limit`.
    public mutating func nextRaw(
        _ framing: MessageFraming, name: String = "message", limit: Int = WireLimits.messageBytes
    ) throws(WireError) -> RawMessage? {
        var reader = ByteReader(bytes, in: position..<bytes.count)
        var type: UInt64?
        let count: UInt64
        if framing == .exchange {
            guard let kind = try? reader.byte(), let short = try? reader.uint16() else { return nil }
            type = UInt64(kind)
            count = UInt64(short)
        } else {
            if framing == .typed {
                guard let number = try? reader.varint() else { return nil }
                type = number
            }
            guard let long = try? reader.varint() else { return nil }
            count = long
        }
        guard count <= UInt64(max(limit, 0)) else {
            throw .tooLarge(WireField(name, "length"), size: count, limit: limit)
        }
        guard let body = try? reader.take(Int(count)) else { return nil }
        position = reader.position
        return RawMessage(type: type, body: body)
    }

    /// The next message as an `M`; nil when more bytes are needed. Throws what is wrong with it; a message that is
    /// wrong inside its bounds is passed over then.
    public mutating func next<M: WireMessage>(_: M.Type, version: Version) throws(WireError) -> M? {
        guard M.isDefined(in: version) else {
            throw .notInVersion(WireField(M.messageName, "the message"), version)
        }
        let framing = M.framing(in: version)
        guard let raw = try nextRaw(framing, name: M.messageName, limit: M.bodyLimit) else { return nil }
        return try M.decode(raw, version: version)
    }

    /// Takes everything that waits, for another decoder to go on with (the frames behind GROUP).
    public mutating func takeRest() -> [UInt8] {
        defer {
            bytes = []
            position = 0
        }
        return position == 0 ? bytes : Array(bytes[position...])
    }

    /// The stream ended: throws `endedInside` when that is in the middle of a message.
    public func finish(name: String = "message") throws(WireError) {
        guard isBetweenMessages else { throw .endedInside(message: name) }
    }
}
