import MoqTransport
import MoqWire

/// A fetch of this side. As with TRACK, our half stays open until the answer is complete.
///
///     waiting -> arriving
struct OutgoingFetch {
    let request: Fetch
    /// The stream, once there is one.
    private(set) var stream: StreamID?
    /// What arrives of the answer, once there is a stream.
    var frames: ArrivingFrames?

    init(_ request: Fetch) {
        self.request = request
    }

    /// The stream is there.
    mutating func begin(on stream: StreamID, version: Version, frameLimit: Int) {
        self.stream = stream
        frames = ArrivingFrames(version: version, frameLimit: frameLimit, firstIndex: request.frameStart)
    }
}

/// A fetch of the peer.
///
///     awaiting -> answering
struct IncomingFetch {
    private enum State {
        case awaiting
        case answering(FrameEncoder)
    }

    private var state = State.awaiting

    /// Whether the owner was told of the request.
    var isRequested: Bool {
        if case .answering = state { return true }
        return false
    }

    /// Takes the request from the stream; nil when more bytes are needed, or it is there already.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> Fetch? {
        guard case .awaiting = state else {
            guard stream.decoder.isBetweenMessages else { throw StreamFault("bytes follow FETCH", .malformed) }
            return nil
        }
        do throws(StreamFault) {
            guard let request = try stream.message(Fetch.self, version: version) else { return nil }
            state = .answering(FrameEncoder(version: version))
            return request
        } catch {
            throw error.ofRequest
        }
    }

    /// The head of the answer's next frame; nil when it cannot be written.
    mutating func head(of frame: Frame) -> [UInt8]? {
        guard case .answering(var encoder) = state else { return nil }
        defer { state = .answering(encoder) }
        return try? encoder.header(timestamp: frame.timestamp, size: frame.payload.count)
    }
}
