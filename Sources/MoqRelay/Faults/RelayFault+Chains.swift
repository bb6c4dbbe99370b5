import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults that show with many requests, long names, relays in a row, and with whoever comes back.
extension RelayFault {
    static let chainFaults = [
        fewRequests, fewAnnouncements, longPathsLost, chainNotPassedOn, stopUntold, secondRequestRefused,
        publicByBytes,
    ]

    static let fewRequests = RelayFault(
        "few-requests", "A session that makes more than 40 subscriptions is closed.",
        breaks: ["limit.request-flood", "limit.concurrent-streams"], in: "limits",
        by: .events { event, scene in
            guard case .subscribeRequested = event, scene.count("subscriptions") > 40 else { return [event] }
            scene.core.refuse(scene.session, .tooManyRequests, "too many subscriptions")
            return []
        })

    static let fewAnnouncements = RelayFault(
        "few-announcements", "Of what a session announces the relay knows the first 50 only.",
        breaks: ["limit.announce-flood", "announce.replay"], in: "limits",
        by: .configuration { $0.limits.announcementsPerSession = 50 })

    static let longPathsLost = RelayFault(
        "long-paths-lost", "A broadcast whose path is longer than 100 bytes is not known.",
        breaks: ["limit.long-names", "path.longest"], in: "limits",
        by: .events { event, _ in
            guard case .announced(_, let announced, _) = event, announced.path.text.utf8.count > 100 else {
                return [event]
            }
            return []
        })

    static let chainNotPassedOn = RelayFault(
        "chain-not-passed-on", "A broadcast that came through another relay is told to nobody.",
        breaks: ["relay.chain"], in: "chain", versions: .lite04 ... .lite06,
        by: .events { event, _ in
            guard case .announced(_, let announced, _) = event, announced.hops.count > 1 else { return [event] }
            return []
        })

    static let stopUntold = RelayFault(
        "stop-untold", "A relay that stops says nothing to its sessions.",
        breaks: ["session.close-on-shutdown"], in: "reconnect",
        by: .close { code, reason in
            code == CodeTable.numberToSend(for: .noError, in: .second, on: .close) ? nil : (code, reason)
        })

    static let secondRequestRefused = RelayFault(
        "second-request-refused", "A session that left a track is refused when it asks for it again.",
        breaks: ["subscribe.again"], in: "reconnect",
        by: .events { event, scene in
            guard case .subscribeRequested(let id, let request) = event,
                scene.count("\(request.broadcast)/\(request.track)") > 1
            else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.tooManyRequests, .second))
            return []
        })

    static let publicByBytes = RelayFault(
        "public-by-bytes", "A path that only begins with the name of the public one is open to all as well.",
        breaks: ["token.public-component", "session.refusal"], in: "tokens-public", by: .core)
}
