/// The name of a track: a string that nothing normalises. Two names are equal when their bytes are.
public struct TrackName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it is on the wire.
    public let text: String

    /// Takes the name as it is.
    public init(_ text: String) {
        self.text = text
    }

    /// Takes the literal as it is.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    public var description: String { text }

    // Swift's String compares by canonical equivalence; names on the wire are bytes.
    public static func == (left: TrackName, right: TrackName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: TrackName, right: TrackName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }
}
