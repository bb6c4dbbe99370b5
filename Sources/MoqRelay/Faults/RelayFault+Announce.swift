import MoqLite
import MoqTransport
import MoqWire

// Faults of announcements.
extension RelayFault {
    static let announceFaults = [
        announcementLost, announcementLate, endNeverTold, endTwice, announcedTwice, wrongPrefix, replayMissing,
        emptySetUnanswered,
    ]

    static let announcementLost = RelayFault(
        "announcement-lost", "Every second broadcast of a publisher is told to nobody.",
        breaks: ["announce.active-to-watchers", "announce.replay"], in: "announce",
        by: .events { event, scene in
            guard case .announced(_, _, isUpdate: false) = event else { return [event] }
            return scene.memory.count("announced") % 2 == 0 ? [] : [event]
        })

    static let announcementLate = RelayFault(
        "announcement-late", "A broadcast is told of 20 s after it was announced.",
        breaks: ["announce.active-to-watchers"], in: "announce",
        by: .events { event, scene in
            guard case .announced = event else { return [event] }
            scene.hold(event, for: .seconds(20))
            return []
        })

    static let endNeverTold = RelayFault(
        "end-never-told", "The withdrawal of a broadcast changes nothing while its publisher stays.",
        breaks: ["announce.end-on-withdrawal"], in: "announce",
        by: .events { event, _ in
            if case .unannounced = event { [] } else { [event] }
        })

    static let endTwice = RelayFault(
        "end-told-twice", "The end of a broadcast is told twice.",
        breaks: ["announce.known-end"], in: "announce",
        by: .wire { act, stream in
            guard stream.kind == .answer(.announce), case .write(let bytes) = act else { return [act] }
            return [.write(stream.announcements(in: bytes) { $0.isEnd ? [$0, $0] : [$0] })]
        })

    static let announcedTwice = RelayFault(
        "announcement-doubled", "Every broadcast is announced twice.",
        breaks: ["announce.relay-once", "announce.once", "announce.replay"], in: "announce",
        by: .wire { act, stream in
            guard stream.kind == .answer(.announce), case .write(let bytes) = act else { return [act] }
            return [.write(stream.announcements(in: bytes) { $0.isEnd ? [$0] : [$0, $0] })]
        })

    static let wrongPrefix = RelayFault(
        "announcement-of-others", "Watchers are told of what lies beside their prefix, under a wrong name.",
        breaks: ["announce.suffix", "announce.prefix-match", "announce.active-to-watchers", "path.untouched"],
        in: "announce",
        by: .events { event, _ in
            guard case .announced(let id, var announced, let isUpdate) = event,
                let last = announced.path.parts.last, let path = try? BroadcastPath("elsewhere/\(last)")
            else { return [event] }
            announced.path = path
            return [.announced(id, announced, isUpdate: isUpdate)]
        })

    static let replayMissing = RelayFault(
        "replay-missing", "A watcher is told only of what comes after it.",
        breaks: ["announce.replay"], in: "announce", by: .core)

    static let emptySetUnanswered = RelayFault(
        "empty-set-unanswered", "A request for announcements is answered only once there is something to tell.",
        breaks: ["announce.empty-set", "announce.ok-first"], in: "announce", versions: .lite05 ... .lite06, by: .core)
}

extension Announcement {
    /// Whether a broadcast is gone.
    var isEnd: Bool {
        switch self {
        case .ended, .end: true
        default: false
        }
    }
}
