import MoqTransport
import MoqWire

// Subscriptions of the peer, and the groups that this side sends for them.

extension LiteSession {
    /// Whether groups may be opened for a subscription.
    public func isOpen(_ id: IncomingSubscriptionID) -> Bool { incomingSubscriptions[id]?.isOpen == true }

    /// Confirms a subscription up to 04 (SUBSCRIBE_OK). False, and nothing sent, on later versions, where the
    /// stream only stays open.
    @discardableResult
    public func acceptSubscription(_ id: IncomingSubscriptionID) -> Bool {
        guard let version else { return false }
        return write(incomingSubscriptions[id]?.accept(version: version), to: id.stream)
    }

    /// Says which group will be the first (SUBSCRIBE_OK of 05 and later), once. On 06 it must come before the groups:
    /// relays forward nothing without it (observed on 0.4.9 and 0.4.18). Nothing is sent up to 04. `largest` says how far
    /// the track has come, nil for not at all; only 07 carries it.
    @discardableResult
    public func startSubscription(
        _ id: IncomingSubscriptionID, group: UInt64, largest: TrackPosition? = nil
    ) -> Bool {
        guard let version else { return false }
        return write(
            incomingSubscriptions[id]?.start(group: group, largest: largest, version: version), to: id.stream)
    }

    /// Says which group will be the first that never exists; 0 when there is none at all (05 and later).
    @discardableResult
    public func endSubscription(_ id: IncomingSubscriptionID, group: UInt64) -> Bool {
        incomingSubscriptions[id]?.isEndTold = true
        return answer(id, .end(group: group, streams: incomingSubscriptions[id]?.openedGroups ?? 0))
    }

    /// Says that groups will not be delivered, both ends inclusive. Known peers read it and do nothing.
    @discardableResult
    public func dropGroups(_ id: IncomingSubscriptionID, start: UInt64, end: UInt64, code: UInt64) -> Bool {
        answer(id, .drop(start: start, end: end, code: code))
    }

    private func answer(_ id: IncomingSubscriptionID, _ answer: SubscribeAnswer) -> Bool {
        guard let version, incomingSubscriptions[id]?.request != nil else { return false }
        return write(try? answer.encode(version: version), to: id.stream)
    }

    /// Ends a subscription in order: no group can be opened any more, and our half is finished once the open groups
    /// are delivered, stopped or reset (`awaitingDelivery`), or at once. `subscriptionDelivered` follows.
    public func finishSubscription(_ id: IncomingSubscriptionID, awaitingDelivery: Bool = true) {
        guard incomingSubscriptions[id]?.isOpen == true else { return }
        incomingSubscriptions[id]?.finish()
        if !awaitingDelivery { incomingSubscriptions[id]?.groups = [] }
        finishIfDrained(id)
    }

    /// Refuses or gives up a subscription. Its open groups are the caller's to end.
    public func resetSubscription(_ id: IncomingSubscriptionID, code: StreamCode) {
        guard incomingSubscriptions[id]?.request != nil, let stream = streams[id.stream] else { return }
        forget(id)
        resetOwnHalf(stream, code: code)
        stopPeerHalf(stream, .cancelled)
        settle(stream)
    }

    func finishIfDrained(_ id: IncomingSubscriptionID) {
        guard let subscription = incomingSubscriptions[id], subscription.isFinishing, subscription.groups.isEmpty,
            let stream = streams[id.stream]
        else { return }
        // On 07 the reader, who knows from the end how many groups there are, has the first word.
        if version?.subscriberEndsFirst == true, subscription.isEndTold, !subscription.hasReaderEnded { return }
        forget(id)
        stream.isDiscarding = true
        finishOwnHalf(stream)
    }

    private func forget(_ id: IncomingSubscriptionID) {
        guard let request = incomingSubscriptions.removeValue(forKey: id)?.request else { return }
        incomingSubscribeIDs.remove(request.id)
    }

    func concludeIncomingSubscription(_ id: IncomingSubscriptionID, _ end: StreamEnd) {
        guard let subscription = incomingSubscriptions[id] else { return }
        // One that only wants no more answers still takes the groups below the end that it was told.
        if subscription.isEndTold, end != .sessionClosed { return }
        forget(id)
        for group in subscription.groups.sorted() where !isClosed {
            resetGroup(group, code: resetCode(.cancelled))
        }
        if subscription.request != nil { emit(.subscribeCancelled(id, end)) }
    }

    func understandSubscribe(
        _ id: IncomingSubscriptionID, _ stream: LiteStream, version: Version
    ) throws(StreamFault) {
        while hasRoomForEvents {
            guard let message = try incomingSubscriptions[id]?.next(from: stream, version: version) else { return }
            switch message {
            case .request(let request):
                noteMessage(on: stream)
                guard incomingSubscribeIDs.insert(request.id).inserted else {
                    // The owner does not hear of it, and the id stays with the one who has it.
                    incomingSubscriptions[id] = nil
                    throw StreamFault("subscribe id \(request.id) is in use", .protocolViolation)
                }
                emit(.subscribeRequested(id, request))
            case .update(let update):
                emit(.subscribeUpdated(id, update))
            }
        }
        enqueue(stream)
    }

    // MARK: Groups

    /// Opens the stream of a group. Nil when the subscription takes none any more (`isOpen`), or when the peer has no
    /// stream to spare: then `streamsAvailable` follows. `frameStart` other than 0 exists on 06 only.
    public func openGroup(
        for id: IncomingSubscriptionID, sequence: UInt64, frameStart: UInt64 = 0, priority: SendPriority
    ) -> OutgoingGroupID? {
        guard let version, let subscription = incomingSubscriptions[id], subscription.isOpen,
            let request = subscription.request
        else { return nil }
        let head = GroupHeader(subscribeID: request.id, sequence: sequence, frameStart: frameStart)
        guard let bytes = try? head.encodeStream(version: version),
            let stream = transport.openStream(.unidirectional)
        else { return nil }
        let group = OutgoingGroupID(stream: stream)
        streams[stream] = LiteStream(id: stream, purpose: .outgoingGroup(group), role: transport.role)
        outgoingGroups[group] = OutgoingGroup(subscription: id, encoder: FrameEncoder(version: version))
        incomingSubscriptions[id]?.groups.insert(group)
        incomingSubscriptions[id]?.openedGroups += 1
        transport.setPriority(priority, of: stream)
        transport.write(bytes, to: stream)
        return group
    }

    /// Writes a frame, whatever `canWrite` says. From 05 on it needs a timestamp. False when nothing was written: the
    /// group is gone or finished, or the version cannot say the frame.
    @discardableResult
    public func writeFrame(_ id: OutgoingGroupID, _ frame: Frame) -> Bool {
        guard let stream = streams[id.stream], stream.sending == .open,
            let head = try? outgoingGroups[id]?.encoder.header(
                timestamp: frame.timestamp, size: frame.payload.count)
        else { return false }
        write(head, frame.payload, to: id.stream)
        return true
    }

    /// Begins a frame of which more bytes follow by `continueFrame`; `bytes` are the first of its payload, and may be
    /// none. False when the group cannot be written to.
    @discardableResult
    public func beginFrame(_ id: OutgoingGroupID, _ header: FrameHeader, _ bytes: [UInt8]) -> Bool {
        guard let stream = streams[id.stream], stream.sending == .open,
            let head = try? outgoingGroups[id]?.encoder.header(timestamp: header.timestamp, size: header.size)
        else { return false }
        write(head, bytes, to: id.stream)
        return true
    }

    /// Adds bytes to the frame that was begun, as many in all as its head says.
    public func continueFrame(_ id: OutgoingGroupID, _ bytes: [UInt8]) {
        guard let stream = streams[id.stream], stream.sending == .open, !bytes.isEmpty else { return }
        transport.write(bytes, to: id.stream)
    }

    func write(_ head: [UInt8], _ payload: [UInt8], to stream: StreamID) {
        // Two writes spare a copy of what is large; one is cheaper for what is small.
        if payload.count > 4096 {
            transport.write(head, to: stream)
            transport.write(payload, to: stream)
        } else {
            transport.write(head + payload, to: stream)
        }
    }

    /// Whether the stream of a group has room; if not, `writable` follows.
    public func canWrite(_ id: OutgoingGroupID) -> Bool {
        streams[id.stream]?.sending == .open && transport.canWrite(id.stream)
    }

    /// Changes in which order a group is sent.
    public func setPriority(_ priority: SendPriority, of id: OutgoingGroupID) {
        guard outgoingGroups[id] != nil else { return }
        transport.setPriority(priority, of: id.stream)
    }

    /// Ends a group in order; `groupDelivered` follows.
    public func finishGroup(_ id: OutgoingGroupID) {
        guard outgoingGroups[id] != nil, let stream = streams[id.stream] else { return }
        finishOwnHalf(stream)
    }

    /// Cuts a group, also one that was finished and is not delivered yet.
    public func resetGroup(_ id: OutgoingGroupID, code: StreamCode) {
        guard outgoingGroups[id] != nil, let stream = streams[id.stream] else { return }
        stream.sending = .over
        transport.reset(id.stream, code: code)
        endGroup(id, nil)
        settle(stream)
    }

    /// A group is off our hands.
    func endGroup(_ id: OutgoingGroupID, _ event: LiteEvent?) {
        guard let group = outgoingGroups.removeValue(forKey: id) else { return }
        if let event { emit(event) }
        incomingSubscriptions[group.subscription]?.groups.remove(id)
        finishIfDrained(group.subscription)
    }

    /// Sends a group of one frame as a datagram. False when the version or the transport has none, or it was not
    /// taken; then nothing was sent.
    @discardableResult
    public func sendDatagram(
        for id: IncomingSubscriptionID, sequence: UInt64, timestamp: UInt64, payload: [UInt8]
    ) -> Bool {
        guard let version, let request = incomingSubscriptions[id]?.request else { return false }
        let header = DatagramHeader(subscribeID: request.id, sequence: sequence, timestamp: timestamp)
        guard let bytes = try? Datagram(header: header, payload: payload).encode(version: version) else { return false }
        return transport.sendDatagram(bytes)
    }

    /// A stream that was full has room.
    func reportRoom(_ id: StreamID) {
        switch streams[id]?.purpose {
        case .outgoingGroup(let group) where outgoingGroups[group] != nil: emit(.writable(group))
        case .incomingFetch(let fetch) where incomingFetches[fetch] != nil: emit(.fetchWritable(fetch))
        default: break
        }
    }
}
