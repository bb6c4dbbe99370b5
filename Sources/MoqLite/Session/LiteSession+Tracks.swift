import MoqTransport
import MoqWire

// Track properties and fetches (05 and later), both ways.

extension LiteSession {
    // MARK: Asking for properties

    /// Asks for the properties of a track. Up to 04 the request ends at once with `unsupported`.
    @discardableResult
    public func requestTrack(broadcast: BroadcastPath, track: TrackName) -> TrackRequestID {
        let id = newTrackRequestID()
        guard !isClosed else { return id }
        trackRequests[id] = OutgoingTrackRequest(TrackRequest(broadcast: broadcast, track: track))
        place(.track(id))
        return id
    }

    /// Takes a track request back; `trackEnded` with `cancelled` follows at once.
    public func cancelTrack(_ id: TrackRequestID) {
        guard let request = trackRequests[id], !withdraw(.track(id)) else { return }
        abandon(request.stream, .trackRequest(id))
    }

    private func abandon(_ id: StreamID?, _ purpose: StreamPurpose) {
        guard let stream = id.flatMap({ streams[$0] }) else { return }
        resetOwnHalf(stream, .cancelled)
        stopPeerHalf(stream, .cancelled)
        conclude(purpose, .cancelled)
        settle(stream)
    }

    func understandTrackAnswer(_ id: TrackRequestID, _ stream: LiteStream, version: Version) throws(StreamFault) {
        while let info = try trackRequests[id]?.next(from: stream, version: version) {
            emit(.trackInfo(id, info))
        }
    }

    // MARK: Telling properties

    /// Answers a track request. False when it is gone, or the version cannot say the properties.
    @discardableResult
    public func answerTrack(_ id: IncomingTrackID, _ info: TrackInfo) -> Bool {
        guard let version, incomingTracks[id]?.isRequested == true, let stream = streams[id.stream],
            write(try? info.encode(version: version), to: id.stream)
        else { return false }
        incomingTracks[id] = nil
        stream.isDiscarding = true
        finishOwnHalf(stream)
        return true
    }

    /// Refuses a track request.
    public func refuseTrack(_ id: IncomingTrackID, code: StreamCode) {
        guard incomingTracks[id]?.isRequested == true, let stream = streams[id.stream] else { return }
        incomingTracks[id] = nil
        refuseRequest(stream, code)
    }

    private func refuseRequest(_ stream: LiteStream, _ code: StreamCode) {
        resetOwnHalf(stream, code: code)
        stopPeerHalf(stream, .cancelled)
        settle(stream)
    }

    func understandTrackRequest(_ id: IncomingTrackID, _ stream: LiteStream, version: Version) throws(StreamFault) {
        while let request = try incomingTracks[id]?.next(from: stream, version: version) {
            noteMessage(on: stream)
            emit(.trackRequested(id, broadcast: request.broadcast, track: request.track))
        }
    }

    // MARK: Fetching

    /// Asks for a group, or on 06 for a part of it. Up to 04 the request ends at once with `unsupported`.
    @discardableResult
    public func fetch(_ request: Fetch) -> FetchID {
        let id = newFetchID()
        guard !isClosed else { return id }
        fetches[id] = OutgoingFetch(request)
        place(.fetch(id))
        return id
    }

    /// Takes a fetch back; `fetchEnded` with `cancelled` follows at once.
    public func cancelFetch(_ id: FetchID) {
        guard let fetch = fetches[id], !withdraw(.fetch(id)) else { return }
        abandon(fetch.stream, .fetch(id))
    }

    func understandFetchAnswer(_ id: FetchID, _ stream: LiteStream) throws(StreamFault) {
        guard var fetch = fetches.removeValue(forKey: id) else { return }
        let before = fetch.frames?.heldBytes ?? 0
        defer {
            incompleteFrameBytes += (fetch.frames?.heldBytes ?? 0) - before
            fetches[id] = fetch
        }
        stream.isHeld = isReadingPaused
        guard !stream.isHeld else { return }
        while hasRoomForEvents {
            guard let (index, frame) = try fetch.frames?.next() else {
                if let frames = fetch.frames { try checkHeld(frames) }
                return
            }
            emit(.fetchFrame(id, index: index, frame))
        }
        enqueue(stream)
    }

    // MARK: Serving fetches

    /// Writes a frame of a fetched group. False when the fetch is gone, or the version cannot say the frame.
    @discardableResult
    public func writeFetchFrame(_ id: IncomingFetchID, _ frame: Frame) -> Bool {
        guard let stream = streams[id.stream], stream.sending == .open,
            let head = incomingFetches[id]?.head(of: frame)
        else { return false }
        write(head, frame.payload, to: id.stream)
        return true
    }

    /// Whether the stream of a fetch has room; if not, `fetchWritable` follows.
    public func canWriteFetch(_ id: IncomingFetchID) -> Bool {
        streams[id.stream]?.sending == .open && transport.canWrite(id.stream)
    }

    /// Changes in which order the answer to a fetch is sent; before it is told, it is control traffic.
    public func setPriority(_ priority: SendPriority, of id: IncomingFetchID) {
        guard incomingFetches[id] != nil else { return }
        transport.setPriority(priority, of: id.stream)
    }

    /// Ends a fetch in order.
    public func finishFetch(_ id: IncomingFetchID) {
        guard incomingFetches[id]?.isRequested == true, let stream = streams[id.stream] else { return }
        incomingFetches[id] = nil
        stream.isDiscarding = true
        finishOwnHalf(stream)
    }

    /// Refuses a fetch, or cuts it.
    public func refuseFetch(_ id: IncomingFetchID, code: StreamCode) {
        guard incomingFetches[id]?.isRequested == true, let stream = streams[id.stream] else { return }
        incomingFetches[id] = nil
        refuseRequest(stream, code)
    }

    func understandFetch(_ id: IncomingFetchID, _ stream: LiteStream, version: Version) throws(StreamFault) {
        while let request = try incomingFetches[id]?.next(from: stream, version: version) {
            noteMessage(on: stream)
            emit(.fetchRequested(id, request))
        }
    }
}
