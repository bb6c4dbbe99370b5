import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of codes on their way through the relay, of probes, and of what passes between relays.
extension RelayFault {
    static let passingFaults = [
        greatCodesCut, smallCodesLost, refusalAsFinish, reservedCodesReplaced, codesLostInChains,
        chainedTracksRefused, probeOnce, probeTargetTaken, probeEndIgnored, everybodyProbed,
    ]

    /// The act, with the number of a reset changed.
    private static func renumbering(_ act: WireAct, _ change: (UInt64) -> UInt64) -> [WireAct] {
        if case .reset(.code(let number)) = act { [.reset(.code(change(number)))] } else { [act] }
    }

    static let greatCodesCut = RelayFault(
        "great-codes-cut", "A code above 64 is passed on as 64.",
        breaks: ["errors.passed-on-unchanged"], in: "errors.passed-on",
        by: .wire { act, _ in renumbering(act) { min($0, 64) } })

    static let smallCodesLost = RelayFault(
        "registered-codes-lost", "A code that the relay could have said itself is passed on as a cancellation.",
        breaks: ["errors.passed-on-unchanged", "errors.not-found.code"], in: "errors.passed-on",
        by: .wire { act, stream in
            guard stream.isGroup || stream.kind == .answer(.subscribe) else { return [act] }
            return renumbering(act) { $0 < 30 ? 1 : $0 }
        })

    static let refusalAsFinish = RelayFault(
        "refusal-as-finish", "A track that its publisher refuses ends in good order, without a group.",
        breaks: ["errors.passed-on-unchanged", "subscribe.refusal-is-reset"], in: "errors.passed-on",
        by: .wire { act, stream in
            if stream.kind == .answer(.subscribe), case .reset = act { [.finish] } else { [act] }
        })

    static let reservedCodesReplaced = RelayFault(
        "reserved-codes-replaced", "A number that is not registered is passed on as an internal error.",
        breaks: ["errors.reserved-passed-on"], in: "errors.loss",
        by: .wire { act, _ in
            renumbering(act) { number in
                let isKnown = !CodeTable.conditions(of: number, in: .second, on: .reset).isEmpty
                return isKnown ? number : CodeTable.numberToSend(for: .internalError, in: .second, on: .reset)
            }
        })

    static let codesLostInChains = RelayFault(
        "codes-lost-in-chains", "Codes of applications get lost on their way through the relay.",
        breaks: ["errors.through-relays"], in: "chain",
        by: .wire { act, _ in renumbering(act) { $0 >= 64 ? 0 : $0 } })

    static let chainedTracksRefused = RelayFault(
        "chained-tracks-refused", "Tracks of what came through another relay cannot be subscribed to.",
        breaks: ["relay.chain", "relay.chain-release"], in: "chain", versions: .lite04 ... .lite06,
        by: .events { event, scene in
            guard case .subscribeRequested(let id, let request) = event,
                let full = scene.session.grant?.full(request.broadcast, to: .subscribe),
                let source = scene.core.entries[full]?.ranked.first?.sources.first, source.route.hops.count > 1
            else { return [event] }
            scene.session.lite.resetSubscription(id, code: RelayPolicy.code(.unroutable, .second))
            return []
        })

    static let probeOnce = RelayFault(
        "probe-once", "A probe gets one report, and no other.",
        breaks: ["probe.refresh"], in: "probes", versions: .lite03 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.probe), stream.writes > 0, case .write = act else { return [act] }
            return []
        })

    static let probeTargetTaken = RelayFault(
        "probe-target-taken", "A message on a probe is passed over.",
        breaks: ["probe.target-refused"], in: "probes", versions: .lite03 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.probe) else { return [act] }
            switch act {
            case .reset, .stop: return []
            default: return [act]
            }
        })

    static let probeEndIgnored = RelayFault(
        "probe-end-ignored", "A probe that its client has ended is left open.",
        breaks: ["probe.stop"], in: "probes", versions: .lite03 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .answer(.probe) else { return [act] }
            switch act {
            case .finish, .reset: return []
            default: return [act]
            }
        })

    static let everybodyProbed = RelayFault(
        "everybody-probed", "Clients are probed whether or not they have said that they can measure.",
        breaks: ["probe.only-the-able"], in: "probes", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            if case .peerSetup = event {
                scene.session.lite.openProbe()
                scene.core.touch(scene.session)
            }
            return [event]
        })
}
