import MoqBase

// What goes out.
extension QmuxEngine {
    /// The content of the next record or message, or nil when there is nothing to send at this instant.
    ///
    /// `limit` is the most bytes that the content may have, 1024 or more (transport parameters and a close are sent
    /// whole). What is sent next is decided only now, so that priorities have effect however slow the carrier is: call
    /// this when the carrier has room, and not for more than it has.
    public func transmit(limit: Int, at now: Instant) -> [UInt8]? {
        touch(now)
        guard let version, phase != .over else { return nil }
        let peerLimit = peerParameters.map { Int(clamping: $0.recordSize) } ?? QmuxLimits.record
        let largest = version.usesRecords ? min(peerLimit, QmuxLimits.record) : QmuxLimits.frame
        let limit = min(max(limit, QmuxLimits.smallestRecord), largest)
        var record = QmuxRecord(limit: limit, takesOneFrame: !version.usesRecords)
        fill(&record, version: version, at: now)
        guard !record.bytes.isEmpty else { return nil }
        if firstSentSince == nil { firstSentSince = now }
        return record.bytes
    }

    private func fill(_ record: inout QmuxRecord, version: QmuxVersion, at now: Instant) {
        if owesParameters {
            owesParameters = false
            var names: [String]?
            if case .inBand(let list) = negotiation { names = list }
            record.parameters(QmuxParameters(settings, version: version, protocols: names))
            // Alone: a peer that is refused because of them has nothing else to think of.
            return
        }
        if phase == .closing, let closeFrame {
            let form: QmuxRecord.CloseForm =
                version == .webTransport ? .oldest : isEarlyPeer ? .alwaysWithFrameType : .quic
            record.close(closeFrame, form: form)
            self.closeFrame = nil
            phase = .over
            return
        }
        guard phase == .established else { return }
        addConnectionFrames(to: &record, at: now)
        while record.hasRoomForSmallFrame, let owed = owing.popFirst() { add(owed, to: &record, version) }
        while record.hasRoomForStream, let (stream, _) = schedule.pop() { addStream(stream, to: &record, version) }
    }

    private func addConnectionFrames(to record: inout QmuxRecord, at now: Instant) {
        if let sequence = owedPong, record.hasRoomForSmallFrame {
            owedPong = nil
            record.numbers(QmuxFrameType.pingResponse, sequence)
        }
        if owesPing, record.hasRoomForSmallFrame {
            owesPing = false
            lastPing = now
            if waitingPings.count == QmuxLimits.waitingPings { _ = waitingPings.popFirst() }
            waitingPings.append(QmuxWaitingPing(sequence: nextPing, sentAt: now))
            record.numbers(QmuxFrameType.pingRequest, nextPing)
            nextPing += 1
        }
        if owesLimit, record.hasRoomForSmallFrame {
            owesLimit = false
            receiveLimit = consumedTotal + settings.connectionWindow
            record.numbers(QmuxFrameType.maximumData, receiveLimit)
        }
        if owesBlocked, record.hasRoomForSmallFrame {
            owesBlocked = false
            record.numbers(QmuxFrameType.dataBlocked, sendLimit)
        }
        for index in directions.indices {
            if directions[index].owesLimit, record.hasRoomForSmallFrame {
                directions[index].owesLimit = false
                directions[index].limit = directions[index].over + directions[index].window
                record.numbers(QmuxFrameType.maximumStreamsBidirectional + UInt64(index), directions[index].limit)
            }
            if directions[index].owesBlocked, record.hasRoomForSmallFrame {
                directions[index].owesBlocked = false
                record.numbers(
                    QmuxFrameType.streamsBlockedBidirectional + UInt64(index), directions[index].peerLimit)
            }
        }
    }

    private func add(_ owed: QmuxOwed, to record: inout QmuxRecord, _ version: QmuxVersion) {
        switch owed {
        case .reset(let stream):
            guard let code = stream.owedReset else { return }
            stream.owedReset = nil
            record.numbers(QmuxFrameType.resetStream, stream.id.rawValue, code)
            if version.hasFlowControl { record.number(stream.sent) }
            forgetIfOver(stream)
        case .stop(let stream):
            guard let code = stream.owedStop else { return }
            stream.owedStop = nil
            record.numbers(QmuxFrameType.stopSending, stream.id.rawValue, code)
        case .limit(let stream):
            stream.owesLimit = false
            guard stream.isReceiving, stream.finalSize == nil, !stream.isStopped else { return }
            stream.receiveLimit = stream.consumed + settings.streamWindow
            record.numbers(QmuxFrameType.maximumStreamData, stream.id.rawValue, stream.receiveLimit)
        case .blocked(let stream):
            guard stream.owesBlocked else { return }
            stream.owesBlocked = false
            guard stream.isBlocked else { return }
            record.numbers(QmuxFrameType.streamDataBlocked, stream.id.rawValue, stream.sendLimit)
        }
    }

    private func addStream(_ stream: QmuxStream, to record: inout QmuxRecord, _ version: QmuxVersion) {
        let allowed = Int(clamping: min(stream.sendLimit - stream.sent, sendLimit - sentTotal))
        let count = min(stream.unsent.count, allowed, record.roomForData(of: stream), QmuxLimits.sentPayload)
        if count == 0, !stream.unsent.isEmpty {
            stream.waitsForConnection = true
            connectionBlocked.append(stream)
            if blockedLimit != sendLimit {
                blockedLimit = sendLimit
                owesBlocked = true
            }
            return
        }
        let isLast = stream.sending == .finishing && count == stream.unsent.count
        record.stream(stream, count: count, isLast: isLast, isOldest: !version.hasFlowControl)
        stream.sent += UInt64(count)
        if version.hasFlowControl { sentTotal += UInt64(count) }
        if isLast {
            // There are no acknowledgements: what the carrier has is delivered (draft-ietf-quic-qmux-02 section 5).
            stream.sending = .ended
            tell(.delivered(stream.id))
            forgetIfOver(stream)
            return
        }
        if stream.wantsRoom, stream.sending == .open, stream.unsent.count < settings.writeBudget / 2 {
            stream.wantsRoom = false
            tell(.writable(stream.id))
        }
        consider(stream)
    }

    private func tell(_ event: TransportEvent) {
        add(event)
        hasUnheardNews = true
    }
}

/// The content of one record while it is written.
struct QmuxRecord {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let takesOneFrame: Bool

    init(limit: Int, takesOneFrame: Bool) {
        self.limit = limit
        self.takesOneFrame = takesOneFrame
    }

    private var room: Int { takesOneFrame && !bytes.isEmpty ? 0 : limit - bytes.count }

    /// The reset is the largest: three numbers and its type.
    var hasRoomForSmallFrame: Bool { room >= QmuxLimits.smallFrame + 8 }

    /// A frame with a single byte would waste the record.
    var hasRoomForStream: Bool { room >= 64 }

    /// How many bytes of a stream fit behind the head of their frame.
    func roomForData(of stream: QmuxStream) -> Int {
        // Type, number, offset, and a length that takes 2 bytes as long as records are below 16 KiB.
        room - 1 - VarInt.length(stream.id.rawValue) - VarInt.length(stream.sent) - 2
    }

    mutating func number(_ value: UInt64) {
        let width = VarInt.length(value)
        let word = value | UInt64(width.trailingZeroBitCount) << (8 * UInt64(width) - 2)
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    mutating func numbers(_ values: UInt64...) {
        for value in values { number(value) }
    }

    mutating func parameters(_ parameters: QmuxParameters) {
        let content = parameters.encoded
        numbers(QmuxFrameType.parameters, UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// How a close is laid out.
    enum CloseForm {
        /// RFC 9000 section 19.19.
        case quic
        /// With a frame type in closes of the application as well.
        case alwaysWithFrameType
        /// A code, and the rest of the message is the reason.
        case oldest
    }

    mutating func close(_ frame: QmuxCloseFrame, form: CloseForm) {
        let reason = Array(frame.reason.utf8.prefix(QmuxLimits.reason))
        numbers(
            frame.frameType == nil ? QmuxFrameType.applicationClose : QmuxFrameType.connectionClose, frame.code)
        if form != .oldest {
            if frame.frameType != nil || form == .alwaysWithFrameType { number(frame.frameType ?? 0) }
            number(UInt64(reason.count))
        }
        bytes.append(contentsOf: reason)
    }

    /// Moves unsent bytes of a stream into a frame.
    mutating func stream(_ stream: QmuxStream, count: Int, isLast: Bool, isOldest: Bool) {
        bytes.reserveCapacity(bytes.count + count + 32)
        let type = QmuxFrameType.stream | (isLast ? 1 : 0)
        if isOldest {
            numbers(type, stream.id.rawValue)
        } else {
            // With offset and length, as every stack sends it.
            numbers(type | 6, stream.id.rawValue, stream.sent, UInt64(count))
        }
        stream.unsent.move(count, onto: &bytes)
    }
}
