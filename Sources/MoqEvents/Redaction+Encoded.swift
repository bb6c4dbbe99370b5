import MoqBase

// Secrets in hexadecimal digits or in base64: a dump of a SETUP, or what a hostile relay makes of a token.
extension Redaction {
    /// Fewer digits hold no secret worth the name: `jwt=` and eight characters take 24 in hexadecimal.
    private static let shortestRun = 24

    /// The text without runs of digits that hold a secret once they are decoded; such a run goes as a whole.
    static func withoutEncoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var kept = 0
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, isDigit(bytes[end]) { end += 1 }
            if end - start >= shortestRun, holdsSecret(bytes[start..<end]) {
                result += bytes[kept..<start] + mark.utf8
                kept = end
            }
            start = max(end, start + 1)
        }
        guard kept > 0 else { return text }
        return String(decoding: result + bytes[kept...], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        isWordByte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    private static func holdsSecret(_ run: ArraySlice<UInt8>) -> Bool {
        let values = run.map(value)
        // A run may begin in the middle of what was encoded.
        if let nibbles = hexadecimal(run) {
            for offset in 0..<2 where !secrets(in: packed(nibbles.dropFirst(offset), bits: 4).span).isEmpty {
                return true
            }
        }
        for offset in 0..<4 where !secrets(in: packed(values.dropFirst(offset), bits: 6).span).isEmpty { return true }
        return false
    }

    private static func hexadecimal(_ run: ArraySlice<UInt8>) -> [UInt8]? {
        var nibbles: [UInt8] = []
        for digit in run {
            guard let nibble = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            nibbles.append(UInt8(nibble))
        }
        return nibbles
    }

    /// The six bits of a digit in base64, whichever of its two alphabets.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        default: 63
        }
    }

    private static func packed(_ digits: ArraySlice<UInt8>, bits: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var count = 0
        for digit in digits {
            buffer = buffer << UInt32(bits) | UInt32(digit)
            count += bits
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(count)))
            }
        }
        return bytes
    }
}
