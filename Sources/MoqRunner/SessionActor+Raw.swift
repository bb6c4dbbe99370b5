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
        let stream: StreamID
        switch action.stream {
        case .datagram:
            guard session.transport.sendDatagram(action.bytes) else {
                throw .unusable("the datagram of \(action.bytes.count) bytes cannot be sent on this session")
            }
            return
        case .connection:
            throw .unusable("\(name) has no TCP connection of its own to write on")
        case .named(let label):
            guard let entry = rawStreams.first(where: { $0.label == label }) else {
                throw .unusable("\(name) has opened no stream `\(label)`")
            }
            stream = entry.stream
            if !action.bytes.isEmpty { session.writeRaw(action.bytes, to: stream) }
        case .newUnidirectional, .newBidirectional:
            let direction: StreamDirection = action.stream == .newUnidirectional ? .unidirectional : .bidirectional
            guard let opened = session.openRawStream(direction, writing: action.bytes) else {
                throw .unusable("the relay allows no further \(direction.rawValue) stream at this point")
            }
            stream = opened
            rawCount += 1
            let label = action.label ?? "raw \(rawCount)"
            rawStreams.append((label, stream))
            record.rawStreams[label] = RawStreamRecord()
        }
        if let code = action.reset {
            session.resetRaw(stream, code: .code(scene.codes.numberToSend(for: code, on: .reset)))
        } else if action.finish {
            session.finishRaw(stream)
        }
        if let code = action.stop {
            session.transport.stop(stream, code: .code(scene.codes.numberToSend(for: code, on: .stop)))
        }
        scene.note(
            .check, name,
            "sends \(action.bytes.count) raw bytes on \(stream): \(Hexadecimal.encode(action.bytes.prefix(32)))")
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
