import MoqTransport

// Faults beneath sessions: of HTTP/3, QPACK, WebTransport, Qmux and WebSocket.
extension RelayFault {
    static let bindingFaults = [
        http3CodesLost, http3SettingsForgiven, http3FramesAnywhere, http3QPACKForgiven, http3PushTaken,
        http3UnknownStreamsRefused, http3GoawayEnds, http3MessageErrorsClose, http3CriticalStreamsEnd,
        http3DatagramsUnread, webTransportAuthorityChecked, webTransportAddressRefused,
        webTransportUnknownCapsulesFatal, qmuxFinalSizeIgnored,
        qmuxPingsCounted, qmuxWindowsIgnored, qmuxStreamLimitIgnored, qmuxCreditKept, webSocketNeverGivesUp,
        webSocketReservedBitsTaken, webSocketControlsInPieces, webSocketAnyCloseCode,
    ]

    private static func beneath(
        _ name: String, _ about: String, breaks requirements: [String], in suite: String, _ flaw: BindingFlaw
    ) -> RelayFault {
        RelayFault(name, about, breaks: requirements, in: suite, by: .binding(flaw))
    }

    static let http3CodesLost = beneath(
        "http3-codes-lost", "Whatever is wrong with HTTP/3, the connection ends with H3_INTERNAL_ERROR.",
        breaks: [
            "http3.control-stream", "http3.settings", "http3.request", "http3.qpack", "http3.push", "http3.datagram",
            "http3.limits",
        ], in: "http3", .http3CodesLost)

    static let http3SettingsForgiven = beneath(
        "http3-settings-forgiven", "What is wrong with SETTINGS of HTTP/3 is passed over.",
        breaks: ["http3.settings", "http3.control-stream"], in: "http3", .http3SettingsForgiven)

    static let http3FramesAnywhere = beneath(
        "http3-frames-anywhere", "Frames of HTTP/3 may stand where they must not.",
        breaks: ["http3.settings", "http3.control-stream", "http3.request"], in: "http3", .http3FramesAnywhere)

    static let http3QPACKForgiven = beneath(
        "http3-qpack-forgiven", "What QPACK cannot decode is passed over.",
        breaks: ["http3.qpack"], in: "http3", .http3QPACKForgiven)

    static let http3PushTaken = beneath(
        "http3-push-taken", "A client may push, and take back what it allowed to be pushed.",
        breaks: ["http3.push"], in: "http3", .http3PushTaken)

    static let http3UnknownStreamsRefused = beneath(
        "http3-unknown-streams-refused", "A stream of HTTP/3 of an unknown type ends the connection.",
        breaks: ["http3.unknown-stream"], in: "http3", .http3UnknownStreamsRefused)

    static let http3GoawayEnds = beneath(
        "http3-goaway-ends", "A GOAWAY of HTTP/3 from a client ends its session.",
        breaks: ["http3.goaway"], in: "http3", .http3GoawayEnds)

    static let http3MessageErrorsClose = beneath(
        "http3-message-errors-close", "A malformed request ends the connection that it came on.",
        breaks: ["http3.message"], in: "http3", .http3MessageErrorsClose)

    static let http3CriticalStreamsEnd = beneath(
        "http3-critical-streams-end", "A stream that HTTP/3 itself needs may end.",
        breaks: ["http3.control-stream"], in: "http3", .http3CriticalStreamsEnd)

    static let http3DatagramsUnread = beneath(
        "http3-datagrams-unread", "A datagram that cannot be read is passed over.",
        breaks: ["http3.datagram"], in: "http3", .http3DatagramsUnread)

    static let webTransportAuthorityChecked = beneath(
        "authority-checked", "A CONNECT has to name the relay as its certificate does.",
        breaks: ["dialling.authority", "dialling.address"], in: "dialling", .webTransportAuthorityChecked)

    static let webTransportAddressRefused = beneath(
        "address-refused", "A CONNECT that names an address in place of a name is refused.",
        breaks: ["dialling.address"], in: "dialling", .webTransportAddressRefused)

    static let webTransportUnknownCapsulesFatal = beneath(
        "unknown-capsules-fatal", "A capsule that the relay does not know closes the session.",
        breaks: ["webtransport.capsules", "limit.noise"], in: "hostile.transports", .webTransportUnknownCapsulesFatal)

    static let qmuxFinalSizeIgnored = beneath(
        "qmux-final-size-ignored", "A stream of Qmux may go on behind its end.",
        breaks: ["qmux.final-size"], in: "qmux", .qmuxFinalSizeIgnored)

    static let qmuxPingsCounted = beneath(
        "pings-counted", "A client of Qmux that sends more than a hundred pings loses its connection.",
        breaks: ["limit.noise", "qmux.ping"], in: "hostile.transports", .qmuxPingsCounted)

    static let qmuxWindowsIgnored = beneath(
        "qmux-windows-ignored", "A client may send more than the windows of Qmux allow.",
        breaks: ["qmux.flow-control"], in: "qmux", .qmuxWindowsIgnored)

    static let qmuxStreamLimitIgnored = beneath(
        "qmux-stream-limit-ignored", "A stream of Qmux beyond the limit is passed over.",
        breaks: ["qmux.stream-limit"], in: "qmux", .qmuxStreamLimitIgnored)

    static let qmuxCreditKept = beneath(
        "qmux-credit-kept", "What the relay has read gives a client of Qmux no new credit.",
        breaks: ["qmux.credit-returned", "relay.flow-control"], in: "qmux", .qmuxCreditKept)

    static let webSocketNeverGivesUp = beneath(
        "websocket-dead-client-kept", "A client of WebSocket that answers no ping is kept for ever.",
        breaks: ["websocket.dead-client"], in: "websocket", .webSocketNeverGivesUp)

    static let webSocketReservedBitsTaken = beneath(
        "websocket-reserved-bits-taken", "Reserved bits of WebSocket's frames are passed over.",
        breaks: ["websocket.frames"], in: "websocket.frames", .webSocketReservedBitsTaken)

    static let webSocketControlsInPieces = beneath(
        "websocket-controls-in-pieces", "Control frames of WebSocket may be in pieces.",
        breaks: ["websocket.frames"], in: "websocket.frames", .webSocketControlsInPieces)

    static let webSocketAnyCloseCode = beneath(
        "websocket-any-close-code", "Any code may stand in a close of WebSocket.",
        breaks: ["websocket.close", "websocket.frames"], in: "websocket.frames", .webSocketAnyCloseCode)
}
