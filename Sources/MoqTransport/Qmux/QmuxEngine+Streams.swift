import MoqBase

// What the owner of a session does with streams.
extension QmuxEngine {
    /// Opens a stream, or returns nil when the peer's limit is reached (`streamsAvailable` follows).
    public func openStream(_ direction: StreamDirection) -> StreamID? {
        guard phase != .closing && phase != .over else { return nil }
        let index = direction.qmuxIndex
        guard phase == .established, directions[index].opened < directions[index].peerLimit else {
            directions[index].isWaiting = true
            let limit = directions[index].peerLimit
            if phase == .established, directions[index].blockedLimit != limit {
                directions[index].blockedLimit = limit
                directions[index].owesBlocked = true
            }
            return nil
        }
        let number = directions[index].opened
        directions[index].opened += 1
        let id = StreamID(
            rawValue: number << 2 | (direction == .unidirectional ? 2 : 0) | (role == .server ? 1 : 0))
        streams[id] = QmuxStream(
            id: id, role: role, sendLimit: initialSendLimit(of: id), receiveLimit: initialReceiveLimit)
        return id
    }

    /// Appends bytes to a stream.
    public func write(_ bytes: [UInt8], to stream: StreamID) {
        guard phase == .established, let state = streams[stream], state.sending == .open else { return }
        state.unsent.append(bytes)
        consider(state)
    }

    /// Whether the write buffer of a stream has room.
    public func canWrite(_ stream: StreamID) -> Bool {
        guard phase == .established, let state = streams[stream], state.sending == .open else { return false }
        if state.unsent.count < settings.writeBudget { return true }
        state.wantsRoom = true
        return false
    }

    /// Ends our half of a stream behind what was written.
    public func finish(_ stream: StreamID) {
        guard phase == .established, let state = streams[stream], state.sending == .open else { return }
        state.sending = .finishing
        consider(state)
    }

    /// Resets our half of a stream: what is unsent is dropped.
    public func reset(_ stream: StreamID, code: StreamCode) {
        guard phase == .established, let state = streams[stream], state.sending != .ended else { return }
        reset(state, code: code.qmux)
    }

    /// Asks the peer to send nothing more on a stream; bytes that still arrive are dropped.
    public func stop(_ stream: StreamID, code: StreamCode) {
        guard phase == .established, let state = streams[stream], state.isReceiving, !state.isStopped else { return }
        state.isStopped = true
        consume(state.unread.count, of: state)
        state.unread.removeAll()
        if state.finalSize != nil {
            // Everything is here: there is nothing to stop.
            endReceiving(state)
        } else {
            state.owedStop = code.qmux
            owing.append(.stop(state))
        }
    }

    /// Takes up to `limit` bytes; nil when nothing waits. Reading opens the window again.
    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard let state = streams[stream], state.isReceiving, !state.isStopped else { return nil }
        let isEndHere = state.finalSize == state.received
        guard !state.unread.isEmpty || isEndHere else {
            state.isAnnounced = false
            return nil
        }
        let bytes = state.unread.take(max(limit, 0))
        consume(bytes.count, of: state)
        let isFinished = isEndHere && state.unread.isEmpty
        if state.unread.isEmpty { state.isAnnounced = false }
        if isFinished { endReceiving(state) }
        return StreamRead(bytes: bytes, isFinished: isFinished)
    }

    /// In which order streams with unsent bytes go out.
    public func setPriority(_ priority: SendPriority, of stream: StreamID) {
        guard let state = streams[stream], state.priority != priority else { return }
        state.priority = priority
        schedule.reprioritize(state)
    }

    /// How many streams are open at this end, in either direction.
    public var openStreamCount: Int { streams.count }

    // MARK: - Bookkeeping

    func reset(_ state: QmuxStream, code: UInt64) {
        state.sending = .ended
        state.unsent.removeAll()
        state.wantsRoom = false
        schedule.remove(state)
        state.owedReset = code
        owing.append(.reset(state))
    }

    /// Schedules a stream that has something to send and may.
    func consider(_ state: QmuxStream) {
        if state.canSend {
            if state.turn == 0, !state.waitsForConnection { schedule.push(state) }
        } else if state.isBlocked, state.blockedLimit != state.sendLimit {
            state.blockedLimit = state.sendLimit
            state.owesBlocked = true
            owing.append(.blocked(state))
        }
    }

    /// Notes bytes that were read or dropped, and opens the windows again once a quarter of one is used.
    func consume(_ count: Int, of state: QmuxStream) {
        guard count > 0, phase == .established else { return }
        state.consumed += UInt64(count)
        consumeOfConnection(UInt64(count))
        guard version?.hasFlowControl == true, !state.isStopped, state.finalSize == nil, !state.owesLimit else {
            return
        }
        let wanted = state.consumed + settings.streamWindow
        if settings.flaw == .qmuxCreditKept { return }
        if wanted - state.receiveLimit >= max(settings.streamWindow / 4, 1) {
            state.owesLimit = true
            owing.append(.limit(state))
        }
    }

    func consumeOfConnection(_ count: UInt64) {
        consumedTotal += count
        guard version?.hasFlowControl == true, settings.flaw != .qmuxCreditKept else { return }
        if consumedTotal + settings.connectionWindow - receiveLimit >= max(settings.connectionWindow / 4, 1) {
            owesLimit = true
        }
    }

    func endReceiving(_ state: QmuxStream) {
        state.isReceiving = false
        state.unread.removeAll()
        state.owedStop = nil
        forgetIfOver(state)
    }

    func forgetIfOver(_ state: QmuxStream) {
        guard state.isOver, streams.removeValue(forKey: state.id) != nil else { return }
        schedule.remove(state)
        guard state.id.initiator != role else { return }
        let index = state.id.direction.qmuxIndex
        directions[index].openCount -= 1
        directions[index].over += 1
        let wanted = directions[index].over + directions[index].window
        if wanted - directions[index].limit >= max(directions[index].window / 4, 1) {
            directions[index].owesLimit = true
        }
    }

    /// How far the peer lets us send on a stream that was just opened.
    func initialSendLimit(of id: StreamID) -> UInt64 {
        guard version?.hasFlowControl == true else { return .max }
        guard let peerParameters else { return 0 }
        switch id.direction {
        case .unidirectional: return peerParameters.streamDataUnidirectional
        case .bidirectional:
            return id.initiator == role
                ? peerParameters.streamDataBidirectionalRemote : peerParameters.streamDataBidirectionalLocal
        }
    }

    var initialReceiveLimit: UInt64 {
        version?.hasFlowControl == true ? settings.streamWindow : .max
    }
}

extension StreamCode {
    /// The number on a Qmux wire: as it is (reference: stream codes travel unmapped).
    var qmux: UInt64 {
        switch self {
        case .code(let number), .unmapped(let number): min(number, VarInt.maximum)
        }
    }
}
