/// What an announcement of 07 borrows from an earlier one of its stream.
///
/// `base` counts back from the number that the next START will take: 1 is the latest START; 0 borrows nothing.
public struct RouteLoan: Hashable, Sendable {
    /// How far back the lender is, 0 for none.
    public var base: UInt64
    /// How much is copied: leading parts of its path, or trailing hops of its list.
    public var keep: UInt64

    /// A loan of its parts.
    public init(base: UInt64, keep: UInt64) {
        self.base = base
        self.keep = keep
    }

    /// Nothing is borrowed.
    public static let none = RouteLoan(base: 0, keep: 0)

    /// Whether nothing is borrowed.
    public var isNone: Bool { self == .none }
}

/// An announcement of 07 with borrowed parts: what it is once the parts are put in can be said only by who remembers
/// the stream (`resolved`). Writers need not borrow, and this house's do not.
public struct BorrowedRoute: Hashable, Sendable {
    /// What the announcement is, with the parts of its own: the rest of a path, the first hops of a list.
    public enum Own: Hashable, Sendable {
        /// A route is there; the path is what follows the borrowed parts.
        case start(BroadcastPath, epoch: Epoch?)
        /// The route with this number changed.
        case update(id: UInt64)
        /// Another instance of the publisher is behind the route with this number.
        case restart(id: UInt64, epoch: Epoch?)
    }

    /// The announcement without what it borrows.
    public var own: Own
    /// Where its path begins; none but for a start.
    public var path: RouteLoan
    /// Its own hops, which come first.
    public var hops: HopList
    /// Where its hops end.
    public var hopLoan: RouteLoan
    /// Its cost.
    public var cost: RouteCost

    /// An announcement of its parts.
    public init(own: Own, path: RouteLoan, hops: HopList, hopLoan: RouteLoan, cost: RouteCost) {
        self.own = own
        self.path = path
        self.hops = hops
        self.hopLoan = hopLoan
        self.cost = cost
    }

    /// The whole announcement. `lender` gives path and hops of a live announcement by its number; `next` is the number
    /// that the next START takes. Throws when a lender is not live or has less than is borrowed, and when the result
    /// is too long.
    public func resolved(
        next: UInt64, lender: (UInt64) -> (path: BroadcastPath, hops: HopList)?
    ) throws(WireError) -> Announcement {
        func find(_ loan: RouteLoan, _ name: String) throws(WireError) -> (path: BroadcastPath, hops: HopList)? {
            guard loan.base > 0 else {
                guard loan.keep == 0 else {
                    throw .illegal(WireField("ANNOUNCE", "\(name) keep"), value: loan.keep, rule: "0 without a base")
                }
                return nil
            }
            guard loan.base <= next, let found = lender(next - loan.base) else {
                throw .illegal(
                    WireField("ANNOUNCE", "\(name) base"), value: loan.base, rule: "an announcement that is live")
            }
            return found
        }
        var full = hops
        if let lender = try find(hopLoan, "hops") {
            guard hopLoan.keep <= UInt64(lender.hops.count) else {
                throw .tooMany(WireField("ANNOUNCE", "hops kept"), count: hopLoan.keep, limit: lender.hops.count)
            }
            full = try HopList(hops.ids + lender.hops.ids.suffix(Int(hopLoan.keep)))
        }
        if let id = full.repeatedID { throw .repeated(WireField("ANNOUNCE", "hops"), value: id) }
        switch own {
        case .start(let rest, let epoch):
            var suffix = rest
            if let lender = try find(path, "path") {
                guard path.keep <= UInt64(lender.path.partCount) else {
                    throw .tooMany(WireField("ANNOUNCE", "path kept"), count: path.keep, limit: lender.path.partCount)
                }
                let kept = lender.path.parts.prefix(Int(path.keep)).joined(separator: "/")
                suffix = try BroadcastPath(rest.isEmpty ? kept : "\(kept)/\(rest)")
            }
            return .start(suffix, hops: full, cost: cost, epoch: epoch)
        case .update(let id): return .update(id: id, hops: full, cost: cost)
        case .restart(let id, let epoch): return .instance(id: id, hops: full, cost: cost, epoch: epoch)
        }
    }
}
