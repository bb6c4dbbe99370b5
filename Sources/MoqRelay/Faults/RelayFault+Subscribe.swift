import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of subscriptions: what is asked upstream, what is answered, and which groups are served.
extension RelayFault {
    static let subscribeFaults = [
        lateJoinerMissed, upstreamKept, upstreamPerViewer, updateIgnored,
    ]

    static let lateJoinerMissed = RelayFault(
        "late-joiner-missed", "A late subscriber gets nothing of the newest group, and waits for the next one.",
        breaks: ["subscribe.latest-group"], in: "subscribe", by: .core)

    static let upstreamKept = RelayFault(
        "upstream-kept", "The subscription upstream stays when the last viewer has left.",
        breaks: ["relay.release-upstream", "relay.nothing-left-open"], in: "subscribe", by: .core)

    static let upstreamPerViewer = RelayFault(
        "upstream-per-viewer", "The publisher is asked anew for every viewer.",
        breaks: ["relay.one-upstream"], in: "subscribe", by: .core)

    static let updateIgnored = RelayFault(
        "update-ignored", "SUBSCRIBE_UPDATE is read and forgotten.",
        breaks: ["subscribe.update", "subscribe.update-end", "subscribe.update-start", "subscribe.update-priority"],
        in: "subscribe", versions: .lite03 ... .lite06,
        by: .events { event, _ in
            if case .subscribeUpdated = event { [] } else { [event] }
        })
}
