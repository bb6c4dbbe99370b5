import MoqLite
import MoqTransport
import MoqWire

// Faults of hops, costs, routes and paths, and of how publishers come and go.
extension RelayFault {
    static let hopFaults = [
        loopPassedOn, hopsForgotten, hopsReversed, exclusionIgnored, costIgnored, newestRoute, oldestRoute,
        takeoverByRoute, contentBySession, unknownIsSomebody, firstPublisherStays, streamEndIgnored,
        withdrawalLingers, lingerForgotten, replayDisordered, watcherKept, rootForgotten,
    ]

    static let loopPassedOn = RelayFault(
        "loop-passed-on", "What has been through the relay before is announced on.",
        breaks: ["hop.own-discarded", "hop.no-loop"], in: "hops", versions: .lite04 ... .lite06,
        by: .events { event, scene in
            let own = scene.core.configuration.hopID
            return event.withHops { ids in ids.filter { $0 != own } }
        })

    static let hopsForgotten = RelayFault(
        "hops-forgotten", "Of the hops of an announcement only the last is passed on.",
        breaks: ["hop.oldest-first", "announce.hops", "announce.same-first-hop"], in: "hops",
        versions: .lite03 ... .lite06, by: .events { event, _ in event.withHops { $0.suffix(1) } })

    static let hopsReversed = RelayFault(
        "hops-reversed", "Hops are told with the newest first.",
        breaks: ["hop.oldest-first", "announce.same-first-hop"], in: "hops", versions: .lite04 ... .lite06,
        by: .events { event, _ in event.withHops { $0.reversed() } })

    static let exclusionIgnored = RelayFault(
        "exclusion-ignored", "Watchers are told of routes through the hop that they leave out.",
        breaks: ["hop.excluded", "hop.not-to-origin", "hop.next-best-route", "announce.own-left-out"], in: "hops",
        versions: .lite04 ... .lite06, by: .core)

    static let costIgnored = RelayFault(
        "cost-ignored", "Every route costs the same.",
        breaks: ["announce.cost", "hop.cheapest-first", "hop.cost-saturates"], in: "routes",
        versions: .lite06 ... .lite06,
        by: .events { event, _ in
            guard case .announced(let id, var announced, let isUpdate) = event else { return [event] }
            announced.cost = RouteCost()
            return [.announced(id, announced, isUpdate: isUpdate)]
        })

    static let newestRoute = RelayFault(
        "newest-route", "Of several routes to the same content the newest is used, whatever it costs.",
        breaks: ["hop.cheapest-first", "hop.shortest-first", "hop.second-joins"], in: "routes",
        versions: .lite04 ... .lite06, by: .core)

    static let oldestRoute = RelayFault(
        "oldest-route", "Of several routes to the same content the oldest is used for as long as it stands.",
        breaks: ["hop.cheapest-first", "hop.shortest-first", "hop.continues"], in: "routes",
        versions: .lite04 ... .lite06, by: .core)

    static let takeoverByRoute = RelayFault(
        "takeover-by-route", "A publisher that changes its route takes the path anew.",
        breaks: ["hop.no-takeover-by-route", "announce.update", "announce.same-first-hop"], in: "routes",
        versions: .lite05 ... .lite06, by: .core)

    static let contentBySession = RelayFault(
        "content-by-session", "What two sessions announce is never the same content.",
        breaks: ["hop.second-joins", "hop.continues", "hop.one-of-two-leaves", "announce.same-first-hop"],
        in: "routes", versions: .lite04 ... .lite06, by: .core)

    static let unknownIsSomebody = RelayFault(
        "unknown-is-somebody", "Publishers without a hop are taken for one and the same.",
        breaks: ["hop.zero-is-other-content", "hop.zero", "hop.unknown-in-ring", "relay.takeover"], in: "routes",
        by: .core)

    static let firstPublisherStays = RelayFault(
        "first-publisher-stays",
        "Of several publishers with different content the first is served for as long as it stays.",
        breaks: ["relay.takeover", "announce.other-first-hop", "hop.zero-is-other-content"], in: "announce", by: .core)

    static let streamEndIgnored = RelayFault(
        "stream-end-ignored", "A publisher that ends its announcements keeps them.",
        breaks: ["announce.end-of-stream", "announce.reset-withdraws"], in: "announce",
        by: .events { event, _ in
            if case .announcementsEnded = event { [] } else { [event] }
        })

    static let withdrawalLingers = RelayFault(
        "withdrawal-lingers", "A broadcast that was withdrawn is kept like one whose publisher was lost.",
        breaks: ["announce.end-not-delayed"], in: "announce.leaving", by: .core)

    static let lingerForgotten = RelayFault(
        "linger-forgotten", "The broadcasts of a lost publisher are over at once, however long they are to be kept.",
        breaks: ["announce.linger", "announce.return-in-time"], in: "announce.leaving",
        by: .configuration { $0.linger = .zero })

    static let replayDisordered = RelayFault(
        "replay-disordered", "What is live is told backwards.",
        breaks: ["announce.replay-order"], in: "announce.watching", versions: .lite03 ... .lite06, by: .core)

    static let watcherKept = RelayFault(
        "watcher-kept", "The answer to a watcher that leaves is never ended.",
        breaks: ["announce.watcher-leaves"], in: "announce.watching",
        by: .wire { act, stream in
            guard stream.kind == .answer(.announce) else { return [act] }
            switch act {
            case .finish, .reset: return []
            default: return [act]
            }
        })

    static let rootForgotten = RelayFault(
        "root-forgotten", "Every session sees and publishes as if it were at the root of what is open.",
        breaks: ["path.relative", "path.two-views", "path.scope", "path.from-url"], in: "paths", by: .core)
}

extension LiteEvent {
    /// The same announcement with other hops, and any other event as it is. A list that cannot be is left out.
    fileprivate func withHops(_ change: ([UInt64]) -> some Sequence<UInt64>) -> [LiteEvent] {
        guard case .announced(let id, var announced, let isUpdate) = self else { return [self] }
        guard let hops = try? HopList(Array(change(announced.hops.ids))) else { return [] }
        announced.hops = hops
        return [.announced(id, announced, isUpdate: isUpdate)]
    }
}
