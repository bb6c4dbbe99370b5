import MoqLite
import MoqTransport
import MoqWire

// Faults that show only where the views of several sessions are held against each other.
extension RelayFault {
    static let viewFaults = [publisherNotTold, takeoverUntold, endLostAfterTakeover, secondViewerStale]

    static let publisherNotTold = RelayFault(
        "publisher-not-told", "A session that publishes is not told what others begin to publish.",
        breaks: ["announce.views-agree", "announce.active-to-watchers"], in: "views", by: .core)

    static let takeoverUntold = RelayFault(
        "takeover-untold", "Watchers are not told that other content has taken a path.",
        breaks: ["announce.views-agree", "announce.order-kept", "announce.other-first-hop"], in: "views",
        versions: .lite04 ... .lite06, by: .core)

    static let endLostAfterTakeover = RelayFault(
        "end-lost-after-takeover", "The end of a path that had been taken over is not told.",
        breaks: ["announce.views-agree", "announce.end-on-withdrawal"], in: "views", by: .core)

    static let secondViewerStale = RelayFault(
        "second-viewer-stale", "A group is sent to the first of its viewers; for the others its stream stays empty.",
        breaks: ["catalog.views-agree", "catalog.newest-wins"], in: "views",
        by: .wire { act, stream in
            guard stream.isGroup else { return [act] }
            if case .write = act, stream.writes == 0, stream.memory.count("group \(stream.place)") > 1 {
                stream.held.append(act)
            }
            return stream.held.isEmpty ? [act] : []
        })
}
