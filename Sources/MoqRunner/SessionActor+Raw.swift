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
        let stream: StreamID
        switch action.stream {
        case .datagram:
            guard session.transport.sendDatagram(bytes) else {
                throw .unusable("the datagram of \(bytes.count) bytes cannot be sent on this session")
            }
            return
        case .group(let target, let sequence):
            return try sendRaw(bytes, inGroup: sequence, of: target, action, session)
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
