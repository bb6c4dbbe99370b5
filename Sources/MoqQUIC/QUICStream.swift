import MoqBase

/// What a connection keeps of one stream.
final class QUICStream: Scheduled {
    /// What became of the half that sends.
    enum SendState {
        /// The peer's unidirectional stream has none.
        case absent
        case open
        /// `finish` was called; bytes may still be unsent.
        case finishing
        /// Everything was handed to ngtcp2, the end too.
        case finished
        case delivered
        case reset
    }

    /// What became of the half that receives.
    enum ReceiveState {
        /// Our unidirectional stream has none.
        case absent
        case open
        /// Everything of the peer's has arrived; bytes may still be unread.
        case complete
        /// The application has the end, the reset was reported, or we stopped it.
        case over
    }

    let id: QUICStreamID
    var priority: QUICStreamPriority
    /// The place in the schedule, 0 for none.
    var turn: UInt64 = 0

    var send = SendBuffer()
    var sendState: SendState
    /// The peer's flow control holds this stream back.
    var isBlocked = false
    /// `canWrite` was false, so `writable` is owed.
    var wasFull = false
    /// The end went out behind the last bytes, in a frame of its own.
    var endWentAlone = false
    /// A frame with the end and nothing else was acknowledged.
    var endAcknowledgedAlone = false
    var stopReported = false

    var received: [UInt8] = []
    /// Where the unread bytes start in `received`.
    var readPosition = 0
    var receiveState: ReceiveState
    var isAnnounced = false
    /// We stopped it before everything had arrived.
    var wasStopped = false

    /// The peer was allowed another stream in the place of this one.
    var isCredited = false
    /// ngtcp2 has forgotten the stream.
    var isForgotten = false

    init(id: QUICStreamID, isLocal: Bool) {
        self.id = id
        let isBidirectional = id.direction == .bidirectional
        priority = isBidirectional ? .control : QUICStreamPriority(urgency: 0)
        sendState = isLocal || isBidirectional ? .open : .absent
        receiveState = !isLocal || isBidirectional ? .open : .absent
    }

    var unread: Int { received.count - readPosition }

    /// Whether there is something to give to ngtcp2.
    var wantsToSend: Bool {
        switch sendState {
        case .open: send.unsent > 0 && !isBlocked
        case .finishing: !isBlocked
        case .absent, .finished, .delivered, .reset: false
        }
    }

    /// Takes up to `limit` unread bytes.
    func takeReceived(limit: Int) -> [UInt8] {
        if readPosition == 0, limit >= received.count {
            defer { received = [] }
            return received
        }
        let count = min(limit, unread)
        let bytes = Array(received[readPosition..<readPosition + count])
        readPosition += count
        if readPosition == received.count {
            received = []
            readPosition = 0
        } else if readPosition > 64 << 10, readPosition > received.count / 2 {
            // Moving the rest costs no more than reading what was before it did.
            received.removeSubrange(..<readPosition)
            readPosition = 0
        }
        return bytes
    }
}
