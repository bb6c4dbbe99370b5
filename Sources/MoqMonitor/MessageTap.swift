import MoqBase
import MoqWire

/// A message cut out of a stream, and where it stood.
struct TappedMessage {
    var raw: RawMessage
    /// Where it begins among the bytes of its direction.
    var offset: UInt64
    /// How many bytes it took.
    var width: Int

    /// The message as evidence.
    var bytes: [UInt8] { Array(raw.framed.prefix(MonitorLimits.evidenceBytes)) }
}

/// One direction of a stream as it is read: stream type, messages, and where they stand.
struct MessageTap {
    private var decoder = MessageDecoder()
    private var fed: UInt64 = 0

    /// Where the next byte to be read stands.
    var offset: UInt64 { fed - UInt64(decoder.bufferedCount) }

    var isEmpty: Bool { decoder.bufferedCount == 0 }

    var bufferedCount: Int { decoder.bufferedCount }

    var firstByte: UInt8? { decoder.firstByte }

    mutating func feed(_ bytes: [UInt8]) {
        decoder.feed(bytes)
        fed += UInt64(bytes.count)
    }

    /// The stream type with the bytes it took, or nil when it is not complete.
    mutating func streamType() -> (type: UInt64, width: Int)? {
        let before = decoder.bufferedCount
        guard let type = decoder.nextStreamType() else { return nil }
        return (type, before - decoder.bufferedCount)
    }

    /// The next message of a framing, nil when it is not complete. Throws when it is too long to be gathered.
    mutating func message(_ framing: MessageFraming) throws(WireError) -> TappedMessage? {
        let start = offset
        let before = decoder.bufferedCount
        guard let raw = try decoder.nextRaw(framing, limit: MonitorLimits.messageBytes) else { return nil }
        return TappedMessage(raw: raw, offset: start, width: before - decoder.bufferedCount)
    }

    /// Everything that was not read yet.
    mutating func takeRest() -> [UInt8] { decoder.takeRest() }
}
