/// Bytes as base64 with the alphabet of URLs and without padding (RFC 4648, 5; RFC 7515, 2).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(alphabet[Int(bits >> UInt32(count)) & 63])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << UInt32(6 - count)) & 63]) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of a text; nil when it is none, or ends in bits that no byte has. `padded` allows for `=` at the end,
    /// which old key files have.
    static func bytes(_ text: some StringProtocol, padded: Bool = false) -> [UInt8]? {
        var digits = Array(text.utf8)
        if padded {
            for _ in 0..<2 where digits.last == UInt8(ascii: "=") && text.utf8.count.isMultiple(of: 4) {
                digits.removeLast()
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            guard let value = value(digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard count < 6, bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return result
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
