import CNgtcp2
import CShim
import MoqBase

/// Packets on their way out.
extension QUICConnection {
    /// Segments that Linux takes in one call (UDP_MAX_SEGMENTS).
    static let maximumSegments = 64

    /// What `fill` put into the buffer.
    struct Filling {
        var count = 0
        var segmentSize = 0
        /// Whether the connection has nothing more to send at this instant.
        var isExhausted = false
    }

    /// Puts packets of one size into `buffer`, the last of which may be shorter.
    func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, pieces: UnsafeMutablePointer<ngtcp2_vec>, at now: UInt64)
        -> Filling
    {
        latest = max(latest, now)
        if phase == .starting, case .client(let configuration) = side {
            do {
                try startClient(configuration, at: latest)
            } catch {
                conclude(QUICClose(initiator: .local, cause: .lost, reason: error.description), farewell: nil)
                return Filling()
            }
        }
        guard let base = buffer.baseAddress else { return Filling(isExhausted: true) }
        var filling = Filling()
        if let carriedPacket {
            (base).update(from: carriedPacket, count: carriedPacket.count)
            filling.count = carriedPacket.count
            filling.segmentSize = carriedPacket.count
            self.carriedPacket = nil
        }
        // Room for probes of the path, which may be longer than what is known to pass.
        let capacity = min(max(settings.maximumUDPPayload, 1_500), buffer.count)
        for _ in 0..<Self.maximumSegments where filling.count + capacity <= buffer.count {
            let position = base + filling.count
            let count = writePacket(to: position, capacity: capacity, pieces: pieces)
            if count == 0 {
                filling.isExhausted = true
                break
            }
            if filling.segmentSize == 0 { filling.segmentSize = count }
            if count > filling.segmentSize {
                carriedPacket = Array(UnsafeBufferPointer(start: position, count: count))
                break
            }
            filling.count += count
            if count < filling.segmentSize { break }
        }
        if filling.isExhausted { refreshExpiry() }
        return filling
    }

    /// Asks ngtcp2 when it wants to be called next.
    func refreshExpiry() {
        guard phase == .handshaking || phase == .established, let handle else {
            expiry = nil
            return
        }
        // A deadline that has passed although everything was done would have the driver turn without rest.
        let time = ngtcp2_conn_get_expiry(handle)
        let due = min(time, delayedClose?.due ?? .max)
        expiry = LibraryTime.instant(due <= latest ? latest + 1_000_000 : due)
    }

    /// Writes one packet; 0 when there is none at this instant.
    ///
    /// Once ngtcp2 has begun a packet (`NGTCP2_ERR_WRITE_MORE`) nothing but these calls is allowed until it is whole.
    private func writePacket(
        to destination: UnsafeMutablePointer<UInt8>, capacity: Int, pieces: UnsafeMutablePointer<ngtcp2_vec>
    ) -> Int {
        guard let handle else { return 0 }
        if maySendStreams {
            var triesDatagrams = !datagrams.isEmpty
            while triesDatagrams || !schedule.isEmpty {
                let written: Int?
                if triesDatagrams {
                    written = writeDatagram(handle, destination, capacity, pieces)
                    if written == 0 {
                        // Held back, but a stream may have something that goes.
                        triesDatagrams = false
                        continue
                    }
                    triesDatagrams = !datagrams.isEmpty
                } else if let (stream, turn) = schedule.pop() {
                    guard stream.wantsToSend else { continue }
                    written = write(stream, turn, handle, destination, capacity, pieces)
                } else {
                    break
                }
                if let written { return written }
            }
        }
        guard phase != .closing else { return 0 }
        let written = ngtcp2_conn_writev_stream_versioned(
            handle, nil, NGTCP2_PKT_INFO_VERSION, nil, destination, capacity, nil,
            UInt32(NGTCP2_WRITE_STREAM_FLAG_NONE),
            -1, nil, 0, latest)
        return checked(written)
    }

    /// Offers bytes of a stream. Nil: go on with the packet.
    private func write(
        _ stream: QUICStream, _ turn: UInt64, _ handle: OpaquePointer, _ destination: UnsafeMutablePointer<UInt8>,
        _ capacity: Int, _ pieces: UnsafeMutablePointer<ngtcp2_vec>
    ) -> Int? {
        let unsent = stream.send.unsent
        let offer = stream.send.unsentPieces(into: pieces)
        let endsHere = stream.sendState == .finishing && offer.areAll
        let flags = NGTCP2_WRITE_STREAM_FLAG_MORE | (endsHere ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0)
        var taken = -1
        let written = ngtcp2_conn_writev_stream_versioned(
            handle, nil, NGTCP2_PKT_INFO_VERSION, nil, destination, capacity, &taken, UInt32(flags), stream.id.signed,
            pieces, offer.count, latest)
        switch written {
        case Int(NGTCP2_ERR_STREAM_DATA_BLOCKED):
            stream.isBlocked = true
            return nil
        case Int(NGTCP2_ERR_STREAM_SHUT_WR), Int(NGTCP2_ERR_STREAM_NOT_FOUND):
            // Stopped by the peer; `takeStops` or `streamWasForgotten` say so.
            return nil
        default:
            break
        }
        if taken >= 0 {
            stream.send.markSent(taken)
            if endsHere && taken == unsent {
                stream.sendState = .finished
                stream.endWentAlone = taken == 0
            }
            if stream.wasFull, stream.send.unsent < settings.writeBudget / 2 {
                stream.wasFull = false
                if stream.sendState == .open { report(.writable(stream.id)) }
            }
            if stream.wantsToSend { schedule.push(stream) }
        } else {
            schedule.putBack(stream, turn: turn)
        }
        return written == Int(NGTCP2_ERR_WRITE_MORE) ? nil : checked(written)
    }

    /// Writes what one packet takes of the stream that was to be sent before the close; 0 when there is nothing.
    func writeLastWords(
        into buffer: UnsafeMutableBufferPointer<UInt8>, pieces: UnsafeMutablePointer<ngtcp2_vec>, at now: UInt64
    ) -> Int {
        guard let handle, let stream = lastWords else { return 0 }
        lastWords = nil
        guard stream.wantsToSend else { return 0 }
        latest = max(latest, now)
        let offer = stream.send.unsentPieces(into: pieces)
        let isEnd = stream.sendState == .finishing && offer.areAll
        let flags = isEnd ? NGTCP2_WRITE_STREAM_FLAG_FIN : NGTCP2_WRITE_STREAM_FLAG_NONE
        let size = min(buffer.count, max(settings.maximumUDPPayload, Int(NGTCP2_MAX_UDP_PAYLOAD_SIZE)))
        var taken = -1
        let written = ngtcp2_conn_writev_stream_versioned(
            handle, nil, NGTCP2_PKT_INFO_VERSION, nil, buffer.baseAddress, size, &taken, UInt32(flags),
            stream.id.signed, pieces, offer.count, latest)
        if taken > 0 { stream.send.markSent(taken) }
        return max(written, 0)
    }

    /// Offers the first datagram. Nil: go on with the packet; 0: datagrams are held back.
    private func writeDatagram(
        _ handle: OpaquePointer, _ destination: UnsafeMutablePointer<UInt8>, _ capacity: Int,
        _ pieces: UnsafeMutablePointer<ngtcp2_vec>
    ) -> Int? {
        guard let limit = maximumDatagramSize, var datagram = datagrams.first else { return 0 }
        // ngtcp2 would never take it, and never say so.
        guard datagram.count <= limit else {
            _ = datagrams.popFirst()
            droppedDatagrams += 1
            return nil
        }
        var accepted: Int32 = 0
        let written = datagram.withUnsafeMutableBufferPointer { bytes in
            pieces[0] = ngtcp2_vec(base: bytes.baseAddress, len: bytes.count)
            // ngtcp2 takes no empty pieces.
            return ngtcp2_conn_writev_datagram_versioned(
                handle, nil, NGTCP2_PKT_INFO_VERSION, nil, destination, capacity, &accepted,
                UInt32(NGTCP2_WRITE_DATAGRAM_FLAG_MORE), 0, pieces, bytes.isEmpty ? 0 : 1, latest)
        }
        if accepted != 0 { _ = datagrams.popFirst() }
        return written == Int(NGTCP2_ERR_WRITE_MORE) ? nil : checked(written)
    }

    /// The bytes written; a library error ends the connection.
    private func checked(_ written: Int) -> Int {
        if written >= 0 { return written }
        fail(Int32(clamping: written))
        return 0
    }
}
