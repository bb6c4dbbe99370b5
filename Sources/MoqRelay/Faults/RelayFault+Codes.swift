import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of the ends of sessions and of the codes that the relay has of its own.
extension RelayFault {
    static let codeFaults = [
        lossAsFinish, droppedCodeWrong, unauthorizedCodeWrong, lagUntold, oldCodeWrong, codesUnmapped,
        stopCodesUnmapped, refusalEndsSession, fetchCodeLost, propertiesCodeLost, unroutableLeftOpen, closeSaysNothing,
        closesAtOnce,
    ]

    /// The act, with the code of a reset changed where the relay means `condition` by it.
    private static func recoding(
        _ act: WireAct, _ condition: ErrorCondition, to other: ErrorCondition
    ) -> [WireAct] {
        guard case .reset(let code) = act, code == RelayPolicy.code(condition, .second) else { return [act] }
        return [.reset(RelayPolicy.code(other, .second))]
    }

    static let lossAsFinish = RelayFault(
        "loss-as-finish", "A track whose publisher was lost ends as if it had been finished.",
        breaks: [
            "errors.dropped.code", "errors.dropped.session-loss", "track.error-after-data", "errors.dropped",
        ], in: "producer-drop",
        by: .wire { act, stream in
            guard stream.kind == .answer(.subscribe), case .reset(let code) = act,
                code == RelayPolicy.code(.dropped, .second)
            else { return [act] }
            return [.finish]
        })

    static let droppedCodeWrong = RelayFault(
        "dropped-code-wrong", "That a publisher was lost is told as a cancellation.",
        breaks: ["errors.dropped.code", "errors.dropped.session-loss"], in: "errors",
        by: .wire { act, _ in recoding(act, .dropped, to: .cancelled) })

    static let lagUntold = RelayFault(
        "lag-untold", "A reader that lagged is told that the group was evicted.",
        breaks: ["errors.lagged.code"], in: "errors",
        by: .wire { act, _ in recoding(act, .lagged, to: .evicted) })

    static let oldCodeWrong = RelayFault(
        "old-code-wrong", "A group that is too old is reset as cancelled.",
        breaks: ["errors.old.code"], in: "errors", by: .wire { act, _ in recoding(act, .old, to: .cancelled) })

    static let unauthorizedCodeWrong = RelayFault(
        "unauthorized-code-wrong", "Who has no right to be here hears that the session was closed in order.",
        breaks: ["errors.unauthorized.code"], in: "tokens",
        by: .close { code, reason in
            let unauthorized = CodeTable.numberToSend(for: .unauthorized, in: .second, on: .close)
            return (code == unauthorized ? 0 : code, reason)
        })

    static let codesUnmapped = RelayFault(
        "codes-unmapped", "Codes of resets go on the wire as plain numbers, where they belong into HTTP/3's space.",
        breaks: ["codes.mapping", "codes.across-transports", "errors.passed-on-unchanged"], in: "codes",
        transports: [.quic, .webtransport],
        by: .wire { act, _ in
            if case .reset(.code(let number)) = act { [.reset(.unmapped(raw: number))] } else { [act] }
        })

    static let stopCodesUnmapped = RelayFault(
        "stop-codes-unmapped", "Codes of STOP_SENDING go on the wire as plain numbers.",
        breaks: ["codes.mapping", "errors.closed.code"], in: "codes", transports: [.quic, .webtransport],
        by: .wire { act, _ in
            if case .stop(.code(let number)) = act { [.stop(.unmapped(raw: number))] } else { [act] }
        })

    static let refusalEndsSession = RelayFault(
        "refusal-ends-session", "A refused subscription closes its session.",
        breaks: ["relay.isolation", "subscribe.refusal-is-reset", "close.stream-errors-stay"], in: "refusal",
        by: .wire { act, stream in
            if stream.kind == .answer(.subscribe), case .reset = act {
                stream.transport.inner.close(code: 1, reason: "")
            }
            return [act]
        })

    static let fetchCodeLost = RelayFault(
        "fetch-code-lost", "A refused fetch is reset with 0, whatever its publisher said.",
        breaks: ["errors.passed-on-unchanged", "fetch.refusal", "errors.not-found.code"], in: "errors",
        versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            if stream.kind == .answer(.fetch), case .reset = act { [.reset(.code(0))] } else { [act] }
        })

    static let propertiesCodeLost = RelayFault(
        "properties-code-lost", "A refused question for properties is reset with 0, whatever its publisher said.",
        breaks: ["errors.passed-on-unchanged", "track.info-refusal"], in: "errors", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            if stream.kind == .answer(.track), case .reset = act { [.reset(.code(0))] } else { [act] }
        })

    static let unroutableLeftOpen = RelayFault(
        "unroutable-left-open", "A subscription to what nobody publishes is refused after 8 s only.",
        breaks: ["subscribe.refusal-prompt", "errors.unroutable.code", "subscribe.refusal-is-reset"], in: "refusal",
        by: .events { event, scene in
            guard case .subscribeRequested(_, let request) = event,
                let path = scene.session.grant?.full(request.broadcast, to: .subscribe), scene.core.entries[path] == nil
            else { return [event] }
            scene.hold(event, for: .seconds(8))
            return []
        })

    static let closeSaysNothing = RelayFault(
        "close-says-nothing", "A session that the relay ends is closed with 0, whatever was wrong.",
        breaks: ["errors.unauthorized.code", "session.refusal", "exchange.unknown-version"], in: "refusal",
        by: .close { _, _ in (0, "") })

    static let closesAtOnce = RelayFault(
        "closes-on-stop", "A viewer that stops a group loses its session.",
        breaks: ["group.stop.local", "group.stop", "relay.isolation"], in: "groups",
        by: .events { event, scene in
            guard case .groupStopped = event else { return [event] }
            scene.core.refuse(scene.session, .cancelled, "a group was stopped")
            return []
        })
}
