/// Something in the tree that is against the rules of the house.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    /// Counted from 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

extension String {
    /// Whether a word stands in the text, not as a part of a longer one. A side of the word that is no letter, digit
    /// or underscore may touch anything.
    func hasWord(_ word: String, ignoringCase: Bool = false) -> Bool {
        let text = Array((ignoringCase ? lowercased() : self).utf8)
        let word = Array((ignoringCase ? word.lowercased() : word).utf8)
        guard let first = word.first, let last = word.last, text.count >= word.count else { return false }
        for start in 0...(text.count - word.count) where text[start] == first {
            let end = start + word.count
            guard text[start..<end].elementsEqual(word) else { continue }
            let touchesBefore = start > 0 && Self.isWordByte(text[start - 1]) && Self.isWordByte(first)
            let touchesAfter = end < text.count && Self.isWordByte(text[end]) && Self.isWordByte(last)
            if !touchesBefore && !touchesAfter { return true }
        }
        return false
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
