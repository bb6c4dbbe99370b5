import MoqTransport
import MoqWire

/// A question of this side for a track's properties.
///
///     waiting -> requested -> answered
///
/// Our half stays open until the answer is there: newer peers take an earlier FIN for a cancel (observed on 0.4.9 and
/// 0.4.18, on 05 as well as 06).
struct OutgoingTrackRequest {
    let request: TrackRequest
    /// The stream, once there is one.
    private(set) var stream: StreamID?
    private(set) var isAnswered = false

    init(_ request: TrackRequest) {
        self.request = request
    }

    /// The stream is there.
    mutating func begin(on stream: StreamID) {
        self.stream = stream
    }

    /// Takes the answer from the stream; nil when more bytes are needed, or it is there already.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> TrackInfo? {
        guard !isAnswered else {
            guard stream.decoder.isBetweenMessages else { throw StreamFault("bytes follow TRACK_INFO", .malformed) }
            return nil
        }
        guard let info = try stream.message(TrackInfo.self, version: version) else { return nil }
        isAnswered = true
        return info
    }
}

/// A question of the peer for a track's properties.
struct IncomingTrackRequest {
    private(set) var isRequested = false

    /// Takes the question from the stream; nil when more bytes are needed, or it is there already.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> TrackRequest? {
        guard !isRequested else {
            guard stream.decoder.isBetweenMessages else { throw StreamFault("bytes follow TRACK", .malformed) }
            return nil
        }
        do throws(StreamFault) {
            guard let request = try stream.message(TrackRequest.self, version: version) else { return nil }
            isRequested = true
            return request
        } catch {
            throw error.ofRequest
        }
    }
}
