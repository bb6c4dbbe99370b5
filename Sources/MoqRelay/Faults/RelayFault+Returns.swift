import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of those who go and come back, of what goes first on a slow link, and of noise beneath sessions.
extension RelayFault {
    static let returnFaults = [
        replayOnlyAtFirst, takeoverWaits, subscriptionsCounted, earlySubscriberRefused, doublePublisherWaits,
        propertiesLast, orderObeyed, firstOpenedFirst, prioritySigned,
        unreadBlocks, webSocketPingsCounted, http3UnknownFramesCounted, webTransportEarlyStreamsRefused,
        webSocketImpatient, fetchOfOldPublisherWaits,
    ]

    // MARK: Those who come back

    static let replayOnlyAtFirst = RelayFault(
        "replay-only-at-first", "Once somebody has stopped watching, those who come are told only of what is new.",
        breaks: ["announce.replay"], in: "reconnect", by: .core)

    static let takeoverWaits = RelayFault(
        "takeover-waits", "Who publishes a path that another session has waits for six seconds.",
        breaks: ["relay.takeover", "announce.several-publishers"], in: "reconnect",
        by: .events { event, scene in
            guard case .announced(_, let announced, isUpdate: false) = event,
                let full = scene.session.grant?.full(announced.path, to: .publish), scene.core.entries[full] != nil,
                scene.session.sources[full] == nil
            else { return [event] }
            scene.hold(event, for: .seconds(6))
            return []
        })

    static let subscriptionsCounted = RelayFault(
        "subscriptions-counted", "A session may subscribe twelve times, whether or not it has left what it had.",
        breaks: ["subscribe.again", "subscribe.after-announcement"], in: "reconnect",
        by: .events { event, scene in
            guard case .subscribeRequested(let id, _) = event, scene.count("subscriptions") > 12 else {
                return [event]
            }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.tooManyRequests, .second))
            return []
        })

    static let earlySubscriberRefused = RelayFault(
        "early-subscriber-refused", "Who subscribes in the tenth of a second after an announcement is refused.",
        breaks: ["subscribe.after-announcement"], in: "reconnect",
        by: .events { event, scene in
            let now = UInt64(clamping: scene.core.now.nanoseconds / 1_000_000)
            if case .announced = event { scene.memory.note("announced", now) }
            guard case .subscribeRequested(let id, _) = event, let then = scene.memory.number("announced"),
                now < then + 100
            else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.notFound, .second))
            return []
        })

    static let doublePublisherWaits = RelayFault(
        "double-publisher-waits",
        "Who publishes what another session publishes, with the very same hops, waits until that is gone.",
        breaks: ["hop.second-joins", "hop.continues"], in: "routes", versions: .lite04 ... .lite06,
        by: .events { event, scene in
            guard case .announced(_, let announced, _) = event, announced.hops.ids.first != 0,
                let full = scene.session.grant?.full(announced.path, to: .publish),
                let sources = scene.core.entries[full]?.contents.flatMap(\.sources),
                sources.contains(where: { $0.session !== scene.session && $0.route.hops == announced.hops })
            else { return [event] }
            scene.hold(event, for: .seconds(30))
            return []
        })

    static let fetchOfOldPublisherWaits = RelayFault(
        "fetch-of-old-publisher-waits", "A fetch from a publisher whose version has none is left open.",
        breaks: ["errors.version.code"], in: "errors.loss", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .fetchRequested(_, let request) = event,
                let full = scene.session.grant?.full(request.broadcast, to: .subscribe),
                let source = scene.core.entries[full]?.ranked.first?.sources.first, !source.session.version.hasFetch
            else { return [event] }
            return []
        })

    // MARK: What goes first

    private static func ranking(_ act: WireAct, _ stream: FaultyStream, _ change: (inout SendPriority) -> Void)
        -> WireAct
    {
        guard stream.id.direction == .unidirectional, case .priority(var rank) = act, rank.urgency <= 255 else {
            return act
        }
        change(&rank)
        return .priority(rank)
    }

    static let propertiesLast = RelayFault(
        "properties-last", "Whoever is served groups waits three seconds for the properties of another track.",
        breaks: ["track.info-first"], in: "subscribe.order", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .trackRequested = event, scene.session.feeds.subscriptionCount > 0 else { return [event] }
            scene.hold(event, for: .seconds(3))
            return []
        })

    static let orderObeyed = RelayFault(
        "order-obeyed", "Who wants groups in order gets the older of those that wait first.",
        breaks: ["subscribe.ordered-ignored"], in: "subscribe.order", versions: .lite03 ... .lite05, by: .core)

    static let firstOpenedFirst = RelayFault(
        "first-opened-first", "Groups go out in the order in which they came, whatever their subscribers want.",
        breaks: ["subscribe.priority", "subscribe.equal-priority"], in: "subscribe.order",
        by: .wire { act, stream in
            [ranking(act, stream) { $0 = SendPriority(urgency: 1, sequence: .max - stream.id.rawValue) }]
        })

    static let prioritySigned = RelayFault(
        "priority-signed", "A priority above 127 is taken for one below 0.",
        breaks: ["subscribe.priority"], in: "subscribe.order",
        by: .wire { act, stream in
            [ranking(act, stream) { $0.urgency = $0.urgency > 127 ? $0.urgency - 128 : $0.urgency + 128 }]
        })

    // MARK: Beneath sessions

    static let unreadBlocks = RelayFault(
        "unread-blocks", "While a client of TCP or WebSocket does not read, nobody gets anything.",
        breaks: ["limit.never-reads", "relay.slow-reader-isolated"], in: "hostile.transports",
        by: .room { stream, transport in
            let hasRoom = transport.inner.canWrite(stream)
            if transport.inner.kind == .tcp || transport.inner.kind == .websocket {
                transport.memory.note("unread", hasRoom ? nil : 1)
            }
            return hasRoom && !transport.memory.has("unread")
        })

    static let webSocketPingsCounted = RelayFault(
        "websocket-pings-counted", "A client of WebSocket that sends more than a hundred pings loses its connection.",
        breaks: ["limit.noise", "websocket.ping"], in: "hostile.transports", by: .binding(.webSocketPingsCounted))

    static let http3UnknownFramesCounted = RelayFault(
        "unknown-frames-counted",
        "A client that sends more than 1000 bytes of unknown frames of HTTP/3 loses its connection.",
        breaks: ["limit.noise", "http3.unknown-frame"], in: "hostile.transports",
        by: .binding(.http3UnknownFramesCounted))

    static let webTransportEarlyStreamsRefused = RelayFault(
        "early-streams-refused", "Streams that overtake their CONNECT are turned away.",
        breaks: ["webtransport.early-streams"], in: "webtransport", by: .binding(.webTransportEarlyStreamsRefused))

    static let webSocketImpatient = RelayFault(
        "dead-client-cut-early", "A client that answers no ping is given up after twelve seconds.",
        breaks: ["websocket.dead-client"], in: "websocket",
        by: .settings { $0.idleTimeout = .seconds(12) })
}
