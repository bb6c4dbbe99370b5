/// Takes secrets out of what is written.
///
/// A secret is what follows a telling name (`jwt=`, `"token": "`, `Authorization:`), what follows `Bearer`, what
/// looks like a JSON Web Token wherever it stands, and the user part of a URL; also where they are written in hexadecimal
/// digits or base64. Rather a harmless word too many is
/// taken than a token too few.
public enum Redaction {
    /// What stands in a secret's place.
    public static let mark = "REDACTED"

    /// Names whose values are secrets, in lower case.
    private static let names: Set<String> = [
        "jwt", "token", "access_token", "auth_token", "id_token", "refresh_token", "authorization", "password",
        "passwd", "secret", "client_secret", "api_key", "apikey",
    ]
    /// Those of them that are also words of plain sentences, in which a colon may follow them.
    private static let words: Set<String> = ["token", "secret", "password"]
    private static let longestName = 16

    /// The text without its secrets.
    public static func text(_ text: String) -> String {
        withoutEncoded(withoutPlain(text))
    }

    private static func withoutPlain(_ text: String) -> String {
        let found = secrets(in: text.utf8.span)
        guard !found.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        for range in found {
            result.append(contentsOf: bytes[position..<range.lowerBound])
            result.append(contentsOf: mark.utf8)
            position = range.upperBound
        }
        result.append(contentsOf: bytes[position...])
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes with each byte of a secret replaced by `x`, so that all others keep their place.
    public static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        let found = secrets(in: bytes.span)
        guard !found.isEmpty else { return bytes }
        var result = bytes
        for range in found {
            for index in range { result[index] = UInt8(ascii: "x") }
        }
        return result
    }

    /// The pairs without their secrets: the value of a telling name is one as a whole.
    public static func pairs(_ pairs: NamedValues) -> NamedValues {
        let redacted = pairs.map { pair in
            let isSecret = names.contains(pair.name.lowercased()) && !pair.value.isEmpty
            return (text(pair.name), isSecret ? mark : text(pair.value))
        }
        return NamedValues(redacted)
    }

    /// Where secrets stand, in order and apart from each other.
    static func secrets(in bytes: Span<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let range: Range<Int>? =
                switch bytes[index] {
                case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "%"): valueAfterName(bytes, at: index)
                case UInt8(ascii: "B"), UInt8(ascii: "b"): valueAfterBearer(bytes, at: index)
                case UInt8(ascii: "e"): webToken(bytes, at: index)
                default: nil
                }
            if let range, !range.isEmpty {
                found.append(range)
                index = range.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    /// The value after `name=`, `name%3D`, `name:` or `"name":`, or the user part after `://`.
    private static func valueAfterName(_ bytes: Span<UInt8>, at sign: Int) -> Range<Int>? {
        var start = sign + 1
        if bytes[sign] == UInt8(ascii: "%") {
            guard matches(bytes, at: sign, "%3d") else { return nil }
            start = sign + 3
        }
        if bytes[sign] == UInt8(ascii: ":"), matches(bytes, at: start, "//") {
            return userPart(bytes, from: start + 2)
        }
        var nameEnd = sign
        while nameEnd > 0, isQuoteOrSpace(bytes[nameEnd - 1]) { nameEnd -= 1 }
        var nameStart = nameEnd
        while nameStart > 0, isWordByte(bytes[nameStart - 1]), nameEnd - nameStart <= longestName { nameStart -= 1 }
        guard nameStart < nameEnd else { return nil }
        let name = word(bytes, nameStart..<nameEnd)
        guard names.contains(name) else { return nil }
        if bytes[sign] == UInt8(ascii: ":"), words.contains(name), isInProse(bytes, nameStart, nameEnd, sign) {
            return nil
        }
        if bytes[sign] == UInt8(ascii: ":"), nameEnd == sign, isFileName(bytes, nameStart, name),
            isOrdinaryWord(bytes, behind: sign)
        {
            return nil
        }
        while start < bytes.count, isQuoteOrSpace(bytes[start]) { start += 1 }
        if describesToken(bytes, at: start) { return nil }
        var end = start
        // A value of this header has a space in it: the scheme, then the secret.
        let endsAtSpace = name != "authorization"
        while end < bytes.count, !isDelimiter(bytes[end]) || (!endsAtSpace && bytes[end] == UInt8(ascii: " ")) {
            end += 1
        }
        return start..<end
    }

    /// Whether a word stands right before the name and a space right after the colon, as in "without a token: refused".
    private static func isInProse(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ sign: Int) -> Bool {
        start >= 2 && bytes[start - 1] == UInt8(ascii: " ") && isWordByte(bytes[start - 2])
            && bytes[start - 2] != UInt8(ascii: "-") && end == sign && sign + 1 < bytes.count
            && bytes[sign + 1] == UInt8(ascii: " ")
    }

    /// Whether the name ends that of a file, of which something is said: "/run/jwt: Permission denied", "--key
    /// /etc/passwd: the key cannot be used".
    private static func isFileName(_ bytes: Span<UInt8>, _ start: Int, _ name: String) -> Bool {
        name != "authorization" && start > 0
            && (bytes[start - 1] == UInt8(ascii: "/") || bytes[start - 1] == UInt8(ascii: "."))
    }

    /// Whether what stands behind the sign is a space and then a word of plain text: letters, small ones but the first,
    /// and not many of them. Secrets that look so are not to be told from words.
    private static func isOrdinaryWord(_ bytes: Span<UInt8>, behind sign: Int) -> Bool {
        let start = sign + 2
        guard start < bytes.count, bytes[sign + 1] == UInt8(ascii: " ") else { return false }
        var end = start
        while end < bytes.count, !isDelimiter(bytes[end]) { end += 1 }
        let small = UInt8(ascii: "a")...UInt8(ascii: "z")
        return (1...longestWord).contains(end - start) && small.contains(lowered(bytes[start]))
            && (start + 1..<end).allSatisfy { small.contains(bytes[$0]) }
    }

    /// `Permission` is ten.
    private static let longestWord = 12

    /// Whether it is not a token that stands there but how scenarios say what it is to be like: a mapping of YAML
    /// (`token: { expires: 2s }`), `none` or `nonsense`.
    private static func describesToken(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        for word in ["none", "nonsense"] {
            let end = start + word.utf8.count
            guard end <= bytes.count, end == bytes.count || isDelimiter(bytes[end]) else { continue }
            if zip(start..<end, word.utf8).allSatisfy({ bytes[$0] == $1 }) { return true }
        }
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "{") else { return false }
        return bytes[start + 1] == UInt8(ascii: " ") || bytes[start + 1] == UInt8(ascii: "}")
    }

    private static func valueAfterBearer(_ bytes: Span<UInt8>, at index: Int) -> Range<Int>? {
        guard index == 0 || !isWordByte(bytes[index - 1]), matches(bytes, at: index, "bearer") else { return nil }
        var start = index + 6
        guard start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "+") else {
            return nil
        }
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "+") { start += 1 }
        if isBearerInProse(bytes, at: index, before: start) { return nil }
        var end = start
        while end < bytes.count, !isDelimiter(bytes[end]) { end += 1 }
        return start..<end
    }

    /// Whether it is the word of plain sentences: "the bearer of a token", "a bearer token".
    private static func isBearerInProse(_ bytes: Span<UInt8>, at index: Int, before start: Int) -> Bool {
        for article in ["the ", "a "] {
            let from = index - article.utf8.count
            guard from >= 0, from == 0 || !isWordByte(bytes[from - 1]) else { continue }
            if zip(from..<index, article.utf8).allSatisfy({ lowered(bytes[$0]) == $1 }),
                isOrdinaryWord(bytes, behind: start - 2)
            {
                return true
            }
        }
        return false
    }

    /// Three parts in base64url with points between them, the first of which begins as `{"` does.
    private static func webToken(_ bytes: Span<UInt8>, at index: Int) -> Range<Int>? {
        guard index == 0 || !isWordByte(bytes[index - 1]), matches(bytes, at: index, "eyj") else { return nil }
        var end = index
        var points = 0
        while end < bytes.count, isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
            if bytes[end] == UInt8(ascii: ".") { points += 1 }
            end += 1
        }
        return points >= 2 ? index..<end : nil
    }

    private static func userPart(_ bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, !isDelimiter(bytes[end]), bytes[end] != UInt8(ascii: "/") {
            if bytes[end] == UInt8(ascii: "@") { return start..<end }
            end += 1
        }
        return nil
    }

    private static func matches(_ bytes: Span<UInt8>, at index: Int, _ lowercase: StaticString) -> Bool {
        let pattern = "\(lowercase)".utf8
        guard index + pattern.count <= bytes.count else { return false }
        return zip(index..., pattern).allSatisfy { position, byte in lowered(bytes[position]) == byte }
    }

    private static func word(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: range.map { lowered(bytes[$0]) }, as: UTF8.self)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static func isQuoteOrSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            || byte == UInt8(ascii: "\\")
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// What ends a value in a URL, a header, a YAML flow mapping, JSON, a shell command or prose.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ";"),
            UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}
