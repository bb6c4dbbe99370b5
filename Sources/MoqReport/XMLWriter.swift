/// Writes an XML 1.0 document piece by piece.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var depth = 0

    /// Writes an element with other elements in it; without any it closes itself.
    mutating func element(
        _ name: String, _ attributes: [(String, String?)] = [], _ body: (inout XMLWriter) -> Void = { _ in }
    ) {
        open(name, attributes)
        let start = text.utf8.count
        text += ">\n"
        let filled = text.utf8.count
        depth += 1
        body(&self)
        depth -= 1
        if text.utf8.count == filled {
            text.removeLast(filled - start)
            text += "/>\n"
        } else {
            indent()
            text += "</\(name)>\n"
        }
    }

    /// Writes an element with text in it. The text stands as it is, without white space around it.
    mutating func element(_ name: String, _ attributes: [(String, String?)] = [], text content: String) {
        open(name, attributes)
        text += content.isEmpty ? "/>\n" : ">\(Self.escaped(content))</\(name)>\n"
    }

    private mutating func open(_ name: String, _ attributes: [(String, String?)]) {
        indent()
        text += "<\(name)"
        for case (let attribute, let value?) in attributes {
            text += " \(attribute)=\"\(Self.escaped(value, inAttribute: true))\""
        }
    }

    private mutating func indent() {
        text += String(repeating: "  ", count: depth)
    }

    /// The text with what has a meaning in XML escaped, and what XML 1.0 cannot hold (control characters, U+FFFE,
    /// U+FFFF) replaced by U+FFFD. In an attribute line ends and tabs are escaped too: a parser would make them spaces.
    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where inAttribute: result += "&quot;"
            case "\n" where inAttribute: result += "&#10;"
            case "\t" where inAttribute: result += "&#9;"
            case "\r": result += "&#13;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    /// Whether XML 1.0 can hold it and recommends it: C1 control characters are legal and break consumers.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        case let value: value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
        }
    }
}
