import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of what a relay remembers, or forgets: groups, refusals, idle tracks, loops, publishers that came back.
extension RelayFault {
    static let memoryFaults = [
        staleAfterIdle, staleAfterTakeover, idleHoldCuts, ownLoopTaken, fetchGoesLive, expiryOff, expiredAsFinished,
        refusalRemembered,
        returnIgnored, vanishedKept, impatientHandshake, shortIdle, catalogRead, catalogOfThePast, namedTracksLate,
    ]

    static let staleAfterIdle = RelayFault(
        "stale-after-idle", "What was kept of a track before nobody watched it is served as its live edge after that.",
        breaks: ["relay.fresh-after-idle"], in: "sharing", versions: .lite06 ... .lite06, by: .core)

    static let staleAfterTakeover = RelayFault(
        "stale-after-takeover", "Who takes over a path takes over what is kept of the tracks of the one before.",
        breaks: ["relay.no-stale"], in: "sources", by: .core)

    static let idleHoldCuts = RelayFault(
        "idle-hold-cuts",
        "A track that nobody watched is forgotten after a while, also when somebody watches it again.",
        breaks: ["relay.idle-track"], in: "sharing", by: .core)

    static let ownLoopTaken = RelayFault(
        "own-loop-taken", "A route that has been through the relay itself is kept in case no other is left.",
        breaks: ["hop.no-loop"], in: "chain", versions: .lite04 ... .lite06, by: .core)

    static let fetchGoesLive = RelayFault(
        "fetch-goes-live", "A group that somebody fetched is delivered to the subscribers of its track.",
        breaks: ["fetch.not-live"], in: "fetch", versions: .lite05 ... .lite06, by: .core)

    static let expiryOff = RelayFault(
        "expiry-off", "Groups never grow too old.",
        breaks: ["group.expiry", "group.expiry-upstream", "errors.old.code", "fetch.expired"], in: "errors.groups",
        by: .core)

    static let expiredAsFinished = RelayFault(
        "expired-as-finished", "A group that has grown too old ends in good order for its readers.",
        breaks: ["group.expiry", "errors.old.code", "group.never-completed-by-loss"], in: "errors.groups",
        by: .wire { act, stream in
            if stream.isGroup, act == .reset(RelayPolicy.code(.old, .second)) { [.finish] } else { [act] }
        })

    static let refusalRemembered = RelayFault(
        "refusal-remembered", "A track that was refused once is refused for ever.",
        breaks: ["subscribe.again"], in: "errors.not-found",
        by: .events { event, scene in
            switch event {
            case .trackEnded(let id, .reset(let code)):
                noteRefusal(scene.session.asking[id]?.track, code, scene)
            case .subscriptionEnded(let id, .reset(let code)):
                noteRefusal(scene.session.upstreams[id]?.track, code, scene)
            case .subscribeRequested(let id, let request):
                let full = scene.session.grant?.full(request.broadcast, to: .subscribe)?.text ?? ""
                if let code = scene.memory.number("\(full) \(request.track)") {
                    scene.session.lite.resetSubscription(id, code: .code(code))
                    return []
                }
            default: break
            }
            return [event]
        })

    private static func noteRefusal(_ track: RelayTrack?, _ code: StreamCode, _ scene: EventScene) {
        guard let track, case .code(let number) = code, track.store.latest == nil else { return }
        scene.memory.note("\(track.content.path) \(track.name)", number)
    }

    static let returnIgnored = RelayFault(
        "return-ignored", "A path that was published before is told to nobody when it is published anew.",
        breaks: ["subscribe.again"], in: "reconnect",
        by: .events { event, scene in
            guard case .announced(_, let announced, isUpdate: false) = event,
                let full = scene.session.grant?.full(announced.path, to: .publish)
            else { return [event] }
            return scene.memory.count("publisher of \(full)") > 1 ? [] : [event]
        })

    static let vanishedKept = RelayFault(
        "vanished-kept", "A peer that has vanished is kept for a minute longer than its session.",
        breaks: ["close.vanished-peer", "errors.loss-by-timeout"], in: "errors.loss",
        by: .events { event, scene in
            var isEnd = event.end == .sessionClosed
            if case .closed = event { isEnd = true }
            guard isEnd, scene.session.lite.closeReason?.cause == .idleTimeout else { return [event] }
            scene.hold(event, for: .seconds(60))
            return []
        })

    static let impatientHandshake = RelayFault(
        "impatient-handshake", "A handshake that takes longer than 30 ms is given up.",
        breaks: ["quic.loss-of-handshake", "relay.retransmission"], in: "quic",
        by: .settings { $0.handshakeTimeout = .milliseconds(30) })

    static let shortIdle = RelayFault(
        "short-idle", "A session in which nothing is said for 400 ms is over, and nothing is done against it.",
        breaks: ["quic.keeps-alive", "session.keep-alive", "session.survives-outage"], in: "quic",
        by: .settings {
            $0.idleTimeout = .milliseconds(400)
            $0.keepAlive = nil
        })

    // MARK: Catalogs

    private static func isCatalog(_ group: IncomingGroupID, _ scene: EventScene) -> Bool {
        scene.session.groups[group]?.track.name.text == "catalog.json"
    }

    static let catalogRead = RelayFault(
        "catalog-read", "A catalog that is no JSON object is not passed on.",
        breaks: ["catalog.not-read"], in: "catalog-churn",
        by: .events { event, scene in
            guard case .frame(let group, _, let frame) = event, isCatalog(group, scene),
                frame.payload.first != UInt8(ascii: "{") || frame.payload.last != UInt8(ascii: "}")
            else { return [event] }
            return []
        })

    static let catalogOfThePast = RelayFault(
        "catalog-of-the-past", "Of the catalogs of a broadcast only the first three are passed on.",
        breaks: ["catalog.update-replaces", "catalog.views-agree", "catalog.newest-wins"], in: "catalog-churn",
        by: .events { event, scene in
            guard case .groupOpened(_, let id, let sequence, _) = event,
                scene.session.upstreams[id]?.track.name.text == "catalog.json", sequence > 2
            else { return [event] }
            return []
        })

    static let namedTracksLate = RelayFault(
        "named-tracks-late", "Who asks for a track as soon as a catalog has named it is refused.",
        breaks: ["catalog.named-tracks", "subscribe.after-announcement"], in: "catalog-churn",
        by: .events { event, scene in
            let now = UInt64(clamping: scene.core.now.nanoseconds / 1_000_000)
            if case .frame(let group, _, _) = event, isCatalog(group, scene) { scene.memory.note("catalog", now) }
            guard case .subscribeRequested(let id, let request) = event, request.track.text != "catalog.json",
                let then = scene.memory.number("catalog"), now < then + 1000
            else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.notFound, .second))
            return []
        })
}

extension RelayTrack {
    /// Takes a group that was fetched for one that is new.
    func takeAsLive(_ fetched: CachedGroup, at now: Instant) {
        guard let group = try? store.openGroup(fetched.sequence, at: now) else { return }
        var index = 0
        while case .frame(let frame) = fetched.read(index) {
            store.append(frame, to: group, at: now)
            index += 1
        }
        store.finishGroup(group, at: now)
    }

    /// Takes the newest group that other contents of the path have of the track.
    func takeOver(from contents: [BroadcastContent], at now: Instant) {
        guard store.latest == nil else { return }
        for other in contents.compactMap({ $0.tracks[name] }) where other !== self {
            if let newest = other.store.latestGroup, newest.state == .finished { takeAsLive(newest, at: now) }
        }
    }
}
