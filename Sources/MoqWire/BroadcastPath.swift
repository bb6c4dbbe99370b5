/// The path of a broadcast, or a prefix or suffix of one: parts joined by single slashes.
///
/// Slashes in front and behind are dropped and runs of them collapse; nothing else is changed (no dots, no case, no
/// percent signs). The empty path is legal: a prefix of everything, and a name. Two paths are equal when their bytes
/// are. At most 32 parts (`WireLimits.pathParts`).
public struct BroadcastPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The normalised text: `room/alice`.
    public let text: String
    /// How many parts it has, 0 to 32.
    public let partCount: Int

    /// The path without parts.
    public static let empty = BroadcastPath(normalised: "", partCount: 0)

    /// Normalises `text`; throws `tooMany` for more than 32 parts.
    public init(_ text: some StringProtocol) throws(WireError) {
        let parts = Self.parts(of: String(text))
        guard parts.count <= WireLimits.pathParts else {
            throw .tooMany(WireField("PATH", "parts"), count: UInt64(parts.count), limit: WireLimits.pathParts)
        }
        self.init(normalised: parts.joined(separator: "/"), partCount: parts.count)
    }

    private init(normalised text: String, partCount: Int) {
        self.text = text
        self.partCount = partCount
    }

    // Split at the byte level: a combining mark behind a slash must not hide the slash.
    private static func parts(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? String(decoding: $0, as: UTF8.self) }
    }

    /// The parts, in order; none is empty.
    public var parts: [String] { Self.parts(of: text) }

    /// Whether this is the path without parts.
    public var isEmpty: Bool { partCount == 0 }

    /// Whether this path is `path` or a whole-part beginning of it: `foo` of `foo/bar`, not of `foobar`.
    public func isPrefix(of path: BroadcastPath) -> Bool {
        guard !isEmpty else { return true }
        guard path.text.utf8.starts(with: text.utf8) else { return false }
        let next = path.text.utf8.dropFirst(text.utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }

    /// What is left of this path behind `prefix`; empty when they are equal, nil when `prefix` is no prefix of it.
    public func suffix(after prefix: BroadcastPath) -> BroadcastPath? {
        guard prefix.isPrefix(of: self) else { return nil }
        guard !prefix.isEmpty else { return self }
        let rest = text.utf8.dropFirst(prefix.text.utf8.count + 1)
        return BroadcastPath(normalised: String(decoding: rest, as: UTF8.self), partCount: partCount - prefix.partCount)
    }

    /// This path with `suffix` behind it, or nil when that has more than 32 parts.
    public func appending(_ suffix: BroadcastPath) -> BroadcastPath? {
        if suffix.isEmpty { return self }
        if isEmpty { return suffix }
        guard partCount + suffix.partCount <= WireLimits.pathParts else { return nil }
        return BroadcastPath(normalised: "\(text)/\(suffix.text)", partCount: partCount + suffix.partCount)
    }

    public var description: String { text }

    // Swift's String compares by canonical equivalence; names on the wire are bytes.
    public static func == (left: BroadcastPath, right: BroadcastPath) -> Bool {
        // Texts that differ as strings have other bytes; of those that do not, few are not written alike.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: BroadcastPath, right: BroadcastPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        // Strings that are the same to Swift have one hash, and those of the same bytes are.
        hasher.combine(text)
    }
}
