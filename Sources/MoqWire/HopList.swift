/// The way an announcement took, oldest hop first: the publisher's id, then each relay's. At most 32 entries.
///
/// 03 has only the number of hops: they read as that many ids of 0, which means unknown. From 05 on the sender's own
/// id is not in the list (`Version.hopsIncludeSender`).
public struct HopList: Hashable, Sendable, CustomStringConvertible {
    /// The ids, each below 2^62; 0 is unknown.
    public let ids: [UInt64]

    /// The list of a first-hand publisher.
    public static let empty = HopList(unchecked: [])

    /// Throws `tooMany` for more than 32 ids.
    public init(_ ids: [UInt64]) throws(WireError) {
        guard ids.count <= WireLimits.hops else {
            throw .tooMany(WireField("HOPS", "count"), count: UInt64(ids.count), limit: WireLimits.hops)
        }
        self.init(unchecked: ids)
    }

    private init(unchecked ids: [UInt64]) {
        self.ids = ids
    }

    /// How many hops there are.
    public var count: Int { ids.count }

    /// Whether `id` is in the list. An unknown id (0) never is.
    public func contains(_ id: UInt64) -> Bool { id != 0 && ids.contains(id) }

    /// The list with `id` as its newest hop, or nil when it is full.
    public func appending(_ id: UInt64) -> HopList? {
        count < WireLimits.hops ? HopList(unchecked: ids + [id]) : nil
    }

    /// An id that is not 0 and occurs twice, if there is one: 06 forbids it.
    public var repeatedID: UInt64? {
        let sorted = ids.filter { $0 != 0 }.sorted()
        return zip(sorted, sorted.dropFirst()).first { $0 == $1 }?.0
    }

    public var description: String { "[\(ids.map(String.init).joined(separator: ", "))]" }
}
