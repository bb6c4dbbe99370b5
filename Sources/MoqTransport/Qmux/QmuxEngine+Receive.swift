import MoqBase

// What arrives.
extension QmuxEngine {
    /// Takes the content of one record, or of one message: without the size that stands before it on a byte stream.
    ///
    /// `range` is the part of `bytes` that is meant, all of it when nil.
    public func receive(record bytes: [UInt8], in range: Range<Int>? = nil, at now: Instant) {
        touch(now)
        guard let version, phase == .handshaking || phase == .established else { return }
        let range = range ?? 0..<bytes.count
        lastReceived = now
        firstSentSince = nil
        guard range.count <= maximumIncomingRecord else {
            stumble(.largeRecord(range.count))
            return
        }
        guard !range.isEmpty else {
            stumble(QmuxViolation(.protocolViolation, "a record without frames"))
            return
        }
        var reader = QmuxFrameReader(bytes, in: range, version: version)
        do throws(QmuxViolation) {
            while phase == .handshaking || phase == .established, let frame = try reader.next() {
                do throws(QmuxViolation) {
                    try take(frame, of: bytes, at: now)
                } catch {
                    var violation = error
                    violation.frameType = reader.type
                    throw violation
                }
            }
        } catch {
            stumble(error)
        }
    }

    /// Ends the connection over something that makes no sense; before the parameters that means no Qmux at all.
    private func stumble(_ violation: QmuxViolation) {
        if phase == .handshaking, violation.frameType != QmuxFrameType.parameters {
            refuse(.notSpoken("the peer does not begin as Qmux does"), reason: violation.reason, telling: violation)
        } else {
            fail(violation)
        }
    }

    private func take(_ frame: QmuxFrame, of bytes: [UInt8], at now: Instant) throws(QmuxViolation) {
        if phase == .handshaking {
            switch frame {
            case .parameters(let parameters): takeParameters(parameters, at: now)
            case .close(let cause, let reason): takeClose(cause, reason)
            default: throw QmuxViolation(.protocolViolation, "the first frame is no QX_TRANSPORT_PARAMETERS")
            }
            return
        }
        switch frame {
        case .padding, .dataBlocked, .streamsBlocked: break
        case .parameters where settings.flaw == .qmuxParametersTwice: break
        case .parameters: throw QmuxViolation(.protocolViolation, "a second QX_TRANSPORT_PARAMETERS frame")
        case .stream(let id, let offset, let data, let isLast):
            try takeStream(id, offset: offset, bytes, data, isLast: isLast)
        case .resetStream(let id, let code, let finalSize): try takeReset(id, code: code, finalSize: finalSize)
        case .stopSending(let id, let code): try takeStop(id, code: code)
        case .maximumData(let limit): raiseLimit(to: limit)
        case .maximumStreamData(let id, let limit):
            guard let stream = try sending(id), limit > stream.sendLimit else { return }
            stream.sendLimit = limit
            consider(stream)
        case .streamDataBlocked(let id): _ = try receiving(id)
        case .maximumStreams(let direction, let limit): raiseStreams(direction, to: limit)
        case .close(let cause, let reason): takeClose(cause, reason)
        case .pingRequest(let sequence): try takePing(sequence)
        case .pingResponse(let sequence): try takePong(sequence, at: now)
        }
    }

    // MARK: - The connection

    private func takeParameters(_ parameters: QmuxParameters, at now: Instant) {
        peerParameters = parameters
        switch negotiation {
        case .agreed(let name):
            guard parameters.protocols == nil else {
                let reason = "application protocols are named although one was agreed on before"
                fail(QmuxViolation(.transportParameter, frameType: QmuxFrameType.parameters, reason))
                return
            }
            negotiatedProtocol = name
        case .inBand(let ours):
            guard agree(ours, parameters.protocols) else { return }
        }
        sendLimit = parameters.data
        phase = .established
        add(.established)
        raiseStreams(.bidirectional, to: parameters.streamsBidirectional)
        raiseStreams(.unidirectional, to: parameters.streamsUnidirectional)
        // The first round trip is worth knowing at once.
        owesPing = settings.keepAlive != nil && version?.usesRecords == true
    }

    /// Agrees on an application protocol: the first of the server's that the client speaks too. Gives whether the
    /// session goes on.
    private func agree(_ ours: [String], _ theirs: [String]?) -> Bool {
        guard let theirs else {
            // A client that names nothing leaves it to the application's own setup; a server that answers nothing to
            // a list does not know what it is asked for.
            if role == .server || ours.isEmpty { return true }
            refuse(
                .noProtocol, reason: "the peer names no application protocols",
                telling: QmuxViolation(.noApplicationProtocol, "no application protocol was named"))
            return false
        }
        let isServer = (role == .server) != (settings.flaw == .qmuxOrderOfClient)
        let (server, client) = isServer ? (ours, theirs) : (theirs, ours)
        if let name = server.first(where: client.contains) {
            negotiatedProtocol = name
            return true
        }
        if ours.isEmpty { return true }
        let offered = theirs.prefix(8).joined(separator: ", ")
        refuse(
            .noProtocol, reason: "the peer speaks \(offered), of which we speak none",
            telling: QmuxViolation(.noApplicationProtocol, "no application protocol in common"))
        return false
    }

    private func takeClose(_ cause: SessionClose.Cause, _ reason: String) {
        end(SessionClose(initiator: .peer, cause: cause, reason: reason), frame: nil)
    }

    private func raiseLimit(to limit: UInt64) {
        guard limit > sendLimit else { return }
        sendLimit = limit
        let blocked = connectionBlocked
        connectionBlocked = []
        for stream in blocked {
            stream.waitsForConnection = false
            consider(stream)
        }
    }

    private func raiseStreams(_ direction: StreamDirection, to limit: UInt64) {
        let index = direction.qmuxIndex
        guard limit > directions[index].peerLimit else { return }
        directions[index].peerLimit = limit
        if directions[index].isWaiting {
            directions[index].isWaiting = false
            add(.streamsAvailable(direction))
        }
    }

    private func takePing(_ sequence: UInt64) throws(QmuxViolation) {
        if version == .draft02, let greatestPing, sequence <= greatestPing {
            throw QmuxViolation(.protocolViolation, "ping \(sequence) came after ping \(greatestPing)")
        }
        greatestPing = max(greatestPing ?? 0, sequence)
        pingCount += 1
        if settings.flaw == .qmuxPingsCounted, pingCount > 100 {
            throw QmuxViolation(.protocolViolation, "more than a hundred pings")
        }
        if settings.flaw == .qmuxPingUnanswered { return }
        owedPong = greatestPing
    }

    private func takePong(_ sequence: UInt64, at now: Instant) throws(QmuxViolation) {
        guard sequence < nextPing else {
            throw QmuxViolation(.protocolViolation, "an answer to ping \(sequence), which was not sent")
        }
        while let ping = waitingPings.first, ping.sequence <= sequence {
            _ = waitingPings.popFirst()
            guard ping.sequence == sequence else { continue }
            let sample = ping.sentAt.duration(to: now)
            let smoothed = pathEstimate.map { ($0.roundTrip * 7 + sample) / 8 } ?? sample
            pathEstimate = PathEstimate(roundTrip: smoothed, sendRate: nil)
        }
    }

    // MARK: - Streams

    private func takeStream(
        _ id: StreamID, offset: UInt64?, _ bytes: [UInt8], _ data: Range<Int>, isLast: Bool
    ) throws(QmuxViolation) {
        guard let stream = try receiving(id), stream.isReceiving else { return }
        if offset == nil { isEarlyPeer = true }
        if let offset, offset != stream.received {
            throw QmuxViolation(
                .protocolViolation, "\(id) goes on at \(offset), but \(stream.received) bytes of it have come")
        }
        let count = UInt64(data.count)
        let isBound = settings.flaw != .qmuxFinalSizeIgnored
        if isBound, let finalSize = stream.finalSize, stream.received + count > finalSize {
            throw QmuxViolation(.finalSize, "\(id) carries bytes behind its end")
        }
        try admit(count, to: stream)
        if isLast { stream.finalSize = stream.received }
        if stream.isStopped {
            consume(data.count, of: stream)
            if isLast { endReceiving(stream) }
            return
        }
        stream.unread.append(bytes, data)
        if !stream.isAnnounced, !data.isEmpty || isLast {
            stream.isAnnounced = true
            add(.readable(id))
        }
    }

    private func takeReset(_ id: StreamID, code: UInt64, finalSize: UInt64?) throws(QmuxViolation) {
        guard let stream = try receiving(id), stream.isReceiving else { return }
        // Releases before 0.4 of the Rust stack say 0 whatever they sent.
        let size = finalSize.map { $0 == 0 ? stream.received : $0 } ?? stream.received
        let isBound = settings.flaw != .qmuxFinalSizeIgnored
        guard !isBound || size >= stream.received, !isBound || stream.finalSize == nil || stream.finalSize == size
        else {
            throw QmuxViolation(
                .finalSize, "the reset of \(id) says \(size) bytes, but \(stream.received) of it have come")
        }
        if stream.finalSize != nil, !stream.isStopped {
            // Everything had been sent before the reset, and nothing of it is lost.
            return
        }
        let missing = size - min(size, stream.received)
        try admit(missing, to: stream)
        stream.finalSize = size
        consume(stream.unread.count, of: stream)
        if missing > 0 { consumeOfConnection(missing) }
        // As with QUIC, whoever stopped a stream hears that it was reset.
        add(.reset(id, .code(code)))
        endReceiving(stream)
    }

    private func takeStop(_ id: StreamID, code: UInt64) throws(QmuxViolation) {
        guard let stream = try sending(id), stream.sending != .ended else { return }
        add(.stopped(id, .code(code)))
        reset(stream, code: code)
    }

    /// Counts bytes that arrived against both windows.
    private func admit(_ count: UInt64, to stream: QmuxStream) throws(QmuxViolation) {
        let isBound = settings.flaw != .qmuxWindowsIgnored
        guard !isBound || stream.received + count <= stream.receiveLimit else {
            throw QmuxViolation(.flowControl, "\(stream.id) exceeds its window of \(stream.receiveLimit) bytes")
        }
        let limit = version?.hasFlowControl == true ? receiveLimit : consumedTotal + settings.connectionWindow
        guard !isBound || receivedTotal + count <= limit else {
            throw QmuxViolation(.flowControl, "the streams exceed the window of the connection, \(limit) bytes")
        }
        stream.received += count
        receivedTotal += count
    }

    /// The stream of a frame about what the peer sends; nil when it is over.
    private func receiving(_ id: StreamID) throws(QmuxViolation) -> QmuxStream? {
        if id.direction == .unidirectional, id.initiator == role {
            throw QmuxViolation(.streamState, "\(id) carries bytes from here only")
        }
        return try known(id)
    }

    /// The stream of a frame about what we send; nil when it is over.
    private func sending(_ id: StreamID) throws(QmuxViolation) -> QmuxStream? {
        if id.direction == .unidirectional, id.initiator != role {
            throw QmuxViolation(.streamState, "\(id) carries bytes from the peer only")
        }
        return try known(id)
    }

    private func known(_ id: StreamID) throws(QmuxViolation) -> QmuxStream? {
        if let stream = streams[id] { return stream }
        let index = id.direction.qmuxIndex
        let number = id.rawValue >> 2
        if id.initiator == role {
            guard number < directions[index].opened else {
                throw QmuxViolation(.streamState, "\(id) was not opened yet")
            }
            return nil
        }
        if number < directions[index].next {
            guard directions[index].unseen.remove(number) != nil else { return nil }
        } else {
            if settings.flaw == .qmuxStreamLimitIgnored, number >= directions[index].limit { return nil }
            try checkLimit(of: number, in: directions[index])
            for skipped in directions[index].next..<number { directions[index].unseen.insert(skipped) }
            directions[index].next = number + 1
        }
        directions[index].openCount += 1
        let stream = QmuxStream(
            id: id, role: role, sendLimit: initialSendLimit(of: id), receiveLimit: initialReceiveLimit)
        streams[id] = stream
        add(.streamOpened(id))
        return stream
    }

    private func checkLimit(of number: UInt64, in direction: QmuxDirection) throws(QmuxViolation) {
        if version?.hasFlowControl == true {
            guard number < direction.limit else {
                throw QmuxViolation(.streamLimit, "stream number \(number) exceeds the limit of \(direction.limit)")
            }
            return
        }
        // The oldest format has no limits that a peer could know, but memory has.
        let skipped = number - direction.next + UInt64(direction.unseen.count)
        guard direction.openCount < direction.window, skipped <= UInt64(QmuxLimits.skippedStreams),
            waitingEventCount < QmuxLimits.waitingEvents
        else {
            throw QmuxViolation(.streamLimit, "more than \(direction.window) streams are open at once")
        }
    }
}
