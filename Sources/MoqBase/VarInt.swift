/// QUIC's variable-length integer (RFC 9000 section 16): 1, 2, 4 or 8 bytes, 62 bits of value.
public enum VarInt {
    /// The largest value that fits: 2^62 - 1.
    public static let maximum: UInt64 = (1 << 62) - 1

    /// How many bytes the shortest form of `value` takes (1, 2, 4 or 8).
    ///
    /// `value` must not exceed `maximum`.
    public static func length(_ value: UInt64) -> Int {
        switch value {
        case ..<0x40: 1
        case ..<0x4000: 2
        case ..<0x4000_0000: 4
        default: 8
        }
    }

    /// The number of bytes of the encoding that starts with `first`.
    public static func length(firstByte first: UInt8) -> Int {
        1 << Int(first >> 6)
    }

    /// Maps a signed number to an unsigned one (0, -1, 1, -2 ... to 0, 1, 2, 3 ...), for numbers from -2^61 to 2^61 - 1.
    public static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    /// The inverse of `zigzag(_:)`.
    public static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
