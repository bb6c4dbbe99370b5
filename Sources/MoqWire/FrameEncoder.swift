import MoqBase

/// Writes the frames of one group or fetch stream. The first timestamp is written in full, the next ones as
/// differences, so one encoder belongs to one stream.
public struct FrameEncoder: Sendable {
    private static let name = "FRAME"

    private let version: Version
    private var previous: UInt64 = 0

    /// Starts a stream of frames.
    public init(version: Version) {
        self.version = version
    }

    /// The head of a frame whose `size` bytes of payload the caller writes next. `timestamp` is needed from 05 on and
    /// left out before. Throws for a frame over 32 MiB and a timestamp that cannot be written; the encoder is then
    /// as before.
    public mutating func header(timestamp: UInt64?, size: Int) throws(WireError) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        try append(timestamp: timestamp, size: size, to: &writer)
        return writer.bytes
    }

    /// A whole frame. Throws as `header(timestamp:size:)`.
    public mutating func encode(_ frame: Frame) throws(WireError) -> [UInt8] {
        var writer = ByteWriter(capacity: frame.payload.count + 16)
        try append(timestamp: frame.timestamp, size: frame.payload.count, to: &writer)
        writer.append(frame.payload)
        return writer.bytes
    }

    private mutating func append(timestamp: UInt64?, size: Int, to writer: inout ByteWriter) throws(WireError) {
        guard size <= WireLimits.frameBytes else {
            throw .tooLarge(WireField(Self.name, "payload"), size: UInt64(size), limit: WireLimits.frameBytes)
        }
        if version.hasFrameTimestamps {
            guard let timestamp else { throw .missing(WireField(Self.name, "timestamp"), version) }
            guard timestamp <= VarInt.maximum else {
                throw .illegal(WireField(Self.name, "timestamp"), value: timestamp, rule: "at most 2^62 - 1")
            }
            // Both are below 2^62, so the difference fits; what the wire can hold is 62 bits of zigzag.
            let delta = Int64(timestamp) - Int64(previous)
            let word = VarInt.zigzag(delta)
            guard word <= VarInt.maximum else {
                throw .illegal(
                    WireField(Self.name, "timestamp"), value: timestamp,
                    rule: "within 2^61 of the one before, \(previous)")
            }
            writer.varint(word)
            previous = timestamp
        }
        writer.varint(UInt64(size))
    }
}
