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
}
