import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of routes: hops and costs, several publishers of one path, and publishers that leave.
extension RelayFault {
    static let routeFaults = [
        hopsLost, costNotAdded, routeChangeHidden, takeoverRefused, loserForgotten, endOnDisconnectMissing, lossLate,
        endOfAnother, secondWatcherIgnored, emptySuffixLost, pathFolded,
    ]

    static let hopsLost = RelayFault(
        "hops-lost", "The hops that a broadcast passed are not passed on.",
        breaks: ["announce.hops", "hop.oldest-first", "hop.count"], in: "announce", versions: .lite04 ... .lite06,
        by: .events { event, _ in
            guard case .announced(let id, var announced, let isUpdate) = event else { return [event] }
            announced.hops = .empty
            return [.announced(id, announced, isUpdate: isUpdate)]
        })

    static let costNotAdded = RelayFault(
        "cost-not-added", "The price of the link is not added to the cost of a route.",
        breaks: ["announce.cost"], in: "announce", versions: .lite06 ... .lite06, by: .core)

    static let routeChangeHidden = RelayFault(
        "route-change-hidden", "Watchers are not told of another route to what they know.",
        breaks: ["announce.update"], in: "announce", versions: .lite05 ... .lite06,
        by: .events { event, _ in
            if case .announced(_, _, isUpdate: true) = event { [] } else { [event] }
        })

    static let takeoverRefused = RelayFault(
        "takeover-refused", "The oldest of several publishers of a path keeps it.",
        breaks: ["relay.takeover", "announce.several-publishers"], in: "announce", by: .core)

    static let loserForgotten = RelayFault(
        "loser-forgotten", "A publisher whose path another one took is forgotten, and not served again.",
        breaks: ["relay.fallback", "announce.several-publishers"], in: "announce", by: .core)

    static let endOnDisconnectMissing = RelayFault(
        "end-on-disconnect-missing", "What a session announced stays announced when it is gone.",
        breaks: ["announce.end-on-disconnect", "close.nothing-left"], in: "announce", by: .core)

    static let lossLate = RelayFault(
        "loss-noticed-late", "That a publisher was lost, in whatever way, is told after 20 s.",
        breaks: ["announce.end-on-disconnect", "errors.dropped.session-loss", "errors.loss-prompt"],
        in: "producer-drop",
        by: .events { event, scene in
            var isLoss = event.end == .sessionClosed
            if case .closed = event { isLoss = true }
            guard isLoss else { return [event] }
            scene.hold(event, for: .seconds(20))
            return []
        })

    static let endOfAnother = RelayFault(
        "end-of-another", "The end of a broadcast names one that there is not.",
        breaks: ["announce.known-end", "announce.ids", "announce.end-on-withdrawal"], in: "announce",
        by: .wire { act, stream in
            guard stream.kind == .answer(.announce), case .write(let bytes) = act else { return [act] }
            let changed = stream.announcements(in: bytes) { announcement in
                switch announcement {
                case .end(let id): return [.end(id: id + 1000)]
                case .ended: return ((try? BroadcastPath("no-such")).map { [.ended($0)] }) ?? []
                default: return [announcement]
                }
            }
            return [.write(changed)]
        })

    static let secondWatcherIgnored = RelayFault(
        "second-watcher-ignored", "Of several requests for announcements on one session only the first is answered.",
        breaks: ["announce.several-requests"], in: "announce",
        by: .events { event, scene in
            guard case .announceRequested = event else { return [event] }
            return scene.count("watchers") > 1 ? [] : [event]
        })

    static let emptySuffixLost = RelayFault(
        "empty-suffix-lost", "A broadcast at exactly the prefix that was asked for is not told of.",
        breaks: ["announce.empty-suffix", "announce.prefix-match"], in: "announce", by: .core)

    static let pathFolded = RelayFault(
        "path-folded", "Paths are written in small letters.",
        breaks: ["path.untouched"], in: "announce",
        by: .events { event, _ in
            guard case .announced(let id, var announced, let isUpdate) = event,
                let path = try? BroadcastPath(announced.path.text.lowercased())
            else { return [event] }
            announced.path = path
            return [.announced(id, announced, isUpdate: isUpdate)]
        })
}
