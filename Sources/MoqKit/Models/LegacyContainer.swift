import MoqBase

/// The container that the kits publish in: a QUIC varint with the presentation time in microseconds, then the bytes of the
/// codec. Its varint is that of QUIC in every version of moq-lite.
public enum LegacyContainer {
    /// A frame.
    public static func pack(timestamp: Int64, _ payload: [UInt8]) -> [UInt8] {
        let value = UInt64(clamping: max(0, timestamp)) & ((1 << 62) - 1)
        let (width, mark): (Int, UInt64) =
            value < 1 << 6 ? (1, 0) : value < 1 << 14 ? (2, 1) : value < 1 << 30 ? (4, 2) : (8, 3)
        let marked = value | mark << UInt64(width * 8 - 2)
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: marked >> UInt64($0 * 8)) } + payload
    }

    /// The parts of a frame; nil when it ends inside its timestamp.
    public static func unpack(_ frame: [UInt8]) -> (timestamp: Int64, payload: ArraySlice<UInt8>)? {
        guard let first = frame.first else { return nil }
        let width = 1 << Int(first >> 6)
        guard frame.count >= width else { return nil }
        let value = frame[1..<width].reduce(UInt64(first & 0x3f)) { $0 << 8 | UInt64($1) }
        return (Int64(value), frame[width...])
    }
}
