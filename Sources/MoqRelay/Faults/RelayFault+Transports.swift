import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Faults beneath sessions, and of what delivery owes to slow and fast readers.
extension RelayFault {
    static let transportFaults = [
        qmuxPingUnanswered, qmuxOrderOfClient, qmuxParametersTwice, webSocketPingUnanswered, webSocketMaskOptional,
        webSocketTextTaken, webSocketAnyVersion, webSocketCloseUnanswered, webTransportLastName,
        webTransportStatusOK, webTransportCloseWithoutCapsule, webTransportForeignStreams, webTransportSecondSession,
        datagramAsStream, datagramLost, datagramDoubled, slowReaderBlocks,
    ]

    private static let overHTTP3: [TransportKind] = [.webtransport, .quic]

    static let qmuxPingUnanswered = RelayFault(
        "qmux-ping-unanswered", "Pings of Qmux are not answered.",
        breaks: ["qmux.ping"], in: "qmux", by: .binding(.qmuxPingUnanswered))

    static let qmuxOrderOfClient = RelayFault(
        "qmux-order-of-client", "In Qmux over TCP the client's order of versions decides.",
        breaks: ["negotiation.order", "qmux.protocol", "wire.grammar"], in: "negotiation",
        by: .binding(.qmuxOrderOfClient))

    static let qmuxParametersTwice = RelayFault(
        "qmux-parameters-twice", "Transport parameters of Qmux may come twice.",
        breaks: ["qmux.parameters"], in: "qmux", by: .binding(.qmuxParametersTwice))

    static let webSocketPingUnanswered = RelayFault(
        "websocket-ping-unanswered", "Pings of WebSocket are not answered.",
        breaks: ["websocket.ping"], in: "websocket", by: .binding(.webSocketPingUnanswered))

    static let webSocketMaskOptional = RelayFault(
        "websocket-mask-optional", "Frames of clients that are not masked are taken.",
        breaks: ["websocket.frames"], in: "websocket", by: .binding(.webSocketMaskOptional))

    static let webSocketTextTaken = RelayFault(
        "websocket-text-taken", "A text message is taken for a binary one.",
        breaks: ["websocket.frames"], in: "websocket", by: .binding(.webSocketTextTaken))

    static let webSocketAnyVersion = RelayFault(
        "websocket-any-version", "Any version of WebSocket is taken for 13.",
        breaks: ["websocket.upgrade"], in: "websocket", by: .binding(.webSocketAnyVersion))

    static let webSocketCloseUnanswered = RelayFault(
        "websocket-close-unanswered", "A close of WebSocket is not answered with a close.",
        breaks: ["websocket.close"], in: "websocket", by: .binding(.webSocketCloseUnanswered))

    static let webTransportLastName = RelayFault(
        "webtransport-last-name", "Of the protocols that a client offers the relay takes the last that it knows.",
        breaks: ["negotiation.order", "webtransport.connect"], in: "negotiation", by: .binding(.webTransportLastName))

    static let webTransportStatusOK = RelayFault(
        "webtransport-status-ok", "A request that is no WebTransport is answered with 200.",
        breaks: ["webtransport.refused-request"], in: "webtransport", by: .binding(.webTransportStatusOK))

    static let webTransportCloseWithoutCapsule = RelayFault(
        "webtransport-close-without-capsule", "A session is closed without the capsule that says so.",
        breaks: ["webtransport.close"], in: "webtransport", by: .binding(.webTransportCloseWithoutCapsule))

    static let webTransportForeignStreams = RelayFault(
        "webtransport-foreign-streams", "A stream of a session that does not exist is given to the one that does.",
        breaks: ["webtransport.foreign-streams"], in: "webtransport", by: .binding(.webTransportForeignStreams))

    static let webTransportSecondSession = RelayFault(
        "webtransport-second-session", "A second CONNECT on a connection gets 200 as well.",
        breaks: ["webtransport.one-session"], in: "webtransport", by: .binding(.webTransportSecondSession))

    static let datagramAsStream = RelayFault(
        "datagram-as-stream", "What comes as a datagram is sent on as a group stream.",
        breaks: ["datagram.no-stream", "datagram.forwarded"], in: "datagrams", versions: .lite05 ... .lite06,
        transports: overHTTP3,
        by: .datagrams { bytes, transport in
            guard let version = transport.lite?.version, let datagram = try? Datagram.decode(bytes, version: version)
            else { return [bytes] }
            let head = GroupHeader(subscribeID: datagram.header.subscribeID, sequence: datagram.header.sequence)
            var encoder = FrameEncoder(version: version)
            let frame = Frame(timestamp: datagram.header.timestamp, payload: datagram.payload)
            if let head = try? head.encodeStream(version: version), let body = try? encoder.encode(frame) {
                transport.sendBeside(head + body)
            }
            return []
        })

    static let datagramLost = RelayFault(
        "datagram-lost", "Datagrams are not passed on.",
        breaks: ["datagram.forwarded"], in: "datagrams", versions: .lite05 ... .lite06, transports: overHTTP3,
        by: .datagrams { _, _ in [] })

    static let datagramDoubled = RelayFault(
        "datagram-doubled", "Every datagram is passed on twice.",
        breaks: ["datagram.unchanged", "datagram.forwarded"], in: "datagrams", versions: .lite05 ... .lite06,
        transports: overHTTP3, by: .datagrams { bytes, _ in [bytes, bytes] })

    static let slowReaderBlocks = RelayFault(
        "slow-reader-blocks", "While one session does not read, nobody gets anything.",
        breaks: ["relay.slow-reader-isolated"], in: "delivery",
        by: .room { stream, transport in
            let key = "blocked"
            if let blocker = transport.memory.number(key), blocker != UInt64(transport.number) { return false }
            let hasRoom = transport.inner.canWrite(stream)
            transport.memory.note(key, hasRoom ? nil : UInt64(transport.number))
            return hasRoom
        })
}
