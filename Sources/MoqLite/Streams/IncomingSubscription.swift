import MoqTransport
import MoqWire

/// A subscription of the peer.
///
///     awaiting -> open -> finishing (waits for the last groups to be delivered)
struct IncomingSubscription {
    /// Whether SUBSCRIBE_END was sent.
    var isEndTold = false
    /// Whether the reader ended its half behind SUBSCRIBE_END.
    var hasReaderEnded = false
    /// How many group streams were opened for it.
    var openedGroups: UInt64 = 0
    /// What one message of the peer says.
    enum Message {
        case request(Subscribe)
        case update(SubscribeUpdate)
    }

    private enum State {
        case awaiting
        case open(Subscribe)
        case finishing(Subscribe)
    }

    private var state = State.awaiting
    /// SUBSCRIBE_OK was written: up to 04 its echo, later the first group.
    private(set) var isConfirmed = false
    /// The groups on their way.
    var groups: Set<OutgoingGroupID> = []

    /// What was asked for, once that is known.
    var request: Subscribe? {
        switch state {
        case .awaiting: nil
        case .open(let request), .finishing(let request): request
        }
    }

    /// Whether groups may be opened.
    var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// Whether the end is to be written once no group is on its way.
    var isFinishing: Bool {
        if case .finishing = state { return true }
        return false
    }

    /// Takes the next message from the stream; nil when more bytes are needed.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> Message? {
        guard case .awaiting = state else {
            guard version.hasSubscribeUpdate else {
                guard stream.decoder.isBetweenMessages else { throw StreamFault("bytes follow SUBSCRIBE", .malformed) }
                return nil
            }
            return try stream.message(SubscribeUpdate.self, version: version).map { .update($0) }
        }
        do throws(StreamFault) {
            guard let request = try stream.message(Subscribe.self, version: version) else { return nil }
            state = .open(request)
            return .request(request)
        } catch {
            throw error.ofRequest
        }
    }

    /// SUBSCRIBE_OK up to 04; nil where there is none, or it was written before.
    mutating func accept(version: Version) -> [UInt8]? {
        guard case .open(let request) = state, version.subscribeAnswerIsOK, !isConfirmed else { return nil }
        isConfirmed = true
        let echo = SubscribeOptions(priority: request.options.priority)
        return try? SubscribeAnswer.ok(echo).encode(version: version)
    }

    /// SUBSCRIBE_OK of 05 and later; nil where there is none, or it was written before.
    mutating func start(group: UInt64, largest: TrackPosition?, version: Version) -> [UInt8]? {
        guard case .open = state, !version.subscribeAnswerIsOK, !isConfirmed else { return nil }
        isConfirmed = true
        return try? SubscribeAnswer.start(group: group, largest: largest).encode(version: version)
    }

    /// From now on no group is opened.
    mutating func finish() {
        if case .open(let request) = state { state = .finishing(request) }
    }
}
