/// Bytes as hexadecimal text.
public enum Hex {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The bytes as lower-case hexadecimal, without separators.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes { digits.append(contentsOf: Hex.digits(byte)) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes of hexadecimal text; nil when it is none.
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    static func digits(_ byte: UInt8) -> [UInt8] {
        [alphabet[Int(byte >> 4)], alphabet[Int(byte & 15)]]
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
