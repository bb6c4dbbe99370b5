import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqTransport

// Bytes of the author's choice, which the session engine carries and does not look at.
extension SessionActor {
    /// Bytes of a peer kept of one raw stream: enough to compare, not enough to flood.
    static let bytesKept = 4096

    func sendRaw(_ action: SendRawAction) throws(RunnerError) {
        if let rawLine { return try sendRaw(action, on: rawLine) }
        guard let session else { throw .unusable("\(name) is not connected, so it cannot send bytes") }
        let bytes = try encode(action.bytes, session.version)
        scene.model.wroteBytes(bytes, on: modelSession)
        let stream: StreamID
        switch action.stream {
        case .datagram:
            guard session.transport.sendDatagram(bytes) else {
                throw .unusable("the datagram of \(bytes.count) bytes cannot be sent on this session")
            }
            return
        case .group(let target, let sequence):
            return try sendRaw(bytes, inGroup: sequence, of: target, action, session)
        case .request(let kind, let target):
            return try breakIn(on: requestStream(kind, target, session), bytes, action, session)
        case .connection:
            throw .unusable("\(name) has no TCP connection of its own to write on")
        case .named(let label):
            if let announcing = announceStreams.first(where: { $0.label == label }) {
                return try sendRaw(action, bytes, among: announcing.id, session)
            }
            guard let entry = rawStreams.first(where: { $0.label == label }) else {
                throw .unusable("\(name) has opened no stream `\(label)`")
            }
            stream = entry.stream
            if !bytes.isEmpty { session.writeRaw(bytes, to: stream) }
        case .newUnidirectional, .newBidirectional:
            let direction: StreamDirection = action.stream == .newUnidirectional ? .unidirectional : .bidirectional
            guard let opened = session.openRawStream(direction, writing: bytes) else {
                throw .unusable("the relay allows no further \(direction.rawValue) stream at this point")
            }
            stream = opened
            rawCount += 1
            let label = action.label ?? "raw \(rawCount)"
            rawStreams.append((label, stream))
            record.rawStreams[label] = RawStreamRecord()
        }
        if let code = action.reset {
            session.resetRaw(stream, code: scene.codes.sent(code, on: .reset))
        } else if action.finish {
            session.finishRaw(stream)
        }
        if let code = action.stop {
            session.transport.stop(stream, code: scene.codes.sent(code, on: .stop))
        }
        scene.note(
            .check, name, "sends \(bytes.count) raw bytes on \(stream): \(Hexadecimal.encode(bytes.prefix(32)))")
    }

    /// Writes into an open group what no model would, on every stream that carries it.
    private func sendRaw(
        _ bytes: [UInt8], inGroup sequence: UInt64, of target: TrackReference, _ action: SendRawAction,
        _ session: LiteSession
    ) throws(RunnerError) {
        let track = try publishedTrack(target)
        pump()
        let streams = line?.feeds.streams(of: track.store, group: sequence) ?? []
        guard !streams.isEmpty else {
            throw .unusable("\(name) is not sending group \(sequence) of \(track.name) to anyone at this point")
        }
        for stream in streams {
            if !bytes.isEmpty { session.transport.write(bytes, to: stream.stream) }
            if let code = action.reset {
                session.resetGroup(stream, code: scene.codes.sent(code, on: .reset))
            } else if action.finish {
                session.finishGroup(stream)
            }
        }
        scene.note(
            .check, name,
            "sends \(bytes.count) raw bytes in group \(sequence) of \(track.name): "
                + Hexadecimal.encode(bytes.prefix(32)))
    }

    /// Says something on the stream of a request in place of the engine, which goes on without knowing.
    private func breakIn(
        on stream: StreamID, _ bytes: [UInt8], _ action: SendRawAction, _ session: LiteSession
    ) {
        session.breakIn(
            on: stream, writing: bytes, finishing: action.finish,
            reset: action.reset.map { scene.codes.sent($0, on: .reset) })
        if let code = action.stop {
            session.transport.stop(stream, code: scene.codes.sent(code, on: .stop))
        }
        scene.note(
            .check, name,
            "breaks in on \(stream) with \(bytes.count) bytes: \(Hexadecimal.encode(bytes.prefix(32)))")
    }

    /// The stream of the relay's newest request of a kind for a track, or else of the actor's own.
    private func requestStream(
        _ kind: MoqScenario.RequestKind, _ target: TrackReference, _ session: LiteSession
    ) throws(RunnerError) -> StreamID {
        func isMeant(_ index: Int) -> Bool {
            let request = record.requests[index]
            return request.track == target.track && (target.broadcast == nil || target.broadcast == request.broadcast)
        }
        var found: [(index: Int, stream: StreamID)] = []
        if kind == .any || kind == .subscribe {
            found += requests.filter { isMeant($0.value) }.map { ($0.value, $0.key.stream) }
        }
        if kind == .any || kind == .trackInfo {
            found += requestedTracks.filter { isMeant($0.value) }.map { ($0.value, $0.key.stream) }
        }
        if kind == .any || kind == .fetch {
            found += requestedFetches.filter { isMeant($0.value) }.map { ($0.value, $0.key.stream) }
        }
        if let newest = found.max(by: { $0.index < $1.index }) { return newest.stream }
        guard let own = ownRequestStream(kind, target, session) else {
            throw .unusable("\(name) has no open request for \(target.track) at this point")
        }
        return own
    }

    private func ownRequestStream(
        _ kind: MoqScenario.RequestKind, _ target: TrackReference, _ session: LiteSession
    ) -> StreamID? {
        func isMeant(_ label: String, _ track: String, _ broadcast: String) -> Bool {
            (label == target.track || track == target.track)
                && (target.broadcast == nil || target.broadcast == broadcast)
        }
        if kind == .any || kind == .subscribe, let (id, _) = try? subscription(target) {
            return session.stream(of: id)
        }
        if kind == .any || kind == .fetch {
            let found = fetches.filter { entry in
                let fetch = record.fetches[entry.value]
                return isMeant(fetch.label, fetch.track, fetch.broadcast)
            }
            if let newest = found.max(by: { $0.value < $1.value }) { return session.stream(of: newest.key) }
        }
        let found = trackRequests.filter { entry in
            let info = record.trackInfos[entry.value]
            return isMeant(info.track, info.track, info.broadcast)
        }
        guard kind == .any || kind == .trackInfo, let newest = found.max(by: { $0.value < $1.value }) else {
            return nil
        }
        return session.stream(of: newest.key)
    }

    /// Takes what the peer did on a raw stream; false for any other event.
    func handleRaw(_ event: LiteEvent) -> Bool {
        switch event {
        case .rawBytes(let stream, let bytes):
            edit(stream, "\(bytes.count) bytes: \(Hexadecimal.encode(bytes.prefix(32)))") { record in
                record.received.append(contentsOf: bytes.prefix(max(0, Self.bytesKept - record.received.count)))
            }
        case .rawEnded(let stream, let end):
            edit(stream, "\(end)") { $0.end = RecordedEnd(end) }
        case .rawStopped(let stream, let code):
            edit(stream, "stopped by the relay with \(code)") { $0.stopped = RecordedEnd(code) }
        default:
            return false
        }
        return true
    }

    func edit(_ stream: StreamID, _ what: String, _ change: (inout RawStreamRecord) -> Void) {
        guard let entry = rawStreams.first(where: { $0.stream == stream }) else { return }
        change(&record.rawStreams[entry.label, default: RawStreamRecord()])
        scene.note(.check, name, "raw stream `\(entry.label)`: \(what)")
    }
}
