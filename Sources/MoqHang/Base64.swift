/// Bytes as base64 with padding (RFC 4648, 4), as catalogs write initialisations.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let group = bytes[index..<min(index + 3, bytes.count)]
            let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = alphabet[Int(word >> UInt32(18 - 6 * place)) & 63]
                text.append(place <= group.count ? digit : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil when another character is in it, its padding is wrong, or it ends in bits of no byte.
    /// `padded` says that it must have its padding; else it may have none.
    static func decode(_ text: String, padded: Bool = true) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4) || (!padded && digits.last != UInt8(ascii: "=")) else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var word: UInt32 = 0
        var bits: UInt32 = 0
        for digit in digits {
            guard let value = value(digit) else { return nil }
            word = word << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return bits < 6 && word & ((1 << bits) - 1) == 0 ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 65...90: UInt32(digit - 65)
        case 97...122: UInt32(digit - 71)
        case 48...57: UInt32(digit + 4)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
