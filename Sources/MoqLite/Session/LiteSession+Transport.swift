import MoqTransport
import MoqWire

// What the transport reports: new streams, bytes, and the ends of both halves.

extension LiteSession {
    /// How many reads a stream gets before the next one has its turn.
    private static let readsPerTurn = 4

    func take(_ event: TransportEvent) {
        switch event {
        case .streamOpened, .readable, .reset, .stopped, .datagram: hasHeard = true
        case .established, .writable, .delivered, .streamsAvailable, .closed: break
        }
        switch event {
        case .established: establish()
        case .streamOpened(let id): accept(id)
        case .readable(let id): enqueue(id)
        case .writable(let id): reportRoom(id)
        case .delivered(let id): takeDelivery(id)
        case .reset(let id, let code):
            guard let stream = streams[id] else { return }
            stream.unhandledReset = code
            enqueue(stream)
        case .stopped(let id, let code):
            guard let stream = streams[id] else { return }
            stream.unhandledStop = code
            enqueue(stream)
        case .streamsAvailable(.bidirectional):
            sendClientSetup()
            openWaitingRequests()
        case .streamsAvailable(.unidirectional):
            sendSetup()
            emit(.streamsAvailable)
        case .datagram(let bytes): takeDatagram(bytes)
        case .closed(let close):
            // What arrived before the end is still good.
            serveReady()
            endSession(close)
        }
    }

    private func establish() {
        let name = transport.negotiatedProtocol
        if Self.meansExchange(name) { return beginExchange(named: name) }
        guard let version = name.flatMap({ Version(alpn: $0) }), configuration.versions.contains(version) else {
            let spoken = Version.protocolNames(for: configuration.versions).joined(separator: ", ")
            closeForViolation(
                nil,
                StreamFault(
                    "the protocol `\(name ?? "")` was agreed on, which is not spoken here (\(spoken))", .version))
            return
        }
        begin(version)
    }

    /// The version is known.
    func begin(_ version: Version) {
        self.version = version
        emit(.established(version))
        isSetupOwed = version.hasSetup && configuration.sendsSetup
        sendSetup()
        openWaitingRequests()
        // What the peer opened before the version was known has waited for it.
        for stream in streams.values.sorted(by: { $0.id < $1.id }) where stream.isReceiving { enqueue(stream) }
    }

    private func accept(_ id: StreamID) {
        let stream = LiteStream(id: id, purpose: .undetermined, role: transport.role)
        streams[id] = stream
        silentCount += 1
        if id.direction == .bidirectional { transport.setPriority(.control, of: id) }
    }

    private func enqueue(_ id: StreamID) {
        if let stream = streams[id] { enqueue(stream) }
    }

    func enqueue(_ stream: LiteStream) {
        guard !stream.isQueued else { return }
        stream.isQueued = true
        ready.append(stream.id)
    }

    private func takeDelivery(_ id: StreamID) {
        guard let stream = streams[id] else { return }
        stream.sending = .over
        switch stream.purpose {
        case .outgoingGroup(let group): endGroup(group, .groupDelivered(group))
        case .incomingSubscription(let subscription) where stream.isDiscarding:
            emit(.subscriptionDelivered(subscription))
        default: break
        }
        settle(stream)
    }

    // MARK: Serving

    /// Whether the owner has room for more events.
    var hasRoomForEvents: Bool { events.weight < bounds.waitingEventBytes }

    /// Serves the streams that spoke, in that order, until nothing is left or the owner has enough to take.
    func serveReady() {
        while !isClosed, hasRoomForEvents, nextReady < ready.count {
            let id = ready[nextReady]
            nextReady += 1
            guard let stream = streams[id] else { continue }
            stream.isQueued = false
            serve(stream)
        }
        guard nextReady > 0 else { return }
        ready.removeFirst(nextReady)
        nextReady = 0
    }

    private func serve(_ stream: LiteStream) {
        if stream.unhandledReset == nil && stream.isReceiving { read(stream) }
        guard !isClosed, streams[stream.id] === stream else { return }
        let stop = stream.unhandledStop
        stream.unhandledStop = nil
        if stop != nil { stream.sending = .over }
        // A peer that leaves often resets its half and stops ours: the reset says more.
        if let code = stream.unhandledReset {
            stream.unhandledReset = nil
            if stream.isReceiving {
                stream.isReceiving = false
                takeReset(stream, code)
            }
        }
        if let stop { takeStop(stream, stop) }
        settle(stream)
    }

    private func read(_ stream: LiteStream) {
        for _ in 0..<Self.readsPerTurn {
            guard understand(stream), stream.isReceiving else { return }
            if stream.isEndRead {
                stream.isReceiving = false
                takeEnd(stream)
                return
            }
            guard let piece = transport.read(stream.id, limit: bounds.readBytes) else { return }
            stream.isEndRead = piece.isFinished
            if !stream.isDiscarding { feed(piece.bytes, to: stream) }
        }
        enqueue(stream)
    }

    private func feed(_ bytes: [UInt8], to stream: LiteStream) {
        guard !bytes.isEmpty else { return }
        switch stream.purpose {
        case .incomingGroup(let id) where incomingGroups[id] != nil:
            incompleteFrameBytes += bytes.count
            incomingGroups[id]?.frames.feed(bytes)
        case .raw:
            emit(.rawBytes(stream.id, bytes))
        case .fetch(let id):
            incompleteFrameBytes += bytes.count
            fetches[id]?.frames?.feed(bytes)
        default:
            stream.decoder.feed(bytes)
        }
    }

    /// Forgets a stream on which nothing can happen any more.
    func settle(_ stream: LiteStream) {
        guard stream.isOver, streams[stream.id] === stream else { return }
        streams[stream.id] = nil
        noteMessage(on: stream)
    }

    /// A stream of the peer said something whole, or is gone.
    func noteMessage(on stream: LiteStream) {
        guard stream.isSilent else { return }
        stream.isSilent = false
        silentCount -= 1
    }

    /// Refuses the highest-numbered of too many streams that open and say nothing.
    func boundSilentStreams() {
        guard silentCount > bounds.silentStreams, nextReady == ready.count else { return }
        let silent = streams.values.filter(\.isSilent).sorted { $0.id < $1.id }
        for stream in silent.dropFirst(bounds.silentStreams) {
            refuse(stream, StreamFault("too many streams without a message", .tooManyRequests))
        }
    }
}
