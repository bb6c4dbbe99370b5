import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults around what is wrong with a session or a group: torn frames, second copies, lost publishers, GOAWAY, datagrams.
extension RelayFault {
    static let endFaults = [
        tornGroupFinished, frameFaultsUnnamed, unmappedTakenForCode, propertiesRefusalLost, secondCopyTaken,
        lateGroupsDropped, greatNumbersCut, stopsSwallowed, lossToldLate, closesSwallowed, closeCodesLost,
        goawayIgnored, goawayEndsSession, datagramsMisaddressed, datagramBesideStreamDropped,
    ]

    static let tornGroupFinished = RelayFault(
        "torn-group-finished", "A group that its publisher ended inside a frame ends in good order for its readers.",
        breaks: ["errors.wrong-size.code", "errors.no-success", "group.never-completed-by-loss"], in: "errors",
        by: .events { event, _ in
            if case .groupEnded(let id, .malformed) = event { [.groupEnded(id, .finished)] } else { [event] }
        })

    static let frameFaultsUnnamed = RelayFault(
        "frame-faults-unnamed", "What is wrong with a frame is told to readers as an internal error, whatever it is.",
        breaks: ["errors.wrong-size.code", "errors.frame-too-large.code", "errors.timestamp.code"], in: "errors",
        by: .events { event, _ in
            guard case .groupEnded(let id, .malformed(let text, _)) = event else { return [event] }
            return [.groupEnded(id, .malformed(text, as: .unencodable))]
        })

    static let unmappedTakenForCode = RelayFault(
        "unmapped-taken-for-code", "A number of QUIC that stands for no code is passed on as if it were one.",
        breaks: ["codes.unmapped"], in: "errors", transports: [.quic, .webtransport],
        by: .events { event, _ in
            guard case .groupEnded(let id, .reset(.unmapped(let number))) = event else { return [event] }
            return [.groupEnded(id, .reset(.code(number)))]
        })

    static let propertiesRefusalLost = RelayFault(
        "properties-refusal-lost", "The code with which a publisher refuses the properties of a track is lost.",
        breaks: ["errors.properties-refused", "track.info-refusal", "errors.passed-on-unchanged"], in: "errors",
        versions: .lite05 ... .lite06,
        by: .events { event, _ in
            guard case .trackEnded(let id, .reset) = event else { return [event] }
            return [.trackEnded(id, .reset(.code(0)))]
        })

    static let secondCopyTaken = RelayFault(
        "second-copy-taken", "A second copy of a group is passed on under another number.",
        breaks: ["group.duplicate", "errors.duplicate.code"], in: "groups-kept",
        by: .events { event, scene in
            guard case .groupOpened(let id, let subscription, let sequence, let frameStart) = event,
                scene.count("group \(sequence) of \(subscription)") > 1
            else { return [event] }
            return [.groupOpened(id, subscription, sequence: sequence + 100_000, frameStart: frameStart)]
        })

    static let lateGroupsDropped = RelayFault(
        "late-groups-dropped", "A group is passed over when a newer one was there before.",
        breaks: ["group.any-order", "group.arrival-order"], in: "groups-kept",
        by: .events { event, scene in
            guard case .groupOpened(_, let subscription, let sequence, _) = event,
                let latest = scene.session.upstreams[subscription]?.track.store.latest, sequence < latest
            else { return [event] }
            return []
        })

    static let greatNumbersCut = RelayFault(
        "great-numbers-cut", "Of the number of a group only 32 bits are kept.",
        breaks: ["group.great-numbers"], in: "groups-kept",
        by: .events { event, _ in
            guard case .groupOpened(let id, let subscription, let sequence, let frameStart) = event else {
                return [event]
            }
            return [.groupOpened(id, subscription, sequence: sequence & 0xFFFF_FFFF, frameStart: frameStart)]
        })

    static let stopsSwallowed = RelayFault(
        "stops-swallowed", "A publisher is never told that the relay wants no more of a group.",
        breaks: [
            "group.expiry-upstream", "group.past-end", "group.duplicate", "group.unknown-subscription",
            "errors.duplicate.code", "errors.cancelled.code", "errors.closed.code",
        ],
        in: "groups-kept",
        by: .wire { act, stream in
            if stream.kind == .incoming, case .stop = act { [] } else { [act] }
        })

    static let lossToldLate = RelayFault(
        "loss-told-late", "That a publisher has closed its session is acted on 20 s later.",
        breaks: ["errors.loss-prompt", "close.nothing-left", "errors.dropped.session-loss"], in: "errors",
        by: .events { event, scene in
            let isOver = if case .closed = event { true } else { event.end == .sessionClosed }
            guard isOver else { return [event] }
            scene.hold(event, for: .seconds(20))
            return []
        })

    static let closesSwallowed = RelayFault(
        "closes-swallowed", "A session that breaks the protocol is forgotten, and its peer not told.",
        breaks: ["close.violation-prompt", "goaway.second", "goaway.with-setup", "session.refusal"], in: "goaway",
        versions: .lite04 ... .lite06, by: .close { _, _ in nil })

    static let closeCodesLost = RelayFault(
        "close-codes-lost", "Every session that the relay closes is closed with 64.",
        breaks: ["errors.protocol-violation.code", "goaway.second", "goaway.with-setup", "errors.unauthorized.code"],
        in: "goaway", versions: .lite04 ... .lite06, by: .close { _, reason in (64, reason) })

    static let goawayIgnored = RelayFault(
        "goaway-ignored", "A publisher that said GOAWAY is asked on.",
        breaks: ["goaway.no-new-streams", "goaway.with-setup"], in: "goaway", versions: .lite04 ... .lite06,
        by: .events { event, _ in
            if case .goaway = event { [] } else { [event] }
        })

    static let goawayEndsSession = RelayFault(
        "goaway-ends-session", "The session of a client that says GOAWAY is closed at once.",
        breaks: ["goaway.carries-on", "session.goaway", "goaway.uri-tolerated"], in: "goaway",
        versions: .lite04 ... .lite06,
        by: .events { event, scene in
            if case .goaway = event { scene.core.refuse(scene.session, .noError, "you wanted to go") }
            return [event]
        })

    static let datagramsMisaddressed = RelayFault(
        "datagrams-misaddressed", "A datagram names a subscription that its receiver has not made.",
        breaks: ["datagram.own-id", "datagram.forwarded"], in: "datagrams", versions: .lite05 ... .lite06,
        transports: [.quic, .webtransport],
        by: .datagrams { bytes, transport in
            guard let version = transport.lite?.version, var datagram = try? Datagram.decode(bytes, version: version)
            else { return [bytes] }
            datagram.header.subscribeID += 1000
            return [(try? datagram.encode(version: version)) ?? bytes]
        })

    static let datagramBesideStreamDropped = RelayFault(
        "datagram-beside-stream-dropped", "A datagram whose group came as a stream is dropped.",
        breaks: ["datagram.both"], in: "datagrams", versions: .lite05 ... .lite06,
        transports: [.quic, .webtransport],
        by: .events { event, scene in
            guard case .datagram(let subscription, let sequence, _, _) = event,
                scene.session.upstreams[subscription]?.track.store.group(sequence) != nil
            else { return [event] }
            return []
        })
}
