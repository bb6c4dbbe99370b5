/// Collects bytes in the encodings that `ByteReader` reads.
public struct ByteWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8]

    /// Starts empty, with room for `capacity` bytes.
    public init(capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Appends one byte.
    public mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    /// Appends a variable-length integer in its shortest form. `value` must not exceed `VarInt.maximum`.
    public mutating func varint(_ value: UInt64) {
        varint(value, width: VarInt.length(value))
    }

    /// Appends a variable-length integer in a form of `width` bytes (1, 2, 4 or 8), which may be longer than needed.
    public mutating func varint(_ value: UInt64, width: Int) {
        precondition(value <= VarInt.maximum, "a varint holds 62 bits")
        precondition(width >= VarInt.length(value) && width <= 8 && width.nonzeroBitCount == 1)
        let tag = UInt64(width.trailingZeroBitCount) << (8 * width - 2)
        let word = value | tag
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    /// Appends two bytes, big-endian.
    public mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends bytes as they are.
    public mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends a byte count and the bytes.
    public mutating func counted(_ more: [UInt8]) {
        varint(UInt64(more.count))
        bytes.append(contentsOf: more)
    }

    /// Appends a byte count and the UTF-8 bytes of `text`.
    public mutating func string(_ text: String) {
        varint(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// Bytes as people read them.
public enum Hexadecimal {
    /// Two lowercase digits a byte, without separators.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8]()
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` spells, or nil when it has an odd length or another character than a hexadecimal digit.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8]()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
