/// Lists of strings, and single strings, as structured fields write them (RFC 9651): quoted, with parameters that are
/// read past.
public enum StructuredStrings {
    /// The list as a field value. Characters that a string cannot hold are left out.
    public static func encode(_ strings: [String]) -> String {
        strings.map { text in
            var quoted = [UInt8(ascii: "\"")]
            for byte in text.utf8 where (0x20...0x7E).contains(byte) {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
                quoted.append(byte)
            }
            quoted.append(UInt8(ascii: "\""))
            return String(decoding: quoted, as: UTF8.self)
        }
        .joined(separator: ", ")
    }

    /// The strings of a list, or nil when the value is no list of strings. An empty value is an empty list.
    public static func decodeList(_ value: String) -> [String]? {
        var cursor = Cursor(value)
        var strings: [String] = []
        cursor.skip(" ")
        if cursor.isAtEnd { return [] }
        while true {
            guard strings.count < HTTP3Limits.protocols, let text = cursor.string(), cursor.skipParameters() else {
                return nil
            }
            strings.append(text)
            cursor.skip(" \t")
            if cursor.isAtEnd { return strings }
            guard cursor.take(",") else { return nil }
            cursor.skip(" \t")
        }
    }

    /// The string of an item, or nil when the value is none.
    public static func decodeItem(_ value: String) -> String? {
        var cursor = Cursor(value)
        cursor.skip(" ")
        guard let text = cursor.string(), cursor.skipParameters() else { return nil }
        cursor.skip(" ")
        return cursor.isAtEnd ? text : nil
    }

    private struct Cursor {
        private let bytes: [UInt8]
        private var position = 0

        init(_ text: String) {
            bytes = Array(text.utf8)
        }

        var isAtEnd: Bool { position == bytes.count }

        private var current: UInt8? { isAtEnd ? nil : bytes[position] }

        mutating func skip(_ characters: StaticString) {
            let set = Array(characters.description.utf8)
            while let current, set.contains(current) { position += 1 }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard current == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        /// A quoted string.
        mutating func string() -> String? {
            guard take("\"") else { return nil }
            var text: [UInt8] = []
            while let byte = current, text.count <= HTTP3Limits.protocolName {
                position += 1
                switch byte {
                case UInt8(ascii: "\""):
                    return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = current, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                        return nil
                    }
                    text.append(escaped)
                    position += 1
                case 0x20...0x7E:
                    text.append(byte)
                default:
                    return nil
                }
            }
            return nil
        }

        /// Reads past `;key=value` as often as it comes; false when that is malformed.
        mutating func skipParameters() -> Bool {
            while take(";") {
                skip(" ")
                guard word() else { return false }
                if take("=") {
                    let isValue = current == UInt8(ascii: "\"") ? string() != nil : word()
                    guard isValue else { return false }
                }
            }
            return true
        }

        /// A key, token, number or the like.
        private mutating func word() -> Bool {
            let start = position
            while let byte = current, byte > 0x20, byte < 0x7F, !Array(";,=\"".utf8).contains(byte) { position += 1 }
            return position > start
        }
    }
}
