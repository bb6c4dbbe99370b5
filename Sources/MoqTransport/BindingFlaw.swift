/// A way in which one end of a binding is wrong on purpose: what is at fault beneath the sessions of a relay that is
/// broken to see which case notices. A binding has none unless its owner says so.
public enum BindingFlaw: String, Hashable, Sendable, CaseIterable {
    /// A ping of Qmux is not answered.
    case qmuxPingUnanswered
    /// The client's order of protocol names decides in Qmux, where the server's should.
    case qmuxOrderOfClient
    /// Transport parameters are taken more than once.
    case qmuxParametersTwice
    /// A ping of WebSocket is not answered.
    case webSocketPingUnanswered
    /// A frame of a client that is not masked is taken.
    case webSocketMaskOptional
    /// A text message is taken as if it were a binary one.
    case webSocketTextTaken
    /// Any version of WebSocket is taken for 13.
    case webSocketAnyVersion
    /// A close is not answered with a close.
    case webSocketCloseUnanswered
    /// The last of the client's protocol names that is known is picked in WebTransport, where the first should be.
    case webTransportLastName
    /// What is no WebTransport is answered with 200.
    case webTransportStatusOK
    /// A session is closed without the capsule that says so.
    case webTransportCloseWithoutCapsule
    /// A stream of a session that does not exist is given to the one that does.
    case webTransportForeignStreams
    /// A second CONNECT gets 200 as well.
    case webTransportSecondSession
    /// What a CONNECT says that the server is called has to be its name.
    case webTransportAuthorityChecked
    /// What a CONNECT says that the server is called must not be an address.
    case webTransportAddressRefused
    /// A capsule of an unknown type ends the connection.
    case webTransportUnknownCapsulesFatal
    /// Whatever is wrong with HTTP/3, the connection ends with H3_INTERNAL_ERROR.
    case http3CodesLost
    /// What is wrong with SETTINGS is passed over.
    case http3SettingsForgiven
    /// Frames may stand where they must not.
    case http3FramesAnywhere
    /// What QPACK cannot decode is passed over.
    case http3QPACKForgiven
    /// A client may push.
    case http3PushTaken
    /// A stream of an unknown type ends the connection.
    case http3UnknownStreamsRefused
    /// GOAWAY of a client ends its session.
    case http3GoawayEnds
    /// A malformed request ends the connection.
    case http3MessageErrorsClose
    /// A stream that HTTP/3 itself needs may end.
    case http3CriticalStreamsEnd
    /// A datagram that cannot be read is passed over.
    case http3DatagramsUnread
    /// A stream of Qmux may go on behind its end.
    case qmuxFinalSizeIgnored
    /// Windows of Qmux are not looked at.
    case qmuxWindowsIgnored
    /// Streams beyond the limit of Qmux are passed over.
    case qmuxStreamLimitIgnored
    /// More than a hundred pings of Qmux end the connection.
    case qmuxPingsCounted
    /// What was read gives no new credit in Qmux.
    case qmuxCreditKept
    /// A peer of WebSocket that is silent is never given up.
    case webSocketNeverGivesUp
    /// Reserved bits of WebSocket's frames are passed over.
    case webSocketReservedBitsTaken
    /// Control frames of WebSocket may be in pieces.
    case webSocketControlsInPieces
    /// Any code may stand in a close of WebSocket.
    case webSocketAnyCloseCode
    /// More than a hundred pings of WebSocket end the connection.
    case webSocketPingsCounted
    /// More than 1000 bytes of unknown frames on the control stream end the connection.
    case http3UnknownFramesCounted
    /// A stream that comes before its CONNECT is turned away.
    case webTransportEarlyStreamsRefused
}
