import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults that publishers and players of client kits meet: what their users would see of a relay that is wrong.
extension RelayFault {
    static let clientFaults = [
        prefixByLetters, withdrawalLate, viewersClosedWithPublisher, returnAfterLossIgnored, prefixOnceOnly,
        lateSubscriberWaits, lateGroupsRenumbered, resetGroupsFinished, largeObjectsLost, dropUntold,
        keyframesLost, mediaEverLater, trackCodesReplaced, catalogEndUntold, returnFromThePast, silentTrackCut,
        oneTrackAtATime,
        catalogUpdatesLost, catalogCut, endOnlyWithSession, announcedForAMoment, catalogLate,
    ]

    /// The track that a group of a publisher belongs to.
    private static func track(of group: IncomingGroupID, _ scene: EventScene) -> RelayTrack? {
        scene.session.groups[group]?.track
    }

    private static let catalogName: TrackName = "catalog.json"

    // MARK: Sessions

    static let prefixByLetters = RelayFault(
        "prefix-by-letters", "A broadcast whose name begins like that of another is told below that one as well.",
        breaks: ["kit.prefix-relative", "announce.prefix-match"], in: "client-session",
        by: .events { event, scene in
            guard case .announced(let id, var announced, isUpdate: false) = event,
                let last = announced.path.parts.last
            else { return [event] }
            let parent = announced.path.parts.dropLast()
            for length in stride(from: last.count - 1, to: 0, by: -1) {
                let other = (parent + [String(last.prefix(length))]).joined(separator: "/")
                guard let path = try? BroadcastPath(other),
                    scene.session.sources.keys.contains(where: { full in
                        full == scene.session.grant?.full(path, to: .publish)
                    }), let below = try? BroadcastPath("\(other)/\(last.dropFirst(length))")
                else { continue }
                announced.path = below
                return [event, .announced(id, announced, isUpdate: false)]
            }
            return [event]
        })

    static let withdrawalLate = RelayFault(
        "withdrawal-late", "That a broadcast was withdrawn is acted on half a second later, whatever is there by then.",
        breaks: ["kit.replacement", "announce.again"], in: "client-session",
        by: .events { event, scene in
            guard case .unannounced = event else { return [event] }
            scene.hold(event, for: .milliseconds(500))
            return []
        })

    static let viewersClosedWithPublisher = RelayFault(
        "viewers-closed-with-publisher", "When the session of a publisher ends, those of its viewers are closed, too.",
        breaks: ["kit.two-sessions", "relay.isolation"], in: "client-session",
        by: .events { event, scene in
            guard event.end == .sessionClosed || event.isSessionEnd, !scene.session.isClosed else { return [event] }
            for viewer in scene.core.sessionsInOrder where viewer !== scene.session {
                let isViewer = viewer.subscribed.values.contains { track in
                    track.content.sources.contains { $0.session === scene.session }
                }
                if isViewer { scene.core.refuse(viewer, .internalError, "there is nothing left to see") }
            }
            return [event]
        })

    static let returnAfterLossIgnored = RelayFault(
        "return-after-loss-ignored",
        "Once a session was lost for want of packets, those that come after it are told of nothing.",
        breaks: ["kit.session-loss"], in: "client-session",
        by: .events { event, scene in
            if event.end == .sessionClosed || event.isSessionEnd,
                scene.session.lite.closeReason?.cause == .idleTimeout
            {
                scene.memory.note("lost", max(scene.session.number, scene.memory.number("lost") ?? 0))
            }
            guard case .announceRequested = event, let lost = scene.memory.number("lost"), scene.session.number > lost
            else { return [event] }
            return []
        })

    static let prefixOnceOnly = RelayFault(
        "prefix-once-only", "A session that has watched a prefix before is told nothing when it asks again.",
        breaks: ["kit.prefix-once"], in: "client-session",
        by: .events { event, scene in
            guard case .announceRequested(_, let prefix, _) = event, scene.count("watched \(prefix)") > 1 else {
                return [event]
            }
            return []
        })

    // MARK: Data tracks

    static let lateSubscriberWaits = RelayFault(
        "late-subscriber-waits", "Who comes to a track of which there are groups already waits for ten seconds.",
        breaks: ["kit.late-data"], in: "data-tracks",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                let full = scene.session.grant?.full(request.broadcast, to: .subscribe),
                let track = scene.core.entries[full]?.ranked.first?.tracks[request.track], track.store.latest != nil
            else { return [event] }
            scene.hold(event, for: .seconds(10))
            return []
        })

    static let lateGroupsRenumbered = RelayFault(
        "late-groups-renumbered", "A group that comes behind a later one gets the next number that is free.",
        breaks: ["kit.monotonic"], in: "data-tracks",
        by: .events { event, scene in
            guard case .groupOpened(let id, let subscription, let sequence, let frameStart) = event,
                let store = scene.session.upstreams[subscription]?.track.store, let latest = store.latest,
                sequence <= latest
            else { return [event] }
            return [.groupOpened(id, subscription, sequence: store.nextSequence, frameStart: frameStart)]
        })

    static let resetGroupsFinished = RelayFault(
        "reset-objects-finished", "A group that was reset behind its first frame ends as if it were whole.",
        breaks: ["kit.arrival"], in: "data-tracks",
        by: .wire { act, stream in
            if stream.isGroup, stream.writes == 2, case .reset = act { [.finish] } else { [act] }
        })

    static let largeObjectsLost = RelayFault(
        "large-objects-lost", "A group whose first frame has more than 256 KiB is not passed on.",
        breaks: ["publisher.data-objects"], in: "data-tracks",
        by: .events { event, _ in
            guard case .frame(_, 0, let frame) = event, frame.payload.count > 256 << 10 else { return [event] }
            return []
        })

    static let dropUntold = RelayFault(
        "drop-untold", "A track that its publisher has ended, in whatever way, is kept open for its viewers.",
        breaks: ["publisher.data-end", "publisher.data-objects"], in: "data-tracks",
        by: .wire { act, stream in
            guard stream.kind == .answer(.subscribe), stream.writes > 0 else { return [act] }
            switch act {
            case .reset, .finish: return []
            default: return [act]
            }
        })

    // MARK: Players

    static let keyframesLost = RelayFault(
        "keyframes-lost", "Of groups with several frames the first is left out.",
        breaks: ["player.event-order"], in: "player",
        by: .events { event, scene in
            guard case .frame(let group, let index, let frame) = event, let track = track(of: group, scene),
                track.name != catalogName
            else { return [event] }
            return index == 0 ? [] : [.frame(group, index: index - 1, frame)]
        })

    static let mediaEverLater = RelayFault(
        "media-ever-later", "Each frame of a track is passed on a hundredth of a second later than the one before.",
        breaks: ["player.keeps-up"], in: "player",
        by: .events { event, scene in
            switch event {
            case .frame(let group, _, _), .groupEnded(let group, .finished):
                guard let track = track(of: group, scene), track.name != catalogName else { return [event] }
                scene.hold(event, for: .milliseconds(10 * scene.memory.count("frames of \(track.number)")))
                return []
            default: return [event]
            }
        })

    static let trackCodesReplaced = RelayFault(
        "track-codes-replaced", "Whatever ends a track is told to its subscribers as an internal error.",
        breaks: ["player.natural-end", "player.refused-track"], in: "player",
        by: .wire { act, stream in
            guard stream.kind == .answer(.subscribe), case .reset = act else { return [act] }
            return [.reset(RelayPolicy.code(.internalError, .second))]
        })

    static let catalogEndUntold = RelayFault(
        "catalog-end-untold", "Refusals and ends of catalogs are not passed on while their publisher is there.",
        breaks: ["player.offline"], in: "player",
        by: .events { event, scene in
            switch event {
            case .subscriptionEnded(let id, let end) where end != .sessionClosed:
                return scene.session.upstreams[id]?.track.name == catalogName ? [] : [event]
            case .trackEnded(let id, .reset):
                return scene.session.asking[id]?.track.name == catalogName ? [] : [event]
            default: return [event]
            }
        })

    static let returnFromThePast = RelayFault(
        "return-from-the-past", "Who comes back to a track gets nothing for five seconds.",
        breaks: ["player.pause-leaves"], in: "player",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                scene.count("asked for \(request.broadcast)/\(request.track)") > 1
            else { return [event] }
            scene.hold(event, for: .seconds(5))
            return []
        })

    static let silentTrackCut = RelayFault(
        "silent-track-cut", "A track on which nothing came for two seconds is over when it goes on.",
        breaks: ["player.stall"], in: "player",
        by: .events { event, scene in
            let now = UInt64(clamping: scene.core.now.nanoseconds / 1_000_000)
            switch event {
            case .frame(let group, _, _):
                if let track = track(of: group, scene) { scene.memory.note("frame of \(track.number)", now) }
            case .groupOpened(_, let id, _, _):
                guard let track = scene.session.upstreams[id]?.track, track.name != catalogName,
                    let last = scene.memory.number("frame of \(track.number)"), now > last + 2000
                else { break }
                scene.session.upstreams[id]?.hasDelivered = false
                return [.subscriptionEnded(id, .reset(RelayPolicy.code(.cancelled, .second)))]
            default: break
            }
            return [event]
        })

    static let oneTrackAtATime = RelayFault(
        "one-picture-at-a-time",
        "A session that has a track of a kind waits for a second one until it has left the first.",
        breaks: ["player.switch-in-place"], in: "player",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                let kind = request.track.text.split(separator: ".").last,
                scene.session.subscribed.values.contains(where: { track in
                    track.name != request.track && track.name.text.split(separator: ".").last == kind
                })
            else { return [event] }
            return []
        })

    // MARK: Publishers

    static let catalogUpdatesLost = RelayFault(
        "catalog-updates-lost", "Of a broadcast's catalogs a viewer gets the one that it came to, and no other.",
        breaks: ["publisher.catalog-grows"], in: "publisher",
        by: .events { event, scene in
            guard case .groupOpened(_, let id, _, _) = event, let track = scene.session.upstreams[id]?.track,
                track.name == catalogName, track.store.latest != nil
            else { return [event] }
            return []
        })

    static let catalogCut = RelayFault(
        "catalog-cut", "Of a catalog the first two hundred bytes are passed on.",
        breaks: ["publisher.catalog-grows", "publisher.go-live-order"], in: "publisher",
        by: .events { event, scene in
            guard case .frame(let group, let index, var frame) = event, track(of: group, scene)?.name == catalogName
            else { return [event] }
            frame.payload = Array(frame.payload.prefix(200))
            return [.frame(group, index: index, frame)]
        })

    static let endOnlyWithSession = RelayFault(
        "end-only-with-session", "A publisher's end of a track, and its withdrawal, count when its session ends.",
        breaks: ["publisher.stop-ends-all"], in: "publisher",
        by: .events { event, _ in
            switch event {
            case .unannounced: return []
            case .subscriptionEnded(_, let end) where end != .sessionClosed: return []
            default: return [event]
            }
        })

    static let announcedForAMoment = RelayFault(
        "announced-for-a-moment", "A broadcast is told to have ended seven tenths of a second after it began.",
        breaks: ["publisher.zombie"], in: "publisher",
        by: .events { event, scene in
            if case .announced(let id, let announced, isUpdate: false) = event {
                scene.hold(.unannounced(id, announced.path), for: .milliseconds(700))
            }
            return [event]
        })

    static let catalogLate = RelayFault(
        "catalog-late", "A catalog is passed on eight seconds after it came.",
        breaks: ["publisher.go-live-order", "publisher.catalog-grows"], in: "publisher",
        by: .events { event, scene in
            switch event {
            case .frame(let group, _, _), .groupEnded(let group, .finished):
                guard track(of: group, scene)?.name == catalogName else { return [event] }
                scene.hold(event, for: .seconds(8))
                return []
            default: return [event]
            }
        })
}

extension LiteEvent {
    /// Whether the session is over with it.
    var isSessionEnd: Bool {
        if case .closed = self { true } else { false }
    }
}
