/// What a route costs (06): `warm` while the broadcast flows to the announcer anyway, `cold` when it must be fetched.
/// Each 0 to 2^62 - 1; sums saturate there. 07 carries one cost, which stands for both.
public struct RouteCost: Hashable, Sendable {
    /// The cost while the broadcast flows anyway.
    public var warm: UInt64
    /// The cost while it must be fetched first.
    public var cold: UInt64

    /// A cost of its parts.
    public init(warm: UInt64 = 0, cold: UInt64 = 0) {
        self.warm = warm
        self.cold = cold
    }
}

extension BodyReader {
    mutating func cost(version: Version) throws(WireError) -> RouteCost {
        let warm = try varint("warm cost")
        return RouteCost(warm: warm, cold: version.hasColdCost ? try varint("cold cost") : warm)
    }
}

extension BodyWriter {
    mutating func cost(_ cost: RouteCost, version: Version) throws(WireError) {
        try varint(cost.warm, "warm cost")
        if version.hasColdCost { try varint(cost.cold, "cold cost") }
    }
}
