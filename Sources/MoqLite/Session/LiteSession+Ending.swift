import MoqTransport
import MoqWire

// How streams, requests and the session end.

extension LiteSession {
    // MARK: The halves of a stream

    /// The peer finished its half, and everything before was understood.
    func takeEnd(_ stream: LiteStream) {
        do throws(StreamFault) {
            try understandEnd(stream)
        } catch {
            fail(stream, error)
            return
        }
        settle(stream)
    }

    private func understandEnd(_ stream: LiteStream) throws(StreamFault) {
        guard !stream.isDiscarding else {
            finishOwnHalf(stream)
            return
        }
        switch stream.purpose {
        case .session:
            try checkEnd(of: stream)
            return sessionStreamEnded()
        case .raw:
            emit(.rawEnded(stream.id, .finished))
            return
        case .incomingGroup(let id):
            guard let group = incomingGroups[id] else { throw StreamFault("the stream ended before GROUP", .malformed) }
            try group.frames.finish()
        case .fetch(let id):
            try fetches[id]?.frames?.finish()
        case .trackRequest(let id):
            try checkEnd(of: stream)
            if trackRequests[id]?.isAnswered == false {
                throw StreamFault("the peer finished without TRACK_INFO", .protocolViolation)
            }
        case .subscription(let id):
            try checkEnd(of: stream)
            if subscriptions[id]?.isUnanswered == true {
                throw StreamFault("the peer finished before SUBSCRIBE_OK", .protocolViolation)
            }
        case .incomingTrack(let id):
            guard incomingTracks[id]?.isRequested != false else { throw endedEarly.ofRequest }
            return takeWithdrawal(of: stream)
        case .incomingFetch(let id):
            guard incomingFetches[id]?.isRequested != false else { throw endedEarly.ofRequest }
            return takeWithdrawal(of: stream)
        case .incomingAnnounce(let id):
            guard incomingAnnounces[id]?.isRequested != false else { throw endedEarly.ofRequest }
        case .incomingSubscription(let id):
            guard incomingSubscriptions[id]?.request != nil || incomingSubscriptions[id] == nil else {
                throw endedEarly.ofRequest
            }
            try checkEnd(of: stream)
            if outlivesItsReader(stream) { return }
        case .undetermined, .incomingSetup:
            throw endedEarly.ofRequest
        default:
            try checkEnd(of: stream)
        }
        conclude(stream, .finished)
        finishOwnHalf(stream)
    }

    /// A question that is withdrawn by the end of its half is reset (releases 0.4.9 and later, observed): an end in good
    /// order would be an answer, "no properties" or "an empty group".
    private func takeWithdrawal(of stream: LiteStream) {
        guard isCancelledByEnd else { return }
        conclude(stream, .finished)
        resetOwnHalf(stream, .cancelled)
    }

    private var endedEarly: StreamFault { StreamFault("the stream ended before its message", .malformed) }

    /// From 06 on a FIN behind TRACK or FETCH withdraws it; on 05 it only ends the question (releases up to 0.3 send
    /// it, observed).
    private var isCancelledByEnd: Bool { version?.endWithdrawsRequests ?? true }

    /// The peer reset its half.
    func takeReset(_ stream: LiteStream, _ code: StreamCode) {
        if outlivesItsReader(stream) { return }
        conclude(stream, .reset(code))
        switch stream.purpose {
        case .session: sessionStreamEnded()
        case .raw: emit(.rawEnded(stream.id, .reset(code)))
        // A reset Announce stream closes the session of known subscribers, so even a reset one is ended in order.
        case .incomingAnnounce: finishOwnHalf(stream)
        default: resetOwnHalf(stream, .cancelled)
        }
    }

    /// Whether a subscription goes on although its reader ended its half: one that has heard the end of the track lets
    /// go at once, and still takes the groups below the end (0.3.19 and 0.4.18, observed).
    private func outlivesItsReader(_ stream: LiteStream) -> Bool {
        guard case .incomingSubscription(let id) = stream.purpose, incomingSubscriptions[id]?.isEndTold == true else {
            return false
        }
        incomingSubscriptions[id]?.hasReaderEnded = true
        finishIfDrained(id)
        return true
    }

    /// The peer wants no more on our half, which the transport has reset.
    func takeStop(_ stream: LiteStream, _ code: StreamCode) {
        switch stream.purpose {
        case .outgoingGroup(let id):
            endGroup(id, .groupStopped(id, code))
        case .raw:
            emit(.rawStopped(stream.id, code))
        case .incomingAnnounce, .incomingSubscription, .incomingTrack, .incomingFetch, .incomingProbe:
            // Not every transport resets what was stopped by itself, and the peer must not wait for more.
            resetOwnHalf(stream, .cancelled)
            conclude(stream, .stopped(code))
            stopPeerHalf(stream, .cancelled)
        default:
            // Publishers that have said all there is to say drop our half of the request, which tells nothing.
            break
        }
    }

    func finishOwnHalf(_ stream: LiteStream) {
        guard stream.sending == .open else { return }
        stream.sending = .finishing
        transport.finish(stream.id)
    }

    func resetOwnHalf(_ stream: LiteStream, _ condition: ErrorCondition) {
        resetOwnHalf(stream, code: resetCode(condition))
    }

    func resetOwnHalf(_ stream: LiteStream, code: StreamCode) {
        // A half that was finished stays so: what it says may still be on its way to a peer that wants it.
        guard stream.sending == .open else { return }
        stream.sending = .over
        transport.reset(stream.id, code: code)
    }

    func stopPeerHalf(_ stream: LiteStream, _ condition: ErrorCondition) {
        stopPeerHalf(stream, code: stopCode(condition))
    }

    func stopPeerHalf(_ stream: LiteStream, code: StreamCode) {
        guard stream.isReceiving else { return }
        stream.isReceiving = false
        transport.stop(stream.id, code: code)
    }

    // MARK: What the peer did wrong

    /// Acts on a fault as the kind of its stream wants it.
    func fail(_ stream: LiteStream, _ fault: StreamFault) {
        switch stream.purpose {
        case .announceRequest, .incomingSetup, .session:
            closeForViolation(stream.id, fault)
        case .incomingGoaway where fault.condition == .protocolViolation:
            closeForViolation(stream.id, fault)
        case .undetermined where waitsForSetup && stream.id.direction == .unidirectional:
            closeForViolation(stream.id, StreamFault(fault.text, .protocolViolation))
        default:
            refuse(stream, fault)
        }
    }

    /// Ends both halves of a stream; the session goes on.
    func refuse(_ stream: LiteStream, _ fault: StreamFault) {
        emit(.violation(stream.id, fault.text, .streamRefused))
        resetOwnHalf(stream, fault.condition)
        stopPeerHalf(stream, fault.condition)
        // The peer may have finished its half already, which leaves nothing to stop.
        stream.isReceiving = false
        conclude(stream, .malformed(fault.text, as: fault.condition))
        settle(stream)
    }

    /// Closes the session because of what the peer did.
    func closeForViolation(_ stream: StreamID?, _ fault: StreamFault) {
        guard !isClosed else { return }
        emit(.violation(stream, fault.text, .sessionClosed))
        close(code: closeCode(fault.condition), reason: fault.text)
    }

    // MARK: Requests and groups

    /// Ends what a stream was for.
    private func conclude(_ stream: LiteStream, _ end: StreamEnd) {
        if stream.purpose == .incomingProbe { probeAnswers.remove(stream.id) }
        conclude(stream.purpose, end)
    }

    /// Ends what a stream was for, in the tables and for the owner; nothing when that was done before.
    func conclude(_ purpose: StreamPurpose, _ end: StreamEnd) {
        switch purpose {
        case .announceRequest(let id):
            guard let request = announceRequests.removeValue(forKey: id) else { return }
            liveAnnouncements -= request.liveCount
            emit(.announcementsEnded(id, end))
        case .incomingAnnounce(let id):
            guard let request = incomingAnnounces.removeValue(forKey: id), request.isRequested else { return }
            emit(.announceCancelled(id, end))
        case .subscription(let id): concludeSubscription(id, end)
        case .incomingSubscription(let id): concludeIncomingSubscription(id, end)
        case .incomingGroup(let id):
            guard let group = incomingGroups.removeValue(forKey: id) else { return }
            incompleteFrameBytes -= group.frames.heldBytes
            emit(.groupEnded(id, end))
        case .outgoingGroup(let id):
            outgoingGroups[id] = nil
        case .trackRequest(let id):
            guard trackRequests.removeValue(forKey: id) != nil else { return }
            emit(.trackEnded(id, end))
        case .incomingTrack(let id):
            guard let request = incomingTracks.removeValue(forKey: id), request.isRequested else { return }
            emit(.trackCancelled(id, end))
        case .fetch(let id):
            guard let fetch = fetches.removeValue(forKey: id) else { return }
            incompleteFrameBytes -= fetch.frames?.heldBytes ?? 0
            emit(.fetchEnded(id, end))
        case .incomingFetch(let id):
            guard let fetch = incomingFetches.removeValue(forKey: id), fetch.isRequested else { return }
            emit(.fetchCancelled(id, end))
        case .probe:
            guard probe != .none else { return }
            probe = .none
            emit(.probeEnded(end))
        case .incomingProbe, .undetermined, .session, .setup, .incomingSetup, .goaway, .incomingGoaway, .raw: break
        }
    }

    // MARK: The session

    /// Ends everything, in the order of the ids, and then the session.
    func endSession(_ close: SessionClose) {
        guard !isClosed else { return }
        closeReason = close
        for id in incomingGroups.keys.sorted() { conclude(.incomingGroup(id), .sessionClosed) }
        for id in fetches.keys.sorted() { conclude(.fetch(id), .sessionClosed) }
        for id in trackRequests.keys.sorted() { conclude(.trackRequest(id), .sessionClosed) }
        for id in subscriptions.keys.sorted() { conclude(.subscription(id), .sessionClosed) }
        for id in announceRequests.keys.sorted() { conclude(.announceRequest(id), .sessionClosed) }
        conclude(.probe, .sessionClosed)
        for id in incomingFetches.keys.sorted() { conclude(.incomingFetch(id), .sessionClosed) }
        for id in incomingTracks.keys.sorted() { conclude(.incomingTrack(id), .sessionClosed) }
        for id in incomingSubscriptions.keys.sorted() { conclude(.incomingSubscription(id), .sessionClosed) }
        for id in incomingAnnounces.keys.sorted() { conclude(.incomingAnnounce(id), .sessionClosed) }
        for id in streams.keys.sorted() where streams[id]?.purpose == .raw && streams[id]?.isReceiving == true {
            emit(.rawEnded(id, .sessionClosed))
        }
        outgoingGroups = [:]
        waitingRequests = []
        streams = [:]
        ready = []
        nextReady = 0
        probeAnswers = ProbeAnswers()
        emit(.closed(close))
    }
}
