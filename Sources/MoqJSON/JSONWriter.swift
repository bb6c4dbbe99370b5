import MoqBase

/// Writes a JSON document piece by piece, members in the order in which they are given.
///
/// Strings come out as UTF-8 with only what RFC 8259 demands escaped, so a compact document never holds a line feed.
public struct JSONWriter {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private let indented: Bool
    private var depth = 0
    private var isFirst = true
    private var followsName = false

    /// A writer of one line, or of indented lines for people.
    public init(indented: Bool = false) {
        self.indented = indented
        bytes.reserveCapacity(256)
    }

    /// Writes an object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array; `body` writes its elements.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes the name of a member; its value must follow.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if indented { bytes.append(UInt8(ascii: " ")) }
        followsName = true
    }

    /// Writes a string.
    public mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes an integer.
    public mutating func value(_ number: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Writes a number in the shortest form that reads back as it is; one that is infinite, or none, becomes `null`.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: number.description.utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a duration as a number of seconds with six decimals.
    public mutating func value(seconds duration: Duration) {
        separate()
        bytes.append(contentsOf: duration.secondsText(decimals: 6).utf8)
    }

    /// Writes a member that is a string.
    public mutating func member(_ name: String, _ text: String) {
        self.name(name)
        value(text)
    }

    /// Writes a member that is a string, unless it is nil.
    public mutating func member(_ name: String, _ text: String?) {
        if let text { member(name, text) }
    }

    /// Writes a member that is an integer.
    public mutating func member(_ name: String, _ number: some BinaryInteger) {
        self.name(name)
        value(number)
    }

    /// Writes a member that is an array of strings.
    public mutating func member(_ name: String, _ texts: [String]) {
        self.name(name)
        array { writer in
            for text in texts { writer.value(text) }
        }
    }

    private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        isFirst = true
        depth += 1
        body(&self)
        depth -= 1
        if !isFirst { breakLine() }
        bytes.append(close)
        isFirst = false
    }

    private mutating func separate() {
        if followsName {
            followsName = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        guard indented else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes.append(contentsOf: [0x20, 0x20]) }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(contentsOf: Array(Hexadecimal.encode([byte]).utf8))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Duration {
    /// The duration in seconds with this many decimals (0 to 9), cut, never rounded up.
    public func secondsText(decimals: Int) -> String {
        let total = wholeNanoseconds
        let magnitude = total.magnitude
        let sign = total < 0 ? "-" : ""
        let kept = min(max(decimals, 0), 9)
        guard kept > 0 else { return "\(sign)\(magnitude / 1_000_000_000)" }
        let fraction = String(magnitude % 1_000_000_000)
        let padded = String(repeating: "0", count: 9 - fraction.count) + fraction
        return "\(sign)\(magnitude / 1_000_000_000).\(padded.prefix(kept))"
    }
}
