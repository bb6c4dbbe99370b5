/// A reference from a rendition to the broadcast that has its track (`broadcast`, since 0.20.0).
public struct BroadcastReference: Equatable, Sendable, CustomStringConvertible {
    /// The reference without empty parts and parts that say nothing; a lone `.` stays, which is not the same as nothing.
    public let text: String

    /// Takes what a catalog says.
    public init(_ text: String) {
        let parts = Self.parts(text)
        let kept = parts.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
        self.text = kept.isEmpty && parts.contains(".") ? "." : kept
    }

    /// The path that is meant, seen from the broadcast with the catalog: as a relative URL is resolved (since 0.20.5),
    /// the reference takes the place of the last part, and each `..` of one more. Nil when it leaves the root; the
    /// rendition is then ignored. An empty reference is the broadcast itself.
    public func resolved(against base: String) -> String? {
        guard !text.isEmpty else { return base }
        var parts = Self.parts(base).filter { !$0.isEmpty }
        _ = parts.popLast()
        for part in Self.parts(text) where part != "." {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.joined(separator: "/")
    }

    public var description: String { text }

    private static func parts(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension Catalog {
    /// The path of the broadcast that has a rendition's track, when the catalog came from the broadcast at `base`; nil
    /// when the reference leaves the root.
    public static func broadcast(of reference: String?, at base: String) -> String? {
        guard let reference else { return base }
        return BroadcastReference(reference).resolved(against: base)
    }

    /// The names of the renditions whose reference leaves the root, seen from the broadcast at `base`. For the consumer
    /// of 0.4.18 one of them makes the catalog an error that ends its stream; 0.3.19 does not look.
    public func renditionsLeavingRoot(from base: String) -> [String] {
        let references =
            (video?.renditions ?? []).map { ($0.name, $0.broadcast) }
            + (audio?.renditions ?? []).map { ($0.name, $0.broadcast) }
        return references.filter { Self.broadcast(of: $0.1, at: base) == nil }.map(\.0)
    }
}
