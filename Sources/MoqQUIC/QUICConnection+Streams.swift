import CNgtcp2
import CShim

/// What is left with ngtcp2 as the user data of a stream, for streams that have no `QUICStream` (any more).
enum StreamMark: Int {
    case open = 1
    /// We stopped it; a reset in answer is still of interest.
    case stopped = 2
    /// Nothing more is reported.
    case done = 3

    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: rawValue) }

    init?(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return nil }
        self.init(rawValue: Int(bitPattern: pointer))
    }
}

/// What ngtcp2 says of streams.
extension QUICConnection {
    /// In releases where it is so, nothing tells the end of a peer's unidirectional stream but its bytes.
    private static let remoteUnidirectionalNeverClose = shim_quic_remote_uni_streams_never_close() != 0

    func streamWasOpened(_ number: Int64) {
        let id = QUICStreamID(rawValue: UInt64(bitPattern: number))
        streams[id.rawValue] = QUICStream(id: id, isLocal: false)
        ngtcp2_conn_set_stream_user_data(handle, number, StreamMark.open.pointer)
        report(.streamOpened(id))
    }

    func streamReceived(_ number: Int64, _ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) {
        guard let stream = streams[UInt64(bitPattern: number)], stream.receiveState == .open else { return }
        stream.received.append(contentsOf: bytes)
        if isEnd { stream.receiveState = .complete }
        if !stream.isAnnounced {
            stream.isAnnounced = true
            report(.readable(stream.id))
        }
    }

    func streamWasReset(_ number: Int64, code: UInt64, mark: StreamMark?) {
        let id = QUICStreamID(rawValue: UInt64(bitPattern: number))
        guard let mark else {
            // Reset before anything else of it arrived. ngtcp2 keeps no such stream and gives the credit itself.
            report(.streamOpened(id))
            report(.reset(id, code: code))
            return
        }
        guard let stream = streams[id.rawValue] else {
            if mark == .stopped {
                ngtcp2_conn_set_stream_user_data(handle, number, StreamMark.done.pointer)
                report(.reset(id, code: code))
            }
            return
        }
        switch stream.receiveState {
        case .open:
            abandonReceiving(stream)
            report(.reset(id, code: code))
            settle(stream)
        case .over where stream.wasStopped:
            stream.wasStopped = false
            report(.reset(id, code: code))
        case .complete, .absent, .over:
            // Everything had arrived: the reset takes nothing away (RFC 9000 section 3.2).
            break
        }
    }

    func streamWasAcknowledged(_ number: Int64, upTo offset: UInt64, count: UInt64) {
        guard let stream = streams[UInt64(bitPattern: number)] else { return }
        stream.send.acknowledge(upTo: offset + count, to: pool)
        if count == 0 { stream.endAcknowledgedAlone = true }
        if stream.sendState == .finished, stream.send.acknowledged == stream.send.sent,
            !stream.endWentAlone || stream.endAcknowledgedAlone
        {
            stream.sendState = .delivered
            report(.delivered(stream.id))
        }
    }

    func streamWasForgotten(_ number: Int64) {
        guard let stream = streams[UInt64(bitPattern: number)] else { return }
        stream.isForgotten = true
        stream.turn = 0
        stream.send.releaseAll(to: pool)
        if stream.sendState == .finished {
            stream.sendState = .delivered
            report(.delivered(stream.id))
        }
        if stream.receiveState == .open { abandonReceiving(stream) }
        settle(stream)
    }

    func streamWindowGrew(_ number: Int64) {
        guard let stream = streams[UInt64(bitPattern: number)] else { return }
        stream.isBlocked = false
        enqueue(stream)
    }

    func streamLimitGrew(_ direction: QUICStreamDirection) {
        guard phase == .established else { return }
        switch direction {
        case .bidirectional where wantsBidirectional:
            wantsBidirectional = false
            report(.streamsAvailable(direction))
        case .unidirectional where wantsUnidirectional:
            wantsUnidirectional = false
            report(.streamsAvailable(direction))
        case .bidirectional, .unidirectional:
            break
        }
    }

    /// Takes up the STOP_SENDING frames of a packet that ngtcp2 accepted. It has answered them with resets.
    func takeStops() {
        for stop in stops {
            guard let stream = streams[stop.stream], !stream.stopReported else { continue }
            switch stream.sendState {
            case .absent, .delivered:
                continue
            case .open, .finishing, .finished:
                abandonSending(stream)
            case .reset:
                break
            }
            stream.stopReported = true
            report(.stopped(stream.id, code: stop.code))
        }
        stops.removeAll(keepingCapacity: stops.capacity <= 64)
    }

    /// Lets go of a stream once neither the application nor ngtcp2 has any more to do with it, and then allows the
    /// peer another one: exactly once, and only after the application took the end, so that a peer cannot pile up
    /// streams that nobody reads.
    func settle(_ stream: QUICStream) {
        let isLocal = stream.id.initiator == role
        let isUnidirectional = stream.id.direction == .unidirectional
        switch stream.receiveState {
        case .open, .complete: return
        case .absent, .over: break
        }
        let neverForgotten = !isLocal && isUnidirectional && Self.remoteUnidirectionalNeverClose
        guard stream.isForgotten || neverForgotten else { return }
        streams[stream.id.rawValue] = nil
        guard let handle, phase == .established || phase == .handshaking else { return }
        if !stream.isForgotten {
            let mark = stream.wasStopped ? StreamMark.stopped : .done
            ngtcp2_conn_set_stream_user_data(handle, stream.id.signed, mark.pointer)
        }
        guard !isLocal, !stream.isCredited else { return }
        stream.isCredited = true
        if isUnidirectional {
            ngtcp2_conn_extend_max_streams_uni(handle, 1)
        } else {
            ngtcp2_conn_extend_max_streams_bidi(handle, 1)
        }
        markDirty()
    }
}
