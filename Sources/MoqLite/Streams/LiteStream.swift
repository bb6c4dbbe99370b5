import MoqTransport
import MoqWire

/// One open stream of a session: its purpose, the state of its two halves and the bytes not understood yet.
///
/// What the stream's request or group is up to is kept in the session's table for that kind.
final class LiteStream {
    /// The half that this side writes.
    enum Sending {
        case open
        /// Finished; the peer has not acknowledged everything.
        case finishing
        /// Acknowledged, reset, stopped by the peer, or never there.
        case over
    }

    let id: StreamID
    var purpose: StreamPurpose
    var sending: Sending
    /// Whether something may still come from the peer.
    var isReceiving: Bool
    /// Read and not understood yet.
    var decoder = MessageDecoder()
    /// The peer's end was read; it stands behind what waits in the decoder.
    var isEndRead = false
    /// No message of the peer has been complete yet, on a stream that the peer opened.
    var isSilent: Bool
    /// What comes is read and dropped: everything that matters has been said.
    var isDiscarding = false
    /// A RESET that arrived and was not acted on, so that streams are heard in the order in which they spoke.
    var unhandledReset: StreamCode?
    /// A STOP_SENDING that arrived and was not acted on.
    var unhandledStop: StreamCode?
    /// Stands in the session's queue of streams to serve.
    var isQueued = false
    /// Has something to serve, and waits for the owner to resume reading.
    var isHeld = false

    init(id: StreamID, purpose: StreamPurpose, role: EndpointRole) {
        self.id = id
        self.purpose = purpose
        let isOwn = id.initiator == role
        sending = id.direction == .unidirectional && !isOwn ? .over : .open
        isReceiving = id.direction == .bidirectional || !isOwn
        isSilent = !isOwn
    }

    /// The next message, or nil when more bytes are needed.
    func message<M: WireMessage>(_ type: M.Type, version: Version) throws(StreamFault) -> M? {
        do throws(WireError) {
            return try decoder.next(type, version: version)
        } catch {
            throw StreamFault(error)
        }
    }

    /// Whether nothing can happen on the stream any more.
    var isOver: Bool { sending == .over && !isReceiving }
}
