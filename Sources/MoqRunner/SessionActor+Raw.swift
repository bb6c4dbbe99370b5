import MoqBase
import MoqConformance
import MoqScenario
import MoqTransport

// Bytes of the author's choice, past the session engine.
extension SessionActor {
    /// Bytes of a peer kept of one raw stream: enough to compare, not enough to flood.
    private static let bytesKept = 4096

    func sendRaw(_ action: SendRawAction) throws(RunnerError) {
        guard let line, let session else { throw .unusable("\(name) is not connected, so it cannot send bytes") }
        let transport = session.transport
        let stream: StreamID
        switch action.stream {
        case .datagram:
            guard transport.sendDatagram(action.bytes) else {
                throw .unusable("the datagram of \(action.bytes.count) bytes cannot be sent on this session")
            }
            return
        case .named(let label):
            guard let entry = rawStreams.first(where: { $0.label == label }) else {
                throw .unusable("\(name) has opened no stream `\(label)`")
            }
            stream = entry.stream
        case .newUnidirectional, .newBidirectional:
            let direction: StreamDirection = action.stream == .newUnidirectional ? .unidirectional : .bidirectional
            guard let opened = transport.openStream(direction) else {
                throw .unusable("the relay allows no further \(direction.rawValue) stream at this point")
            }
            stream = opened
            rawCount += 1
            let label = action.label ?? "raw \(rawCount)"
            rawStreams.append((label, stream))
            line.rawStreams.insert(stream)
            record.rawStreams[label] = RawStreamRecord()
        }
        if !action.bytes.isEmpty { transport.write(action.bytes, to: stream) }
        if let code = action.reset {
            transport.reset(stream, code: .code(scene.codes.numberToSend(for: code, on: .reset)))
        } else if action.finish {
            transport.finish(stream)
        }
        scene.note(
            .check, name,
            "sends \(action.bytes.count) raw bytes on \(stream): \(Hexadecimal.encode(action.bytes.prefix(32)))")
    }

    /// Takes what came on the raw streams.
    func collectRawStreams(_ line: Line) {
        for event in line.takeRawEvents() {
            guard let entry = rawStreams.first(where: { $0.stream == event.stream }) else { continue }
            var stream = record.rawStreams[entry.label] ?? RawStreamRecord()
            switch event.what {
            case .bytes(let bytes):
                stream.received.append(contentsOf: bytes.prefix(max(0, Self.bytesKept - stream.received.count)))
            case .finished:
                stream.end = .finished
            case .reset(let code):
                stream.end = RecordedEnd(code)
            case .stopped(let code):
                stream.stopped = RecordedEnd(code)
            }
            record.rawStreams[entry.label] = stream
            scene.note(.check, name, "raw stream `\(entry.label)`: \(event.what)")
        }
    }
}

/// What happened on a stream that the session engine knows nothing of.
struct RawStreamEvent {
    enum What: CustomStringConvertible {
        case bytes([UInt8])
        case finished
        case reset(StreamCode)
        case stopped(StreamCode)

        var description: String {
            switch self {
            case .bytes(let bytes): "\(bytes.count) bytes: \(Hexadecimal.encode(bytes.prefix(32)))"
            case .finished: "finished by the relay"
            case .reset(let code): "reset by the relay with \(code)"
            case .stopped(let code): "stopped by the relay with \(code)"
            }
        }
    }

    var stream: StreamID
    var what: What
}
