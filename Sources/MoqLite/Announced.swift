import MoqWire

/// A broadcast that is there, and the way to it.
public struct Announced: Hashable, Sendable {
    /// The full path below the session's root (not relative to a requested prefix).
    public var path: BroadcastPath
    /// The hops from the publisher on. In events the announcing peer is the last one; in commands this side is not in
    /// it, and the engine adds it where the version wants it. On 03 all ids read as 0,
    /// and on 01 and 02, which have no hops, there is one.
    public var hops: HopList
    /// What the route costs; carried by 06 and later, and 0 elsewhere.
    public var cost: RouteCost
    /// Which instance of the publisher it is; carried by 07 only.
    public var epoch: Epoch?

    /// A broadcast of its parts.
    public init(
        path: BroadcastPath, hops: HopList = .empty, cost: RouteCost = RouteCost(), epoch: Epoch? = nil
    ) {
        self.epoch = epoch
        self.path = path
        self.hops = hops
        self.cost = cost
    }
}
