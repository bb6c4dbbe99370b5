import MoqTransport
import MoqWire

// What the bytes of a stream mean, by what the stream is for.

extension LiteSession {
    /// Takes everything from the stream that is complete. Returns false when no more is to be read from it now: the
    /// owner has enough, reading is paused, or the stream or the session is gone.
    func understand(_ stream: LiteStream) -> Bool {
        guard let version else { return understandBeforeVersion(stream) }
        guard !stream.isDiscarding else { return true }
        do throws(StreamFault) {
            if stream.purpose == .undetermined {
                guard let type = stream.decoder.nextStreamType() else { return true }
                try determine(stream, type: type, version: version)
            }
            try understandMessages(stream, version: version)
            return !isClosed && streams[stream.id] === stream && !stream.isQueued && !stream.isHeld
        } catch {
            fail(stream, error)
            return false
        }
    }

    private func determine(_ stream: LiteStream, type: UInt64, version: Version) throws(StreamFault) {
        switch stream.id.direction {
        case .unidirectional:
            switch UnidirectionalStreamType(type, version: version) {
            case .group: stream.purpose = .incomingGroup(IncomingGroupID(stream: stream.id))
            case .setup: stream.purpose = .incomingSetup
            case nil: throw unknownType(type)
            }
        case .bidirectional:
            guard let known = BidirectionalStreamType(type, version: version) else { throw unknownType(type) }
            guard incomingRequestCount < bounds.incomingRequests else {
                throw StreamFault(
                    "more requests are open than the \(bounds.incomingRequests) allowed", .tooManyRequests)
            }
            guard stream.sending == .open else {
                throw StreamFault("the peer stopped the answer before it asked", .cancelled)
            }
            receive(known, on: stream)
        }
    }

    private func unknownType(_ type: UInt64) -> StreamFault {
        StreamFault("unknown stream type 0x\(String(type, radix: 16))", .cancelled)
    }

    private var incomingRequestCount: Int {
        incomingAnnounces.count + incomingSubscriptions.count + incomingTracks.count + incomingFetches.count
            + probeAnswers.streams.count
    }

    private func receive(_ type: BidirectionalStreamType, on stream: LiteStream) {
        switch type {
        case .announce:
            let id = IncomingAnnounceID(stream: stream.id)
            stream.purpose = .incomingAnnounce(id)
            incomingAnnounces[id] = IncomingAnnounceRequest()
        case .subscribe:
            let id = IncomingSubscriptionID(stream: stream.id)
            stream.purpose = .incomingSubscription(id)
            incomingSubscriptions[id] = IncomingSubscription()
        case .track:
            let id = IncomingTrackID(stream: stream.id)
            stream.purpose = .incomingTrack(id)
            incomingTracks[id] = IncomingTrackRequest()
        case .fetch:
            let id = IncomingFetchID(stream: stream.id)
            stream.purpose = .incomingFetch(id)
            incomingFetches[id] = IncomingFetch()
        case .probe:
            stream.purpose = .incomingProbe
            noteMessage(on: stream)
            probeAnswers.add(stream.id)
        case .goaway:
            stream.purpose = .incomingGoaway
        }
    }

    private func understandMessages(_ stream: LiteStream, version: Version) throws(StreamFault) {
        switch stream.purpose {
        case .session: try understandSession(stream)
        case .incomingSetup: try understandSetup(stream, version: version)
        case .announceRequest(let id): try understandAnnouncements(id, stream, version: version)
        case .incomingAnnounce(let id): try understandAnnounceRequest(id, stream, version: version)
        case .subscription(let id): try understandSubscribeAnswers(id, stream, version: version)
        case .incomingSubscription(let id): try understandSubscribe(id, stream, version: version)
        case .incomingGroup(let id): try understandGroup(id, stream, version: version)
        case .trackRequest(let id): try understandTrackAnswer(id, stream, version: version)
        case .incomingTrack(let id): try understandTrackRequest(id, stream, version: version)
        case .fetch(let id): try understandFetchAnswer(id, stream)
        case .incomingFetch(let id): try understandFetch(id, stream, version: version)
        case .probe: try understandProbe(stream, version: version)
        case .incomingProbe:
            guard stream.decoder.isBetweenMessages else {
                throw StreamFault("the subscriber sent something on a Probe stream", .malformed)
            }
        case .goaway:
            guard stream.decoder.isBetweenMessages else { throw StreamFault("GOAWAY was answered", .malformed) }
        case .incomingGoaway: try understandGoaway(stream, version: version)
        case .undetermined, .setup, .outgoingGroup, .raw: break
        }
    }

    /// The peer finished a stream in the middle of a message.
    func checkEnd(of stream: LiteStream) throws(StreamFault) {
        guard stream.decoder.isBetweenMessages else {
            throw StreamFault("the stream ended inside a message", .malformed)
        }
    }
}
