import MoqLite
import MoqTransport
import MoqWire

// Faults of tracks and of what their viewers share: what is asked for all, who is asked next, what goes first.
extension RelayFault {
    static let sharingFaults = [
        updatesNotTold, lateStartForAll, oldestGroupFirst, failureFinal, firstRefusalFinal,
        propertiesOfItsOwn, retentionOfItsOwn, leavingUnanswered, frameLimitMissing,
    ]

    static let updatesNotTold = RelayFault(
        "updates-not-told", "What viewers want later than the first of them is not told to the publisher.",
        breaks: [
            "relay.merged-end", "relay.merged-start", "relay.merged-age", "relay.merged-priority",
            "relay.update-upstream",
        ],
        in: "sharing", versions: .lite03 ... .lite06, by: .core)

    static let lateStartForAll = RelayFault(
        "late-start-for-all",
        "A viewer that waits for a later group takes the groups before it from those who come next.",
        breaks: ["relay.merged-start", "relay.fan-out"], in: "sharing", versions: .lite03 ... .lite06, by: .core)

    static let oldestGroupFirst = RelayFault(
        "oldest-group-first", "Of groups of equal priority the older one is sent first.",
        breaks: ["subscribe.equal-priority"], in: "subscribe", transports: [.quic, .webtransport],
        by: .wire { act, _ in
            // A stream has its priority before anything says that it is a group's.
            guard case .priority(let priority) = act else { return [act] }
            return [.priority(SendPriority(urgency: priority.urgency, sequence: .max - priority.sequence))]
        })

    static let failureFinal = RelayFault(
        "failure-final", "A publisher that fails a track after a group is not asked again.",
        breaks: ["track.retry", "track.retry-failed"], in: "tracks", by: .core)

    static let firstRefusalFinal = RelayFault(
        "first-refusal-final", "The refusal of one publisher is passed on although another has the path.",
        breaks: ["track.next-source"], in: "tracks", versions: .lite04 ... .lite06, by: .core)

    static let propertiesOfItsOwn = RelayFault(
        "properties-of-its-own",
        "A track is said to have a thousand units a second and no priority, whatever its publisher says.",
        breaks: ["track.info-unchanged"], in: "subscribe", versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .trackInfo(let id, var info) = event else { return [event] }
            info.timescale = 1000
            info.priority = 0
            return [.trackInfo(id, info)]
        })

    static let retentionOfItsOwn = RelayFault(
        "retention-of-its-own", "Groups that are not the newest are kept for 100 ms, whatever their publisher says.",
        breaks: ["track.age-adopted", "fetch.cache", "track.info-unchanged"], in: "tracks",
        versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .trackInfo(let id, var info) = event else { return [event] }
            info.maxAge = 100
            return [.trackInfo(id, info)]
        })

    static let leavingUnanswered = RelayFault(
        "leaving-unanswered", "A viewer that ends its half of a subscription waits in vain for the end of the other.",
        breaks: ["subscribe.cancel-answered", "relay.nothing-left-open"], in: "subscribe",
        by: .wire { act, stream in
            if stream.kind == .answer(.subscribe), act == .finish { [] } else { [act] }
        })

    static let frameLimitMissing = RelayFault(
        "frame-limit-missing", "Frames of any length are waited for.",
        breaks: ["frame.too-large", "frame.size"], in: "frames",
        by: .session { configuration in
            configuration.bounds.frameBytes = 1 << 40
            configuration.bounds.incompleteFrameBytes = 1 << 40
        })
}
