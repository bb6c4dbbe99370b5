import MoqTransport

// Streams on which the owner writes what it likes: for tests that break the protocol on purpose.

extension LiteSession {
    /// Opens a stream and writes these bytes on it, its type among them; nil when there is no stream for it. What the
    /// peer does on it comes as `rawBytes`, `rawStopped` and `rawEnded`.
    public func openRawStream(_ direction: StreamDirection, writing bytes: [UInt8]) -> StreamID? {
        guard !isClosed, let id = transport.openStream(direction) else { return nil }
        streams[id] = LiteStream(id: id, purpose: .raw, role: transport.role)
        transport.setPriority(.control, of: id)
        transport.write(bytes, to: id)
        return id
    }

    /// Writes more on a raw stream. False when our half is over.
    @discardableResult
    public func writeRaw(_ bytes: [UInt8], to id: StreamID) -> Bool {
        raw(id) != nil && write(bytes, to: id)
    }

    /// Finishes our half of a raw stream.
    public func finishRaw(_ id: StreamID) {
        if let stream = raw(id) { finishOwnHalf(stream) }
    }

    /// Resets our half of a raw stream, also after it was finished.
    public func resetRaw(_ id: StreamID, code: StreamCode) {
        guard let stream = raw(id), stream.sending != .over else { return }
        stream.sending = .over
        transport.reset(id, code: code)
        settle(stream)
    }

    /// Asks the peer to send nothing more on a raw stream; `rawEnded` with `cancelled` follows at once.
    public func stopRaw(_ id: StreamID, code: StreamCode) {
        guard let stream = raw(id), stream.isReceiving else { return }
        stopPeerHalf(stream, code: code)
        emit(.rawEnded(id, .cancelled))
        settle(stream)
    }

    /// Writes on the stream of a request in the engine's place, and ends this half of it: the engine goes on as if it
    /// had not been. What it writes itself comes behind these bytes, unless the half is over.
    public func breakIn(on id: StreamID, writing bytes: [UInt8], finishing: Bool, reset code: StreamCode?) {
        guard let stream = streams[id] else { return }
        _ = write(bytes, to: id)
        if let code {
            guard stream.sending != .over else { return }
            stream.sending = .over
            transport.reset(id, code: code)
            settle(stream)
        } else if finishing {
            finishOwnHalf(stream)
        }
    }

    /// The stream of a subscription; nil while there is none for it.
    public func stream(of id: SubscriptionID) -> StreamID? { subscriptions[id]?.stream }

    /// The stream of a fetch; nil while there is none for it.
    public func stream(of id: FetchID) -> StreamID? { fetches[id]?.stream }

    /// The stream of a question about a track; nil while there is none for it.
    public func stream(of id: TrackRequestID) -> StreamID? { trackRequests[id]?.stream }

    /// Writes bytes among the announcements for a request of the peer, or before its answer. False when our half is over.
    @discardableResult
    public func writeRaw(_ bytes: [UInt8], among id: IncomingAnnounceID) -> Bool {
        incomingAnnounces[id] != nil && write(bytes, to: id.stream)
    }

    private func raw(_ id: StreamID) -> LiteStream? {
        guard let stream = streams[id], stream.purpose == .raw else { return nil }
        return stream
    }
}
