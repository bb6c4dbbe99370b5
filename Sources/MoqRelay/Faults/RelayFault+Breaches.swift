import MoqLite
import MoqTransport
import MoqWire

// Faults towards those who break the rules of announcing, of SETUP and of requests: what is forgiven, what costs too much.
extension RelayFault {
    static let breachFaults = [
        malformedAnnouncementsForgiven, secondStartForgiven, unknownNumberForgiven, restartAsEnd, violationCodeWrong,
        secondSetupForgiven, pathOnURLCloses, joinedPathCloses, pathOf33Taken, shortRequestsLeft, readerResetIgnored,
        bytesBehindRequestIgnored, badAnswerCostsSession, usedIDRefused, malformedUpdateForgiven,
        vandalTakesOthersAlong,
        noiseStopsService, promisesStopService, halfOpenStopsService, greatClosesUnheard,
    ]

    /// Closes withheld whose reason says `words`.
    private static func unclosed(_ words: String) -> Means {
        .close { code, reason in reason.contains(words) ? nil : (code, reason) }
    }

    private static func closing(_ condition: ErrorCondition) -> UInt64 {
        CodeTable.numberToSend(for: condition, in: .second, on: .close)
    }

    static let malformedAnnouncementsForgiven = RelayFault(
        "malformed-announcements-forgiven", "A publisher whose announcements cannot be read keeps its session.",
        breaks: ["announce.malformed", "announce.status-unknown"], in: "announce.breaking",
        by: .close { code, reason in code == closing(.malformed) ? nil : (code, reason) })

    static let secondStartForgiven = RelayFault(
        "second-start-forgiven", "A publisher that starts a live path once more keeps its session.",
        breaks: ["announce.start-twice-closes"], in: "announce.breaking", versions: .lite06 ... .lite06,
        by: unclosed("started again"))

    static let unknownNumberForgiven = RelayFault(
        "unknown-number-forgiven", "A publisher that ends or changes what has no number keeps its session.",
        breaks: ["announce.unknown-id-closes"], in: "announce.breaking", versions: .lite06 ... .lite06,
        by: .close { code, reason in reason.hasPrefix("announcement ") ? nil : (code, reason) })

    static let restartAsEnd = RelayFault(
        "restart-as-end", "Another route to the same content is told as an end and a beginning.",
        breaks: ["announce.status-restart", "announce.replaces", "announce.update"], in: "announce.breaking",
        versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .announced(let id, let announced, isUpdate: true) = event else { return [event] }
            return [.unannounced(id, announced.path), .announced(id, announced, isUpdate: false)]
        })

    static let violationCodeWrong = RelayFault(
        "closed-code-wrong", "Who breaks the rules has its session closed as if the relay itself had failed.",
        breaks: ["errors.protocol-violation.code", "setup.second-closes", "goaway.second"], in: "setup",
        by: .close { code, reason in
            (code == closing(.protocolViolation) ? closing(.internalError) : code, reason)
        })

    static let secondSetupForgiven = RelayFault(
        "second-setup-forgiven", "A second SETUP is passed over.",
        breaks: ["setup.second-closes"], in: "setup", versions: .lite05 ... .lite06, by: unclosed("a second SETUP"))

    static let pathOnURLCloses = RelayFault(
        "path-on-url-closes", "A path in SETUP closes the session where the request had one before.",
        breaks: ["setup.path-on-url-ignored"], in: "setup", versions: .lite05 ... .lite06,
        transports: [.webtransport, .websocket],
        by: .events { event, scene in
            guard case .peerSetup(let setup) = event, setup.path != nil,
                scene.session.lite.transport.requestPath != nil
            else { return [event] }
            scene.core.refuse(scene.session, .protocolViolation, "SETUP has a path")
            return []
        })

    static let joinedPathCloses = RelayFault(
        "joined-path-closes", "A path that is too long together with the path of its session closes the session.",
        breaks: ["path.joined-too-long"], in: "paths",
        by: .events { event, scene in
            guard case .announced(_, let announced, _) = event, let grant = scene.session.grant,
                grant.root.parts.count + announced.path.parts.count > 32
            else { return [event] }
            scene.core.refuse(scene.session, .protocolViolation, "the path is too long")
            return []
        })

    static let pathOf33Taken = RelayFault(
        "path-of-33-taken", "A publisher whose path has more than 32 components keeps its session.",
        breaks: ["path.too-long"], in: "paths", by: .close { code, reason in code == 0 ? (code, reason) : nil })

    static let shortRequestsLeft = RelayFault(
        "short-requests-left", "A request that ends before its fields do is left open without a word.",
        breaks: ["wire.cut-request", "wire.complete-fields"], in: "wire",
        by: .wire { act, stream in
            guard [.answer(.subscribe), .unknown].contains(stream.kind), stream.writes == 0 else { return [act] }
            switch act {
            case .reset, .stop, .finish: return []
            default: return [act]
            }
        })

    static let readerResetIgnored = RelayFault(
        "reader-reset-ignored", "That a viewer has reset its half of a subscription is not noticed.",
        breaks: ["subscribe.cancel", "wire.both-halves", "relay.release-upstream"], in: "wire",
        by: .events { event, _ in
            if case .subscribeCancelled(_, .reset) = event { [] } else { [event] }
        })

    static let bytesBehindRequestIgnored = RelayFault(
        "bytes-behind-request-ignored", "A request for announcements is left open when more comes behind it.",
        breaks: ["wire.bytes-after-request", "errors.malformed.code"], in: "wire",
        by: .wire { act, stream in
            guard stream.kind == .answer(.announce) else { return [act] }
            switch act {
            case .reset, .stop: return []
            default: return [act]
            }
        })

    static let badAnswerCostsSession = RelayFault(
        "bad-answer-costs-session", "A publisher that answers a subscription with nonsense loses its session.",
        breaks: ["subscribe.bad-answer", "subscribe.independent"], in: "subscribe.answers",
        versions: .lite03 ... .lite06,
        by: .events { event, scene in
            guard case .violation(let stream?, let what, .streamRefused) = event, stream.initiator == .server else {
                return [event]
            }
            scene.core.refuse(scene.session, .protocolViolation, what)
            return []
        })

    static let usedIDRefused = RelayFault(
        "used-id-refused", "A client that uses the id of a subscription that is over loses its session.",
        breaks: ["subscribe.reused-id"], in: "subscribe.answers", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event, scene.count("id \(request.id)") > 1 else {
                return [event]
            }
            scene.core.refuse(scene.session, .protocolViolation, "a subscribe id came twice")
            return []
        })

    static let malformedUpdateForgiven = RelayFault(
        "malformed-update-forgiven", "A subscription whose update cannot be read is left open.",
        breaks: ["subscribe.update-malformed"], in: "subscribe.updates", versions: .lite03 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.subscribe), stream.writes > 0 else { return [act] }
            switch act {
            case .reset, .stop: return []
            default: return [act]
            }
        })

    static let vandalTakesOthersAlong = RelayFault(
        "vandal-takes-others-along", "Whoever breaks the rules of announcing costs others their sessions, too.",
        breaks: ["relay.isolation", "limit.noise", "limit.claimed-length"], in: "hostile.publishers",
        by: .events { event, scene in
            guard case .violation(_, let what, .sessionClosed) = event else { return [event] }
            for other in scene.core.sessionsInOrder where other !== scene.session {
                scene.core.refuse(other, .internalError, what)
            }
            return [event]
        })

    /// Swallows every subscription once something was noted.
    private static func serving(_ event: LiteEvent, _ scene: EventScene) -> [LiteEvent] {
        if case .subscribeRequested = event, scene.memory.has("stuck") { return [] }
        return [event]
    }

    static let noiseStopsService = RelayFault(
        "noise-stops-service", "After ten streams that made no sense no subscription is answered any more.",
        breaks: ["limit.noise", "relay.isolation"], in: "hostile.transports",
        by: .events { event, scene in
            if case .violation = event, scene.memory.count("noise") > 10 { scene.memory.note("stuck") }
            return serving(event, scene)
        })

    static let promisesStopService = RelayFault(
        "promises-stop-service", "A publisher that promises a million announcements is waited for by everybody.",
        breaks: ["limit.claimed-length", "relay.isolation"], in: "hostile.publishers",
        versions: .lite05 ... .lite06,
        by: .events { event, scene in
            if case .announceAnswered(_, _, let count) = event, count > 1_000_000 { scene.memory.note("stuck") }
            return serving(event, scene)
        })

    static let halfOpenStopsService = RelayFault(
        "half-open-stops-service", "While three sessions have said nothing no subscription is answered.",
        breaks: ["limit.half-open", "relay.isolation"], in: "hostile.transports",
        by: .events { event, scene in
            guard case .subscribeRequested = event else { return [event] }
            return scene.core.sessionsInOrder.filter { $0.grant == nil }.count >= 3 ? [] : [event]
        })

    static let greatClosesUnheard = RelayFault(
        "great-closes-unheard", "A session that its client closes with a great code goes on for the relay.",
        breaks: ["session.close"], in: "codes",
        by: .events { event, scene in
            guard event.end == .sessionClosed || event.isSessionEnd,
                case .application(let code) = scene.session.lite.closeReason?.cause, code >= 65_535
            else { return [event] }
            return []
        })
}
