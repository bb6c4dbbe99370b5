import MoqTransport
import MoqWire

// Subscriptions of this side, and the groups that arrive for them.

extension LiteSession {
    /// Subscribes to a track. The wire id is the returned one.
    @discardableResult
    public func subscribe(
        broadcast: BroadcastPath, track: TrackName, options: SubscribeOptions = SubscribeOptions()
    ) -> SubscriptionID {
        let id = newSubscriptionID()
        guard !isClosed else { return id }
        let request = Subscribe(id: id.rawValue, broadcast: broadcast, track: track, options: options)
        subscriptions[id] = OutgoingSubscription(request)
        place(.subscribe(id))
        return id
    }

    /// Replaces the options of a subscription. False when it is gone, left, or the version cannot say them.
    @discardableResult
    public func update(_ id: SubscriptionID, _ update: SubscribeUpdate) -> Bool {
        guard let subscription = subscriptions[id], !subscription.isLeft else { return false }
        guard let stream = subscription.stream, let version else {
            subscriptions[id]?.replace(update.options)
            return true
        }
        return write(try? update.encode(version: version), to: stream)
    }

    /// Leaves a subscription. `subscriptionEnded` follows once the publisher has ended its half; groups may arrive
    /// until then, and what is left of them is stopped with it. One that the publisher has finished takes no further
    /// groups.
    public func unsubscribe(_ id: SubscriptionID, _ leave: SubscriptionLeave = .finish) {
        finishedSubscriptions.removeAll { $0 == id }
        guard let subscription = subscriptions[id], !subscription.isLeft, !withdraw(.subscribe(id)) else { return }
        subscriptions[id]?.isLeft = true
        guard let stream = subscription.stream.flatMap({ streams[$0] }) else { return }
        switch leave {
        case .finish: finishOwnHalf(stream)
        case .reset(let code): resetOwnHalf(stream, code: code)
        }
    }

    func understandSubscribeAnswers(
        _ id: SubscriptionID, _ stream: LiteStream, version: Version
    ) throws(StreamFault) {
        while hasRoomForEvents {
            guard let answer = try subscriptions[id]?.next(from: stream, version: version) else { return }
            switch answer {
            case .ok(let options): emit(.subscribeAccepted(id, options))
            case .start(let group, _): emit(.subscribeStart(id, group: group))
            case .end(let group, _):
                emit(.subscribeEnd(id, group: group))
                endIfComplete(id)
            case .drop(let start, let end, let code): emit(.subscribeDrop(id, start: start, end: end, code: code))
            }
        }
        enqueue(stream)
    }

    /// Ends our half of a subscription whose publisher waits for that, once all its groups have begun (07).
    private func endIfComplete(_ id: SubscriptionID) {
        guard let subscription = subscriptions[id], subscription.isComplete,
            let stream = subscription.stream.flatMap({ streams[$0] })
        else { return }
        finishOwnHalf(stream)
    }

    func concludeSubscription(_ id: SubscriptionID, _ end: StreamEnd) {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return }
        emit(.subscriptionEnded(id, end))
        guard !isClosed else { return }
        guard subscription.isLeft else {
            if end == .finished { finishedSubscriptions.append(id) }
            if finishedSubscriptions.count > Self.finishedSubscriptionLimit { finishedSubscriptions.removeFirst() }
            return
        }
        for group in incomingGroups.filter({ $0.value.subscription == id }).keys.sorted() {
            stopGroup(group, code: stopCode(.cancelled))
        }
    }

    // MARK: Groups

    /// Wants no more of a group: STOP_SENDING with a code. `groupEnded` with `cancelled` follows at once.
    public func stopGroup(_ id: IncomingGroupID, code: StreamCode) {
        guard incomingGroups[id] != nil, let stream = streams[id.stream] else { return }
        stopPeerHalf(stream, code: code)
        conclude(.incomingGroup(id), .cancelled)
        settle(stream)
    }

    /// Reads no more from group and fetch streams until `resumeReading()`, so that the peer meets the flow-control
    /// limit. Events that wait already are still given; heads of groups are still read.
    public func pauseReading() {
        isReadingPaused = true
    }

    /// Reads on from group and fetch streams.
    public func resumeReading() {
        isReadingPaused = false
        serveHeld()
    }

    /// Reads no more from the groups of one subscription until it is resumed.
    public func pauseReading(_ id: SubscriptionID) {
        pausedSubscriptions.insert(id)
    }

    /// Reads on from the groups of one subscription.
    public func resumeReading(_ id: SubscriptionID) {
        pausedSubscriptions.remove(id)
        serveHeld()
    }

    private func serveHeld() {
        for stream in streams.values.filter(\.isHeld).sorted(by: { $0.id < $1.id }) {
            stream.isHeld = false
            enqueue(stream)
        }
    }

    func understandGroup(_ id: IncomingGroupID, _ stream: LiteStream, version: Version) throws(StreamFault) {
        if incomingGroups[id] == nil {
            guard let head = try stream.message(GroupHeader.self, version: version) else { return }
            noteMessage(on: stream)
            guard try open(id, head, stream, version: version) else { return }
        }
        guard var group = incomingGroups.removeValue(forKey: id) else { return }
        let before = group.frames.heldBytes
        defer {
            incompleteFrameBytes += group.frames.heldBytes - before
            incomingGroups[id] = group
        }
        stream.isHeld = isReadingPaused || pausedSubscriptions.contains(group.subscription)
        guard !stream.isHeld else { return }
        while hasRoomForEvents {
            guard let (index, frame) = try group.frames.next() else {
                try checkHeld(group.frames)
                if configuration.tellsFrameParts, let (index, part) = group.frames.nextPart() {
                    emit(.framePart(id, index: index, part))
                }
                return
            }
            emit(.frame(id, index: index, frame))
        }
        enqueue(stream)
    }

    private func open(
        _ id: IncomingGroupID, _ head: GroupHeader, _ stream: LiteStream, version: Version
    ) throws(StreamFault) -> Bool {
        let subscription = SubscriptionID(rawValue: head.subscribeID)
        guard subscriptions[subscription]?.stream != nil || finishedSubscriptions.contains(subscription) else {
            guard wasIssued(subscription) else {
                // The first generation has a name for what comes before SETUP (0.3.12 on 05, observed).
                let isEarly = configuration.generation == .first && version.hasSetup && peerSetup == nil
                throw StreamFault(
                    "a group for subscription \(head.subscribeID), which was never made",
                    isEarly ? .unexpectedStream : .cancelled)
            }
            // On its way when the subscription ended: nobody's fault.
            stopPeerHalf(stream, .cancelled)
            settle(stream)
            return false
        }
        var frames = ArrivingFrames(version: version, frameLimit: bounds.frameBytes, firstIndex: head.frameStart)
        frames.feed(stream.decoder.takeRest())
        incompleteFrameBytes += frames.heldBytes
        incomingGroups[id] = IncomingGroup(subscription: subscription, frames: frames)
        emit(.groupOpened(id, subscription, sequence: head.sequence, frameStart: head.frameStart))
        subscriptions[subscription]?.arrivedGroups += 1
        endIfComplete(subscription)
        return true
    }

    /// Bounds what unfinished frames hold in all; a stream that holds no more than one read is left in peace.
    func checkHeld(_ frames: ArrivingFrames) throws(StreamFault) {
        guard incompleteFrameBytes > bounds.incompleteFrameBytes, frames.heldBytes > bounds.readBytes else { return }
        throw StreamFault(
            "unfinished frames hold more than \(bounds.incompleteFrameBytes) bytes", .internalError)
    }

    func takeDatagram(_ bytes: [UInt8]) {
        // What cannot be read or names no subscription is dropped in silence (draft), and so is what nobody takes.
        guard let version, hasRoomForEvents, let datagram = try? Datagram.decode(bytes, version: version) else {
            return
        }
        let id = SubscriptionID(rawValue: datagram.header.subscribeID)
        guard let subscription = subscriptions[id], subscription.stream != nil, !subscription.isLeft else { return }
        emit(
            .datagram(
                id, sequence: datagram.header.sequence, timestamp: datagram.header.timestamp,
                payload: datagram.payload))
    }
}
