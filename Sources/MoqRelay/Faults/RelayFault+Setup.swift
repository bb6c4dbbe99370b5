import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults of the beginning of sessions: SETUP, the setup exchange, GOAWAY, PROBE and how long a session lives.
extension RelayFault {
    static let setupFaults = [
        setupOmitted, setupTwice, setupWithPath, unknownParameterFatal, setupPathIgnored, unknownRoleFatal,
        exchangeWrongVersion, exchangeUnanswered, exchangeEndIgnored, goawayCloses, probeUnanswered, sessionForgotten,
        everyThirdRefused, orderOfClient,
    ]

    static let setupOmitted = RelayFault(
        "setup-omitted", "The relay sends no SETUP.",
        breaks: ["setup.relay-sends-its-own"], in: "setup", versions: .lite05 ... .lite06,
        by: .session { $0.sendsSetup = false })

    static let setupTwice = RelayFault(
        "setup-twice", "The relay sends its SETUP twice.",
        breaks: ["setup.once", "session.one-setup"], in: "setup", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .setup else { return [act] }
            stream.held.append(act)
            if act == .finish { stream.transport.sendBeside(stream.heldBytes) }
            return [act]
        })

    static let setupWithPath = RelayFault(
        "setup-with-path", "The relay's SETUP has a path, which only clients have.",
        breaks: ["setup.no-client-parameters"], in: "setup", versions: .lite05 ... .lite06,
        by: .wire { act, stream in
            guard stream.kind == .setup, case .write = act,
                let bytes = try? Setup(path: "/anon", hop: 7).encodeStream(version: stream.version)
            else { return [act] }
            return [.write(bytes)]
        })

    static let unknownParameterFatal = RelayFault(
        "unknown-parameter-fatal", "A SETUP with a parameter that the relay does not know closes the session.",
        breaks: ["setup.unknown-parameter"], in: "setup", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .peerSetup(let setup) = event else { return [event] }
            let knowsAll = setup.parameters.allSatisfy { if case .unknown = $0 { false } else { true } }
            if knowsAll { return [event] }
            scene.core.refuse(scene.session, .protocolViolation, "an unknown parameter")
            return []
        })

    static let setupPathIgnored = RelayFault(
        "setup-path-ignored", "The path in SETUP is not looked at.",
        breaks: ["setup.path", "path.scope", "path.from-url"], in: "setup", versions: .lite05 ... .lite06,
        transports: [.quic, .tcp], by: .core)

    static let unknownRoleFatal = RelayFault(
        "unknown-role-fatal", "A SETUP with a role that the relay does not know closes the session.",
        breaks: ["setup.role"], in: "setup", versions: .lite05 ... .lite06,
        by: .events { event, scene in
            guard case .peerSetup(let setup) = event else { return [event] }
            let isUnknown = setup.parameters.contains { parameter in
                if case .role(let role) = parameter { SetupRole(rawValue: role) == nil } else { false }
            }
            if !isUnknown { return [event] }
            scene.core.refuse(scene.session, .protocolViolation, "an unknown role")
            return []
        })

    static let exchangeWrongVersion = RelayFault(
        "exchange-wrong-version", "SERVER_SETUP names the other one of 01 and 02.",
        breaks: ["exchange.order", "exchange.answer", "negotiation.exchange"], in: "exchange",
        versions: .lite01 ... .lite02,
        by: .wire { act, stream in
            guard stream.kind == .exchange, stream.writes == 0, case .write = act,
                let chosen = stream.transport.lite?.peerClientSetup.flatMap({ $0.choice(among: [.lite02, .lite01]) })
            else { return [act] }
            let other: Version = chosen == .lite02 ? .lite01 : .lite02
            return ((try? ServerSetup(version: other.setupCode).encode(version: other)).map { [.write($0)] }) ?? [act]
        })

    static let exchangeUnanswered = RelayFault(
        "exchange-unanswered", "CLIENT_SETUP gets no answer.",
        breaks: ["exchange.answer", "exchange.parameters", "exchange.order", "negotiation.exchange"], in: "exchange",
        versions: .lite01 ... .lite02, by: .session { $0.sendsSetup = false })

    static let exchangeEndIgnored = RelayFault(
        "exchange-end-ignored", "A session goes on when its peer has ended the session's stream.",
        breaks: ["exchange.end"], in: "exchange", versions: .lite01 ... .lite02, by: .close { _, _ in nil })

    static let goawayCloses = RelayFault(
        "goaway-closes", "A client that says GOAWAY loses its session.",
        breaks: ["session.goaway", "goaway.carries-on"], in: "session", versions: .lite04 ... .lite06,
        by: .events { event, scene in
            guard case .goaway = event else { return [event] }
            scene.core.refuse(scene.session, .goingAway, "going away")
            return []
        })

    static let probeUnanswered = RelayFault(
        "probe-unanswered", "PROBE streams stay without an answer.",
        breaks: ["session.probe", "probe.opened", "probe.unable", "setup.probe"], in: "session",
        versions: .lite03 ... .lite06,
        by: .session { $0.samplesProbe = false })

    static let sessionForgotten = RelayFault(
        "session-forgotten", "What a session asks 300 ms after its beginning is not heard any more.",
        breaks: ["session.keep-alive", "session.survives-outage", "quic.keeps-alive"], in: "session",
        by: .events { event, scene in
            if case .established = event {
                let close = SessionClose(initiator: .local, cause: .lost, reason: "forgotten")
                scene.hold(.closed(close), for: .milliseconds(300))
            }
            return [event]
        })

    static let everyThirdRefused = RelayFault(
        "every-third-refused", "Every third session is closed at once.",
        breaks: ["dialling.again", "relay.isolation"], in: "dialling", by: .core)

    static let orderOfClient = RelayFault(
        "order-turned-round", "Of the versions that a client offers the relay takes the oldest.",
        breaks: ["negotiation.order", "negotiation.protocol-name"], in: "negotiation",
        by: .configuration { $0.versions.reverse() })
}
