import MoqTransport
import MoqWire

/// A request of this side that has no stream yet.
enum WaitingRequest: Equatable {
    case announce(AnnounceRequestID)
    case subscribe(SubscriptionID)
    case track(TrackRequestID)
    case fetch(FetchID)
    case probe
    case goaway(uri: String)
}

extension LiteSession {
    /// Sends a request as soon as there is a stream for it.
    func place(_ request: WaitingRequest) {
        guard !isClosed else { return }
        guard waitingRequests.count < bounds.waitingRequests else {
            conclude(request.purpose, .cancelled)
            return
        }
        waitingRequests.append(request)
        openWaitingRequests()
    }

    /// Takes back a request that waits; false when it does not.
    func withdraw(_ request: WaitingRequest) -> Bool {
        guard let index = waitingRequests.firstIndex(of: request) else { return false }
        waitingRequests.remove(at: index)
        conclude(request.purpose, .cancelled)
        return true
    }

    /// Opens streams for the requests that wait, oldest first, as far as the peer allows.
    func openWaitingRequests() {
        guard let version, !isClosed else { return }
        var placed = 0
        while placed < waitingRequests.count {
            let request = waitingRequests[placed]
            guard request.isDefined(in: version) else {
                placed += 1
                conclude(request.purpose, .unsupported)
                continue
            }
            guard let opening = try? opening(of: request, version: version) else {
                // Something was asked for that this version has no field for.
                placed += 1
                conclude(request.purpose, .unsupported)
                continue
            }
            guard let id = transport.openStream(.bidirectional) else { break }
            placed += 1
            let stream = LiteStream(id: id, purpose: request.purpose, role: transport.role)
            streams[id] = stream
            transport.setPriority(.control, of: id)
            begin(request, on: id, version: version)
            transport.write(opening, to: id)
            if case .goaway = request { finishOwnHalf(stream) }
        }
        waitingRequests.removeFirst(placed)
    }

    /// The first bytes of a request's stream.
    private func opening(of request: WaitingRequest, version: Version) throws(WireError) -> [UInt8] {
        switch request {
        case .announce(let id): try announceRequests[id]?.request.encodeStream(version: version) ?? []
        case .subscribe(let id): try subscriptions[id]?.request.encodeStream(version: version) ?? []
        case .track(let id): try trackRequests[id]?.request.encodeStream(version: version) ?? []
        case .fetch(let id): try fetches[id]?.request.encodeStream(version: version) ?? []
        // Nothing follows the type: known publishers reset the stream of a subscriber that sends a PROBE.
        case .probe: BidirectionalStreamType.probe.opening
        case .goaway(let uri): try Goaway(uri: uri).encodeStream(version: version)
        }
    }

    private func begin(_ request: WaitingRequest, on stream: StreamID, version: Version) {
        switch request {
        case .announce(let id): announceRequests[id]?.begin(on: stream, version: version)
        case .subscribe(let id): subscriptions[id]?.begin(on: stream, version: version)
        case .track(let id): trackRequests[id]?.begin(on: stream)
        case .fetch(let id): fetches[id]?.begin(on: stream, version: version, frameLimit: bounds.frameBytes)
        case .probe: probe = .open(stream)
        case .goaway: break
        }
    }
}

extension WaitingRequest {
    fileprivate var purpose: StreamPurpose {
        switch self {
        case .announce(let id): .announceRequest(id)
        case .subscribe(let id): .subscription(id)
        case .track(let id): .trackRequest(id)
        case .fetch(let id): .fetch(id)
        case .probe: .probe
        case .goaway: .goaway
        }
    }

    fileprivate func isDefined(in version: Version) -> Bool {
        switch self {
        case .announce, .subscribe: true
        case .track: version.hasTrackStream
        case .fetch: version.hasFetch
        case .probe: version.hasProbe
        case .goaway: version.hasGoaway
        }
    }
}
