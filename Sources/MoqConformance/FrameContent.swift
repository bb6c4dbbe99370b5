import MoqBase

/// Which frame of which run a payload belongs to.
public struct FrameIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The case and the publishing actor's incarnation, hashed.
    public var source: UInt64
    /// The broadcast path and track name, hashed.
    public var track: UInt64
    /// The group's sequence number.
    public var group: UInt64
    /// The frame's index in its group.
    public var frame: UInt32

    /// An identity of its parts.
    public init(source: UInt64, track: UInt64, group: UInt64, frame: UInt32) {
        self.source = source
        self.track = track
        self.group = group
        self.frame = frame
    }

    public var description: String { "group \(group) frame \(frame)" }
}

/// Payloads that can be told apart from each other and from anything else.
///
/// From 48 bytes on: four bytes of magic, the identity, the size, a hash over those, and a filler that follows from the
/// hash. Shorter payloads are the filler's start alone: they are recognised by comparison, not by reading.
public enum FrameContent {
    /// The size from which a payload names itself, in bytes.
    public static let selfDescribingSize = 48

    private static let magic: [UInt8] = Array("MQS1".utf8)
    /// A prime, so that a shift by any power of two shows.
    private static let fillerPeriod = 251
    private static let longFiller = 16 << 10

    /// The payload of `size` bytes that belongs to `identity`.
    public static func payload(_ identity: FrameIdentity, size: Int) -> [UInt8] {
        var header = ByteWriter(capacity: selfDescribingSize)
        header.append(magic)
        append(UInt64(identity.frame), bytes: 4, to: &header)
        append(identity.source, bytes: 8, to: &header)
        append(identity.track, bytes: 8, to: &header)
        append(identity.group, bytes: 8, to: &header)
        append(UInt64(size), bytes: 8, to: &header)
        let hash = StableHash.of(header.bytes)
        append(hash, bytes: 8, to: &header)

        var random = SeededRandom(seed: hash)
        let block = random.bytes(min(fillerPeriod, max(size, 1)))
        var payload = [UInt8]()
        payload.reserveCapacity(size)
        if size >= selfDescribingSize { payload.append(contentsOf: header.bytes) }
        // Large payloads by larger pieces of the same.
        let piece = size > longFiller ? Array(repeatElement(block, count: longFiller / block.count).joined()) : block
        while payload.count + piece.count <= size { payload.append(contentsOf: piece) }
        while payload.count + block.count <= size { payload.append(contentsOf: block) }
        payload.append(contentsOf: block.prefix(size - payload.count))
        return payload
    }

    /// What a payload says it is, and how long it was when it was whole; nil when its start is not one of ours.
    public static func identify(_ payload: [UInt8]) -> (identity: FrameIdentity, size: Int)? {
        guard payload.count >= selfDescribingSize, Array(payload[0..<4]) == magic else { return nil }
        guard number(payload, at: 40, bytes: 8) == StableHash.of(payload[0..<40]) else { return nil }
        let identity = FrameIdentity(
            source: number(payload, at: 8, bytes: 8), track: number(payload, at: 16, bytes: 8),
            group: number(payload, at: 24, bytes: 8), frame: UInt32(number(payload, at: 4, bytes: 4)))
        return (identity, Int(clamping: number(payload, at: 32, bytes: 8)))
    }

    private static func append(_ value: UInt64, bytes: Int, to writer: inout ByteWriter) {
        for shift in stride(from: 8 * (bytes - 1), through: 0, by: -8) {
            writer.byte(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    private static func number(_ payload: [UInt8], at offset: Int, bytes: Int) -> UInt64 {
        payload[offset..<offset + bytes].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
