/// Why bytes could not be read as what they should be.
public enum ByteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `needed` more bytes are wanted than there are.
    case truncated(needed: Int)
    /// A string's bytes are not UTF-8.
    case invalidUTF8

    public var description: String {
        switch self {
        case .truncated(let needed): "the bytes end \(needed) short of the field"
        case .invalidUTF8: "a string is not valid UTF-8"
        }
    }
}

/// A cursor over bytes that never reads past its end.
public struct ByteReader: Sendable {
    private let bytes: [UInt8]
    /// Where the next read starts, as an index into the bytes given at the start.
    public private(set) var position: Int
    /// Where the readable bytes end.
    public let end: Int

    /// Reads all of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// Reads the part of `bytes` in `range`, which must lie within it.
    public init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// How many bytes are left.
    public var remaining: Int { end - position }

    /// Whether nothing is left.
    public var isAtEnd: Bool { position == end }

    /// Reads one byte.
    public mutating func byte() throws(ByteError) -> UInt8 {
        try need(1)
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a variable-length integer of any width.
    public mutating func varint() throws(ByteError) -> UInt64 {
        try need(1)
        let length = VarInt.length(firstByte: bytes[position])
        try need(length)
        var value = UInt64(bytes[position] & 0x3F)
        for offset in 1..<max(length, 1) {
            value = value << 8 | UInt64(bytes[position + offset])
        }
        position += length
        return value
    }

    /// Reads two bytes, big-endian.
    public mutating func uint16() throws(ByteError) -> UInt16 {
        try need(2)
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    /// Reads `count` bytes.
    public mutating func take(_ count: Int) throws(ByteError) -> [UInt8] {
        try need(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads a byte count as a varint and then that many bytes.
    public mutating func counted() throws(ByteError) -> [UInt8] {
        try take(try boundedCount())
    }

    /// Reads a byte count as a varint and then that many bytes of UTF-8.
    public mutating func string() throws(ByteError) -> String {
        let count = try boundedCount()
        try need(count)
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
            throw .invalidUTF8
        }
        position += count
        return text
    }

    /// Reads what is left.
    public mutating func rest() -> [UInt8] {
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Reads a byte count as a varint and gives a reader confined to that many bytes, which are passed over.
    public mutating func confined() throws(ByteError) -> ByteReader {
        let count = try boundedCount()
        try need(count)
        defer { position += count }
        return ByteReader(bytes, in: position..<position + count)
    }

    private mutating func boundedCount() throws(ByteError) -> Int {
        let count = try varint()
        guard count <= UInt64(remaining) else {
            throw .truncated(needed: Int(clamping: count - UInt64(remaining)))
        }
        return Int(count)
    }

    private func need(_ count: Int) throws(ByteError) {
        if remaining < count { throw .truncated(needed: count - remaining) }
    }
}
