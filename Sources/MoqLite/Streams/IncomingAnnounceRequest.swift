import MoqTransport
import MoqWire

/// A request of the peer for announcements: how this side's announcements are written on its stream.
///
///     awaiting -> requested -> answered
struct IncomingAnnounceRequest {
    private enum State {
        case awaiting
        case requested(AnnounceRequest)
        case answered(AnnounceRequest)
    }

    private var state = State.awaiting
    private var nextNumber: UInt64 = 0
    /// The live broadcasts by full path, with their numbers on this stream (all 0 before 06).
    private var live: [BroadcastPath: UInt64] = [:]

    /// Whether the owner was told of the request.
    var isRequested: Bool {
        if case .awaiting = state { return false }
        return true
    }

    /// Takes the request from the stream; nil when more bytes are needed, or it is there already.
    mutating func next(from stream: LiteStream, version: Version) throws(StreamFault) -> AnnounceRequest? {
        guard case .awaiting = state else {
            guard stream.decoder.isBetweenMessages else {
                throw StreamFault("bytes follow ANNOUNCE_REQUEST", .malformed)
            }
            return nil
        }
        guard let request = try stream.message(AnnounceRequest.self, version: version) else { return nil }
        state = .requested(request)
        return request
    }

    /// Answers with the present set: the bytes to write, or nil when the request is not there or answered before.
    /// What cannot be said (other prefixes, repeated paths, too many hops) is left out.
    mutating func answer(_ active: [Announced], hop: UInt64, version: Version) -> [UInt8]? {
        guard case .requested(let request) = state else { return nil }
        state = .answered(request)
        if version.hasAnnounceInit { return answerAtOnce(active, request, version: version) }
        var announcements: [UInt8] = []
        for announced in active where live[announced.path] == nil {
            announcements += announce(announced, hop: hop, version: version) ?? []
        }
        guard version.hasAnnounceOK else { return announcements }
        let answer = AnnounceOK(hop: hop, activeCount: UInt64(live.count))
        return (try? answer.encode(version: version)).map { $0 + announcements }
    }

    /// The present set as 01 and 02 have it: all in one message, and behind it what that message does not hold.
    private mutating func answerAtOnce(
        _ active: [Announced], _ request: AnnounceRequest, version: Version
    ) -> [UInt8]? {
        var initial = AnnounceInit(suffixes: [])
        var size = 16
        var rest: [UInt8] = []
        for announced in active where live[announced.path] == nil {
            guard let suffix = announced.path.suffix(after: request.prefix) else { continue }
            size += suffix.text.utf8.count + 4
            if size <= AnnounceInit.bodyLimit {
                live[announced.path] = nextNumber
                initial.suffixes.append(suffix)
            } else {
                rest += announce(announced, hop: 0, version: version) ?? []
            }
        }
        return (try? initial.encode(version: version)).map { $0 + rest }
    }

    /// Announces a broadcast, or on 05 and later another way to one that is live; nil when that cannot be said here.
    mutating func announce(_ announced: Announced, hop: UInt64, version: Version) -> [UInt8]? {
        guard case .answered(let request) = state, let suffix = announced.path.suffix(after: request.prefix),
            !version.hasHiddenRoutes || request.wants(suffix),
            let hops = version.hopsIncludeSender ? announced.hops.appending(hop) : announced.hops
        else { return nil }
        let number = live[announced.path]
        let message: Announcement
        if version.hasAnnounceIDs {
            guard hops.repeatedID == nil else { return nil }
            message =
                number.map { .update(id: $0, hops: hops, cost: announced.cost) }
                ?? .start(suffix, hops: hops, cost: announced.cost, epoch: version.hasEpochs ? announced.epoch : nil)
        } else {
            // A second `active` closes the session of known peers up to 04.
            guard number == nil || version.repeatedActiveReplaces else { return nil }
            message = .active(suffix, hops: hops)
        }
        guard let bytes = try? message.encode(version: version) else { return nil }
        if number == nil {
            live[announced.path] = nextNumber
            if version.hasAnnounceIDs { nextNumber += 1 }
        }
        return bytes
    }

    /// Takes a broadcast back; nil when it is not live here.
    mutating func withdraw(_ path: BroadcastPath, version: Version) -> [UInt8]? {
        guard case .answered(let request) = state, let suffix = path.suffix(after: request.prefix),
            let number = live.removeValue(forKey: path)
        else { return nil }
        let message: Announcement = version.hasAnnounceIDs ? .end(id: number) : .ended(suffix)
        return try? message.encode(version: version)
    }
}
