import MoqHTTP3

/// The bounds on what a peer can make a WebTransport session keep. Bytes are bounded by QUIC's flow control: what is
/// not read opens no window.
enum WebTransportLimits {
    /// Streams that arrived before their session was accepted: a subscriber's first requests, and then some.
    static let heldStreams = 64
    /// Datagrams that did so.
    static let heldDatagrams = 32
    /// Requests on one connection, the CONNECT among them. Nobody needs more than one or two.
    static let requests = 64
    /// Streams that were turned away on one connection.
    static let refusedStreams = 256
    /// How long the peer's own close is waited for once it lets go of a stream that the session needs. Stacks that drop
    /// a session end all of its streams, those of HTTP/3 too, right before QUIC's close with the code (observed,
    /// moq-ffi 0.3.19).
    static let closeGrace: Duration = .milliseconds(100)
    /// Bytes that one read takes of a stream of HTTP/3's own.
    static let readSize = 16 << 10
    /// Bytes of a close's reason, as QUIC's own close carries it too.
    static let closeReason = 512
}

/// A stream of the peer's that does not belong to the session, or not yet.
final class ArrivingStream {
    /// What it turned out to be.
    enum Purpose {
        /// Its first bytes have not arrived.
        case unknown(StreamPrefixReader)
        /// It belongs to a session that was not accepted yet; `isFinished` when nothing but the end is left of it.
        case held(session: UInt64, isFinished: Bool)
        case control, qpackEncoder, qpackDecoder
        /// A request whose head is not whole.
        case request(RequestStreamReader)
        /// The CONNECT of the session.
        case connect
        /// Of no interest: what arrives is read past.
        case dropped
    }

    var purpose: Purpose
    /// A STOP_SENDING that arrived early, to be told with the stream.
    var stopCode: UInt64?
    /// A reset that arrived early, to be told with the stream.
    var resetCode: UInt64?

    init(_ purpose: Purpose) {
        self.purpose = purpose
    }
}
