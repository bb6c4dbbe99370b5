import MoqBase
import MoqHTTP3
import MoqQUIC

/// Streams of the peer, from their first bytes until their place is clear.
extension WebTransportSession {
    /// Reads what waits on a stream that is HTTP/3's own or unknown.
    func read(_ stream: ArrivingStream, _ id: QUICStreamID) throws(HTTP3Error) {
        while phase != .over, arriving[id.rawValue] === stream {
            switch stream.purpose {
            case .held:
                // Its bytes wait in QUIC, within its window.
                return
            case .unknown(var prefix):
                guard let read = connection.read(id, limit: prefix.wanted) else { return }
                let kind = prefix.receive(read.bytes)
                stream.purpose = .unknown(prefix)
                if let kind {
                    try place(stream, id, kind, isFinished: read.isFinished)
                } else if read.isFinished {
                    // A unidirectional stream may end before its type (RFC 9114 section 6.2).
                    try countTurnedAway(id)
                    forget(id)
                    if id.direction == .bidirectional {
                        connection.reset(id, code: HTTP3Code.requestIncomplete.rawValue)
                    }
                    return
                }
            case .control, .qpackEncoder, .qpackDecoder, .request, .connect, .dropped:
                guard let read = connection.read(id, limit: WebTransportLimits.readSize) else { return }
                try take(read.bytes, of: stream, id, isFinished: read.isFinished)
            }
        }
    }

    private func place(
        _ stream: ArrivingStream, _ id: QUICStreamID, _ kind: StreamPrefixReader.Kind, isFinished: Bool
    ) throws(HTTP3Error) {
        switch kind {
        case .webTransport(let session):
            try join(stream, id, session: session, isFinished: isFinished)
        case .other(let type, let bytes) where id.direction == .unidirectional:
            stream.purpose = try purpose(ofType: type)
            try take(bytes, of: stream, id, isFinished: isFinished)
        case .other(let type, let bytes):
            guard role == .server else {
                throw HTTP3Error(
                    .streamCreationError, "the server opened a bidirectional stream with frame \(type)")
            }
            requestCount += 1
            guard requestCount <= WebTransportLimits.requests else {
                throw HTTP3Error(.excessiveLoad, "more than \(WebTransportLimits.requests) requests")
            }
            stream.purpose = .request(RequestStreamReader(atServer: true))
            try take(bytes, of: stream, id, isFinished: isFinished)
        }
    }

    private func purpose(ofType type: UInt64) throws(HTTP3Error) -> ArrivingStream.Purpose {
        switch type {
        case HTTP3StreamType.control:
            guard !hasPeerControl else { throw HTTP3Error(.streamCreationError, "a second control stream") }
            hasPeerControl = true
            return .control
        case HTTP3StreamType.qpackEncoder:
            guard !hasPeerEncoder else { throw HTTP3Error(.streamCreationError, "a second QPACK encoder stream") }
            hasPeerEncoder = true
            return .qpackEncoder
        case HTTP3StreamType.qpackDecoder:
            guard !hasPeerDecoder else { throw HTTP3Error(.streamCreationError, "a second QPACK decoder stream") }
            hasPeerDecoder = true
            return .qpackDecoder
        case HTTP3StreamType.push where flaw == .http3PushTaken: return .dropped
        case HTTP3StreamType.push:
            if role == .server { throw HTTP3Error(.streamCreationError, "a push stream from a client") }
            throw HTTP3Error(.idError, "a push stream although no push was allowed")
        default:
            if flaw == .http3UnknownStreamsRefused {
                throw HTTP3Error(.streamCreationError, "a stream of the unknown type \(type)")
            }
            return .dropped
        }
    }

    private func take(
        _ bytes: [UInt8], of stream: ArrivingStream, _ id: QUICStreamID, isFinished: Bool
    ) throws(HTTP3Error) {
        switch stream.purpose {
        case .control:
            let events = try control.receive(bytes)
            for event in events { try take(event) }
            if flaw == .http3UnknownFramesCounted, events.isEmpty {
                unknownControlBytes += bytes.count
                guard unknownControlBytes <= 1000 else { throw HTTP3Error(.excessiveLoad, "too much that is unknown") }
            }
        case .qpackEncoder:
            try decoder?.readEncoderStream(bytes)
        case .qpackDecoder:
            try encoder?.readDecoderStream(bytes)
        case .request(var reader):
            reader.append(bytes)
            try readRequest(stream, id, &reader, isFinished: isFinished)
            return
        case .connect:
            try readConnect(id, bytes, isFinished: isFinished)
            return
        case .dropped, .unknown, .held:
            if isFinished { forget(id) }
            return
        }
        if isFinished, phase != .over {
            throw HTTP3Error(.closedCriticalStream, "\(id), which HTTP/3 itself needs, was finished")
        }
    }

    // MARK: Streams of sessions

    private func join(
        _ stream: ArrivingStream, _ id: QUICStreamID, session: UInt64, isFinished: Bool
    ) throws(HTTP3Error) {
        guard session % 4 == 0 else {
            throw HTTP3Error(.idError, "\(id) names the session \(session), which no CONNECT can have")
        }
        stream.purpose = .held(session: session, isFinished: isFinished)
        if phase == .open {
            try admit(stream, id)
        } else if heldOrder.count < WebTransportLimits.heldStreams, flaw != .webTransportEarlyStreamsRefused {
            heldOrder.append(id)
        } else {
            try turnAway(stream, id)
        }
    }

    /// Gives a stream to the session, or turns it away when it names another one.
    private func admit(_ stream: ArrivingStream, _ id: QUICStreamID) throws(HTTP3Error) {
        guard case .held(let session, let isFinished) = stream.purpose else { return }
        guard session == connectStream?.rawValue || flaw == .webTransportForeignStreams else {
            return try turnAway(stream, id)
        }
        arriving[id.rawValue] = nil
        let own = StreamID(rawValue: id.rawValue)
        report(.streamOpened(own))
        if let code = stream.resetCode {
            report(.reset(own, StreamCodeMapping.code(code)))
        } else if isFinished {
            finishedStreams.insert(id.rawValue)
            report(.readable(own))
        } else if connection.unreadBytes(of: id) > 0 {
            report(.readable(own))
        }
        if let code = stream.stopCode { report(.stopped(own, StreamCodeMapping.code(code))) }
    }

    private func turnAway(_ stream: ArrivingStream, _ id: QUICStreamID) throws(HTTP3Error) {
        refusedCount += 1
        guard refusedCount <= WebTransportLimits.refusedStreams else {
            throw HTTP3Error(.excessiveLoad, "too many streams of sessions that do not exist")
        }
        stream.purpose = .dropped
        let code = HTTP3Code.webTransportBufferedStreamRejected.rawValue
        connection.stop(id, code: code)
        if id.direction == .bidirectional { connection.reset(id, code: code) }
    }

    /// The session is open: says so, and hands over what came early.
    func open(choosing name: String?) throws(HTTP3Error) {
        guard let session = connectStream else { return }
        phase = .open
        hasOpened = true
        negotiatedProtocol = name
        datagramPrefix = DatagramPrefix.encode(session: session.rawValue)
        report(.established)
        let early = heldOrder
        heldOrder = []
        for id in early {
            if let stream = arriving[id.rawValue] { try admit(stream, id) }
        }
        for datagram in heldDatagrams {
            let (owner, payload) = try DatagramPrefix.decode(datagram)
            if owner == session.rawValue { report(.datagram(payload)) }
        }
        heldDatagrams = []
    }
}
