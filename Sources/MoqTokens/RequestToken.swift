/// The token of a session, where it travels: the query item `jwt` of the request path.
public enum RequestToken {
    /// The path in front of the query.
    public static func path(of request: String) -> String {
        String(decoding: request.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    /// The token: the last item `jwt` that is not empty. Nil when there is none.
    public static func token(of request: String) -> String? {
        guard let start = request.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = request.utf8[start...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
        var found: String?
        for item in query.split(separator: UInt8(ascii: "&")) {
            let sign = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            guard decoded(item[..<sign]) == "jwt" else { continue }
            let value = decoded(item[sign...].dropFirst())
            if !value.isEmpty { found = value }
        }
        return found
    }

    /// Whether there is an item `jwt` at all, be it empty.
    public static func names(_ request: String) -> Bool {
        let query = request.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst().prefix { $0 != UInt8(ascii: "#") }
        return query.split(separator: UInt8(ascii: "&")).contains { item in
            decoded(item.prefix { $0 != UInt8(ascii: "=") }) == "jwt"
        }
    }

    /// The request path with a token in place of those that it has; without any where the token is nil.
    public static func request(_ request: String, with token: String?) -> String {
        let start = request.utf8.firstIndex(of: UInt8(ascii: "?")) ?? request.utf8.endIndex
        var items = request.utf8[start...].dropFirst().split(separator: UInt8(ascii: "&")).filter { item in
            decoded(item.prefix { $0 != UInt8(ascii: "=") }) != "jwt"
        }.map { String(decoding: $0, as: UTF8.self) }
        if let token { items.append("jwt=\(encoded(token))") }
        let path = String(decoding: request.utf8[..<start], as: UTF8.self)
        return items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    }

    /// The request path with a token behind those that it has, which then count for nothing.
    public static func request(_ request: String, adding token: String) -> String {
        request + (request.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "jwt=\(encoded(token))"
    }

    /// A form's value (application/x-www-form-urlencoded): `+` is a space, `%XX` a byte.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let code = hexadecimal(rest.prefix(2)) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt8? {
        let text = String(decoding: digits, as: UTF8.self)
        guard text.utf8.count == 2, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            return nil
        }
        return UInt8(text, radix: 16)
    }

    /// Tokens have only characters that need no escape; what is none keeps its bytes all the same.
    private static func encoded(_ token: String) -> String {
        var result = ""
        for byte in token.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
