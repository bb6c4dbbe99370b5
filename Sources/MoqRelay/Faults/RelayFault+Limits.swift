import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of limits, of what SETUP says, of keeping alive, and of plain HTTP.
extension RelayFault {
    static let limitFaults = [
        updatesForgotten, fetchesForgotten, fewSubscriptions, fewBroadcasts, longNamesCut, churnLeavesBroadcasts,
        roleIgnored, priceIgnored, neverPings, unfinishedServed, fingerprintOfNothing, listOfEverything,
        groupNumberIgnored, everythingFound,
    ]

    static let updatesForgotten = RelayFault(
        "updates-forgotten", "Only the first twenty updates of a session count.",
        breaks: ["limit.update-flood"], in: "limits", versions: .lite03 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeUpdated = event else { return [event] }
            return scene.count("updates") > 20 ? [] : [event]
        })

    static let fetchesForgotten = RelayFault(
        "fetches-forgotten", "Only the first hundred fetches of a session are answered.",
        breaks: ["limit.request-flood"], in: "limits", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .fetchRequested = event else { return [event] }
            return scene.count("fetches") > 100 ? [] : [event]
        })

    static let fewSubscriptions = RelayFault(
        "few-subscriptions", "A session may have fifty subscriptions.",
        breaks: ["limit.concurrent-streams"], in: "limits",
        by: .configuration { $0.limits.subscriptionsPerSession = 50 })

    static let fewBroadcasts = RelayFault(
        "few-broadcasts", "Of a session's broadcasts only four hundred and ninety are announced.",
        breaks: ["limit.announce-flood"], in: "limits",
        by: .configuration { $0.limits.announcementsPerSession = 490 })

    static let longNamesCut = RelayFault(
        "long-names-cut", "Names of tracks are cut behind their 255th byte.",
        breaks: ["limit.long-names"], in: "limits",
        by: .events { event, _ in
            switch event {
            case .subscribeRequested(let id, var subscribe):
                subscribe.track = subscribe.track.cut
                return [.subscribeRequested(id, subscribe)]
            case .trackRequested(let id, let broadcast, let track):
                return [.trackRequested(id, broadcast: broadcast, track: track.cut)]
            default:
                return [event]
            }
        })

    static let churnLeavesBroadcasts = RelayFault(
        "churn-leaves-broadcasts", "Every fiftieth broadcast stays announced after its end.",
        breaks: ["limit.announce-churn"], in: "limits",
        by: .events { event, scene in
            guard case .unannounced = event else { return [event] }
            return scene.memory.count("ends") % 50 == 0 ? [] : [event]
        })

    static let roleIgnored = RelayFault(
        "role-ignored", "What a session's SETUP says that it means to do changes nothing.",
        breaks: ["setup.role-publisher", "setup.role-subscriber"], in: "setup", versions: .lite05 ... .lite06, by: .core
    )

    static let priceIgnored = RelayFault(
        "link-price-ignored", "Every link costs 1, whatever SETUP says.",
        breaks: ["setup.cost"], in: "setup", versions: .lite06 ... .lite06, by: .core)

    static let neverPings = RelayFault(
        "never-pings", "The relay does nothing to keep connections alive, and asks nobody whether he is there.",
        breaks: ["quic.keeps-alive", "websocket.keep-alive", "qmux.ping"], in: "quic",
        by: .settings { $0.keepAlive = nil })

    static let unfinishedServed = RelayFault(
        "unfinished-version-served", "A version that is not frozen is served to whoever asks for it.",
        breaks: ["negotiation.unfinished"], in: "negotiation",
        by: .configuration { $0.versions = Version.allCases.sorted(by: >) })

    static let fingerprintOfNothing = RelayFault(
        "fingerprint-wrong", "The fingerprint that is told is not that of the certificate.",
        breaks: ["http.certificate", "http.pin-holds"], in: "http", transports: [.websocket], by: .core)

    static let listOfEverything = RelayFault(
        "list-without-prefix", "Over HTTP all broadcasts are told of, whatever the prefix.",
        breaks: ["http.announced"], in: "http", transports: [.websocket], by: .core)

    static let groupNumberIgnored = RelayFault(
        "group-number-ignored", "Over HTTP it is always the newest group that is told.",
        breaks: ["http.fetch"], in: "http", transports: [.websocket], by: .core)

    static let everythingFound = RelayFault(
        "everything-found", "Over HTTP what is not there is told to be empty.",
        breaks: ["http.fetch-unknown", "http.unknown-path"], in: "http", transports: [.websocket], by: .core)
}

extension TrackName {
    /// The name as a relay has it whose field for it is too short.
    fileprivate var cut: TrackName { text.utf8.count > 255 ? TrackName(String(text.prefix(255))) : self }
}
