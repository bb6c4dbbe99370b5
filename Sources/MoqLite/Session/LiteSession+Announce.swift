import MoqTransport
import MoqWire

// Announcements, both ways.

extension LiteSession {
    // MARK: Watching

    /// Asks for the broadcasts below a prefix. `excludeHop` is a hop whose routes are not wanted (04 and 05).
    @discardableResult
    public func requestAnnouncements(prefix: BroadcastPath, excludeHop: UInt64 = 0) -> AnnounceRequestID {
        let id = newAnnounceRequestID()
        guard !isClosed else { return id }
        announceRequests[id] = OutgoingAnnounceRequest(AnnounceRequest(prefix: prefix, excludeHop: excludeHop))
        place(.announce(id))
        return id
    }

    /// Wants no more announcements: finishes our half. `announcementsEnded` follows once the peer has ended its own;
    /// announcements that still arrive are dropped.
    public func cancelAnnouncements(_ id: AnnounceRequestID) {
        guard let request = announceRequests[id], !withdraw(.announce(id)) else { return }
        announceRequests[id]?.isCancelled = true
        if let stream = request.stream.flatMap({ streams[$0] }) { finishOwnHalf(stream) }
    }

    func understandAnnouncements(
        _ id: AnnounceRequestID, _ stream: LiteStream, version: Version
    ) throws(StreamFault) {
        while hasRoomForEvents {
            let before = announceRequests[id]?.liveCount ?? 0
            guard let change = try announceRequests[id]?.next(from: stream, version: version) else { return }
            liveAnnouncements += (announceRequests[id]?.liveCount ?? 0) - before
            guard liveAnnouncements <= bounds.liveAnnouncements else {
                throw StreamFault(
                    "more than \(bounds.liveAnnouncements) announcements are live", .tooManyRequests)
            }
            guard announceRequests[id]?.isCancelled == false else { continue }
            switch change {
            case .answered(let answer):
                emit(.announceAnswered(id, hop: answer.hop, activeCount: answer.activeCount))
            case .announced(let announced, let isUpdate): emit(.announced(id, announced, isUpdate: isUpdate))
            case .ended(let path): emit(.unannounced(id, path))
            case .nothing: break
            }
        }
        enqueue(stream)
    }

    // MARK: Announcing

    /// Answers a request with the present set. What is not below its prefix, or cannot be said in the version (too
    /// many hops), is left out. False when the request is gone or was answered before.
    @discardableResult
    public func answerAnnounce(_ id: IncomingAnnounceID, active: [Announced]) -> Bool {
        guard let version else { return false }
        return write(incomingAnnounces[id]?.answer(active, hop: configuration.hopID, version: version), to: id.stream)
    }

    /// Announces a broadcast, or another way to one that is live: an update on 06, a repeated `active` on 05, and not
    /// possible before (withdraw it first). False when nothing was sent.
    @discardableResult
    public func announce(_ id: IncomingAnnounceID, _ announced: Announced) -> Bool {
        guard let version else { return false }
        return write(
            incomingAnnounces[id]?.announce(announced, hop: configuration.hopID, version: version), to: id.stream)
    }

    /// Takes a broadcast back. False when it is not live on that request.
    @discardableResult
    public func unannounce(_ id: IncomingAnnounceID, _ path: BroadcastPath) -> Bool {
        guard let version else { return false }
        return write(incomingAnnounces[id]?.withdraw(path, version: version), to: id.stream)
    }

    /// Ends the announcements of a request in order: the peer takes all of them as gone.
    public func finishAnnounce(_ id: IncomingAnnounceID) {
        guard incomingAnnounces.removeValue(forKey: id) != nil, let stream = streams[id.stream] else { return }
        stream.isDiscarding = true
        finishOwnHalf(stream)
    }

    /// Resets an Announce stream. Known subscribers close their session when that happens to them (observed), so this
    /// is for tests, and for a peer that asks without measure.
    public func resetAnnounce(_ id: IncomingAnnounceID, code: StreamCode) {
        guard incomingAnnounces.removeValue(forKey: id) != nil, let stream = streams[id.stream] else { return }
        resetOwnHalf(stream, code: code)
        stopPeerHalf(stream, .cancelled)
        settle(stream)
    }

    func understandAnnounceRequest(
        _ id: IncomingAnnounceID, _ stream: LiteStream, version: Version
    ) throws(StreamFault) {
        while let request = try incomingAnnounces[id]?.next(from: stream, version: version) {
            noteMessage(on: stream)
            emit(.announceRequested(id, prefix: request.prefix, excludeHop: request.excludeHop))
        }
    }

    /// Writes bytes, if there are any to write, on a stream whose half is open.
    func write(_ bytes: [UInt8]?, to id: StreamID) -> Bool {
        guard let bytes, let stream = streams[id], stream.sending == .open else { return false }
        if !bytes.isEmpty { transport.write(bytes, to: id) }
        return true
    }
}
