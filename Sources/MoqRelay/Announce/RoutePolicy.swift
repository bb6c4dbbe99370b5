import MoqBase
import MoqWire

/// The way to a broadcast through one session, as the relay knows it.
struct Route: Hashable {
    /// The hops from the publisher to the session's peer, that peer included, ours not.
    var hops: HopList
    /// The cost to the relay: what was received and the price of the link.
    var cost: RouteCost
}

/// Whose content a route leads to.
enum ContentIdentity: Hashable {
    /// The publisher with this id, over whichever session.
    case publisher(UInt64)
    /// A publisher that names no id: only its own announcement leads to it.
    case announcement(UInt64)
}

/// The rules of routes, each a function of what it is given.
enum RoutePolicy {
    /// The route of a received announcement, whose hops end with the peer; nil when it is a loop and must be ignored.
    static func received(_ hops: HopList, cost: RouteCost, ownHop: UInt64, linkPrice: UInt64) -> Route? {
        guard !hops.contains(ownHop) else { return nil }
        return Route(hops: hops, cost: RouteCost(warm: sum(cost.warm, linkPrice), cold: sum(cost.cold, linkPrice)))
    }

    /// The sum of two costs; it stays at the greatest that can be written.
    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? VarInt.maximum : min(sum, VarInt.maximum)
    }

    /// Whose content a route leads to: the first hop says, unless it is unknown.
    static func identity(_ hops: HopList, number: UInt64) -> ContentIdentity {
        guard let first = hops.ids.first, first != 0 else { return .announcement(number) }
        return .publisher(first)
    }

    /// Whether the left of two sources of the same content is preferred: lower cost, fewer hops, newer.
    static func isBetter(_ left: (route: Route, number: UInt64), _ right: (route: Route, number: UInt64)) -> Bool {
        if left.route.cost.warm != right.route.cost.warm { return left.route.cost.warm < right.route.cost.warm }
        if left.route.hops.count != right.route.hops.count { return left.route.hops.count < right.route.hops.count }
        return left.number > right.number
    }

    /// Whether a route may be shown to a watcher of `version` that excludes `hop`: not what it passed on itself, and
    /// not what leaves no room in the list for us where we have to be in it. Up to 03 there are no ids, so the session decides.
    static func isVisible(_ route: Route, to version: Version, excluding hop: UInt64, isOwnSession: Bool) -> Bool {
        if !version.hasHopIDs && isOwnSession { return false }
        if route.hops.contains(hop) { return false }
        // From 05 on we are not in the list that we send: one of 32 is passed on (0.4.18, observed).
        return route.hops.count < WireLimits.hops || !version.hopsIncludeSender && route.hops.count == WireLimits.hops
    }

    /// Whether an announcement without a known publisher is our own coming back: the path is being shown to the very
    /// session that announces it. It waits until that is over.
    static func isReflection(_ identity: ContentIdentity, isShownToAnnouncer: Bool) -> Bool {
        if case .announcement = identity { return isShownToAnnouncer }
        return false
    }
}
