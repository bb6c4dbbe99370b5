import MoqTransport
import MoqWire

/// A subscription of this side.
///
///     waiting -> requested -> confirmed (up to 04: SUBSCRIBE_OK; later: nothing has to be confirmed)
///
/// `isLeft` is beside that: this side has unsubscribed, and the peer's half is still to end.
struct OutgoingSubscription {
    private enum State {
        case waiting
        case requested
        case confirmed
    }

    private(set) var request: Subscribe
    /// The stream, once there is one.
    private(set) var stream: StreamID?
    /// This side has unsubscribed.
    var isLeft = false
    /// How many group streams have come.
    var arrivedGroups: UInt64 = 0
    /// How many there are in all, once the publisher has said so (07).
    private(set) var announcedGroups: UInt64?
    private var state = State.waiting

    init(_ request: Subscribe) {
        self.request = request
    }

    /// Replaces the options of a request that still waits for its stream.
    mutating func replace(_ options: SubscribeOptions) {
        request.options = options
    }

    /// The stream is there.
    mutating func begin(on stream: StreamID, version: Version) {
        self.stream = stream
        state = version.subscribeAnswerIsOK ? .requested : .confirmed
    }

    /// Takes the next answer from the stream; nil when more bytes are needed.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> SubscribeAnswer? {
        guard let answer = try stream.message(SubscribeAnswer.self, version: version) else { return nil }
        switch (state, answer) {
        case (.requested, .ok):
            state = .confirmed
        case (.requested, _):
            throw StreamFault("the first answer to SUBSCRIBE is not SUBSCRIBE_OK", .protocolViolation)
        case (.confirmed, .ok):
            throw StreamFault("SUBSCRIBE_OK came twice", .protocolViolation)
        default:
            break
        }
        if case .end(_, let streams) = answer, version.subscriberEndsFirst { announcedGroups = streams }
        return answer
    }

    /// Whether the publisher waits for our end, and nothing of the track is still to come (07).
    var isComplete: Bool { announcedGroups.map { arrivedGroups >= $0 } ?? false }

    /// Whether a FIN of the peer would come before the answer that has to be there.
    var isUnanswered: Bool {
        if case .requested = state { return !isLeft }
        return false
    }
}
