import MoqBase

/// One stream as the engine of one end sees it.
final class QmuxStream: Scheduled {
    enum Sending {
        /// More may be written.
        case open
        /// The end stands behind what is unsent.
        case finishing
        /// The end, or a reset, is out or owed; nothing more is sent.
        case ended
    }

    let id: StreamID

    // Our half.
    var sending: Sending
    var unsent = QmuxBytes()
    /// Bytes in frames handed to the byte stream.
    var sent: UInt64 = 0
    /// How far the peer lets us send.
    var sendLimit: UInt64
    /// `canWrite` was refused, so `writable` is owed.
    var wantsRoom = false
    /// The limit that a STREAM_DATA_BLOCKED named last.
    var blockedLimit: UInt64?
    var priority: SendPriority
    /// The turn in the schedule, 0 for none.
    var turn: UInt64 = 0
    /// It has something to send that the window of the connection does not allow.
    var waitsForConnection = false

    // The peer's half.
    var isReceiving: Bool
    var unread = QmuxBytes()
    /// Bytes that arrived.
    var received: UInt64 = 0
    /// How far the peer was told that it may send.
    var receiveLimit: UInt64
    /// Bytes that were read or dropped.
    var consumed: UInt64 = 0
    /// Where the peer's half ends, once that is known.
    var finalSize: UInt64?
    /// We asked the peer to stop; what still arrives is dropped.
    var isStopped = false
    /// `readable` was reported and the stream not emptied since.
    var isAnnounced = false

    // Frames that are owed to the peer.
    var owedReset: UInt64?
    var owedStop: UInt64?
    var owesLimit = false
    var owesBlocked = false

    init(id: StreamID, role: EndpointRole, sendLimit: UInt64, receiveLimit: UInt64) {
        self.id = id
        self.sendLimit = sendLimit
        self.receiveLimit = receiveLimit
        let isOwn = id.initiator == role
        sending = id.direction == .unidirectional && !isOwn ? .ended : .open
        isReceiving = id.direction == .bidirectional || !isOwn
        // Streams that carry requests go before groups, as on raw QUIC, until their owner says otherwise.
        priority = id.direction == .bidirectional ? .control : SendPriority(urgency: 0)
    }

    /// Whether a STREAM frame could go out, as far as this stream is concerned.
    var canSend: Bool {
        switch sending {
        case .ended: false
        case .open: !unsent.isEmpty && sent < sendLimit
        case .finishing: unsent.isEmpty || sent < sendLimit
        }
    }

    /// Whether bytes wait that the peer's window of this stream does not allow.
    var isBlocked: Bool { sending != .ended && !unsent.isEmpty && sent >= sendLimit }

    /// Whether nothing can happen on it any more, and nothing is owed.
    var isOver: Bool {
        sending == .ended && !isReceiving && owedReset == nil && owedStop == nil
    }
}
