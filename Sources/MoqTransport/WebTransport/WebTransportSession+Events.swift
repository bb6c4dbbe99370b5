import MoqBase
import MoqHTTP3
import MoqQUIC

/// What QUIC says, and what of it the session's owner hears.
extension WebTransportSession {
    /// The owner's event, or nil when there is none or when it was reported otherwise.
    func translate(_ event: QUICEvent) -> TransportEvent? {
        switch event {
        case .established:
            begin()
        case .streamOpened(let id):
            let reader = StreamPrefixReader(isUnidirectional: id.direction == .unidirectional)
            arriving[id.rawValue] = ArrivingStream(.unknown(reader))
        case .readable(let id):
            guard let stream = arriving[id.rawValue] else { return .readable(StreamID(rawValue: id.rawValue)) }
            attempt { () throws(HTTP3Error) in try read(stream, id) }
        case .writable(let id):
            return isOwn(id) ? nil : .writable(StreamID(rawValue: id.rawValue))
        case .delivered(let id):
            return isOwn(id) ? nil : .delivered(StreamID(rawValue: id.rawValue))
        case .reset(let id, let code):
            guard let stream = arriving[id.rawValue] else {
                return .reset(StreamID(rawValue: id.rawValue), StreamCodeMapping.code(code))
            }
            attempt { () throws(HTTP3Error) in try wasReset(stream, id, code: code) }
        case .stopped(let id, let code):
            guard isOwn(id) else { return .stopped(StreamID(rawValue: id.rawValue), StreamCodeMapping.code(code)) }
            attempt { () throws(HTTP3Error) in try wasStopped(id, code: code) }
        case .streamsAvailable(let direction):
            if phase == .open {
                return .streamsAvailable(direction == .bidirectional ? .bidirectional : .unidirectional)
            }
            attempt { () throws(HTTP3Error) in try goOn() }
        case .datagram(let bytes):
            return take(bytes)
        case .closed(let close):
            connectionClosed(close)
        }
        return nil
    }

    /// Does something that may turn out to be against HTTP/3.
    func attempt(_ work: () throws(HTTP3Error) -> Void) {
        do {
            try work()
        } catch {
            fail(error)
        }
    }

    private func isOwn(_ id: QUICStreamID) -> Bool {
        arriving[id.rawValue] != nil || id == ownControl
    }

    /// A datagram's payload, if it is the session's.
    private func take(_ datagram: [UInt8]) -> TransportEvent? {
        if phase == .open, datagram.starts(with: datagramPrefix) {
            return .datagram(Array(datagram[datagramPrefix.count...]))
        }
        do {
            let (session, payload) = try DatagramPrefix.decode(datagram)
            // The shortest form of the number is usual, not required.
            if phase == .open, session == connectStream?.rawValue { return .datagram(payload) }
            if phase == .opening, heldDatagrams.count < WebTransportLimits.heldDatagrams {
                heldDatagrams.append(datagram)
            }
        } catch {
            fail(error)
        }
        return nil
    }

    private func wasReset(_ stream: ArrivingStream, _ id: QUICStreamID, code: UInt64) throws(HTTP3Error) {
        switch stream.purpose {
        case .control, .qpackEncoder, .qpackDecoder:
            throw HTTP3Error(.closedCriticalStream, "\(id) of HTTP/3 itself was reset")
        case .connect:
            connectBroke("reset", code)
        case .held:
            stream.resetCode = code
        case .unknown, .request, .dropped:
            if case .unknown = stream.purpose { try countTurnedAway(id) }
            forget(id)
            if id.direction == .bidirectional {
                connection.reset(id, code: HTTP3Code.requestCancelled.rawValue)
            }
        }
    }

    private func wasStopped(_ id: QUICStreamID, code: UInt64) throws(HTTP3Error) {
        if id == ownControl { throw HTTP3Error(.closedCriticalStream, "the control stream was stopped") }
        guard let stream = arriving[id.rawValue] else { return }
        switch stream.purpose {
        case .unknown, .held: stream.stopCode = code
        case .connect: connectBroke("stopped", code)
        case .control, .qpackEncoder, .qpackDecoder, .request, .dropped: break
        }
    }

    /// The CONNECT ended without a close.
    private func connectBroke(_ how: String, _ code: UInt64) {
        let words = "the CONNECT was \(how) with \(HTTP3Code(rawValue: code))"
        if phase == .opening {
            refuse(.notSpoken("\(words) before it was answered; the server takes no WebTransport session"), by: .peer)
        } else {
            endSoon(SessionClose(initiator: .peer, cause: .lost, reason: words), code: .noError, reason: "")
        }
    }

    /// Lets go of a stream that is of no interest any more. A bidirectional one stays noted, because something may
    /// still be heard of our half; there are no more of them than the limits allow.
    func forget(_ id: QUICStreamID) {
        if id.direction == .unidirectional {
            arriving[id.rawValue] = nil
        } else {
            arriving[id.rawValue]?.purpose = .dropped
        }
    }

    /// Bounds the bidirectional streams that lead to nothing.
    func countTurnedAway(_ id: QUICStreamID) throws(HTTP3Error) {
        guard id.direction == .bidirectional else { return }
        refusedCount += 1
        guard refusedCount <= WebTransportLimits.refusedStreams else {
            throw HTTP3Error(.excessiveLoad, "too many streams that lead to nothing")
        }
    }
}
