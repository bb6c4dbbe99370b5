import CNgtcp2
import MoqBase

/// Finding out whom a datagram is for.
extension QUICEndpoint {
    /// Answers to strays (version negotiation, refusals, stateless resets) that may be given at once, and per second:
    /// nobody can make this endpoint send much to a third party.
    static let maximumStrayAnswers = 100
    /// More answers than this do not wait.
    private static let maximumQueuedAnswers = 256
    /// CONNECTION_REFUSED (RFC 9000 section 20.1).
    private static let connectionRefused: UInt64 = 2
    /// A stateless reset must be shorter than what it answers, and no shorter than 21 bytes.
    private static let shortestStray = 43

    func receive(_ datagram: UnsafeBufferPointer<UInt8>, from remote: NetworkAddress, at now: Instant) {
        guard let base = datagram.baseAddress, !datagram.isEmpty else { return }
        var header = ngtcp2_version_cid()
        let result = ngtcp2_pkt_decode_version_cid(&header, base, datagram.count, ConnectionID.issuedLength)
        if result == NGTCP2_ERR_VERSION_NEGOTIATION {
            return negotiateVersion(header, with: remote, at: now)
        }
        guard result == 0,
            let identifier = ConnectionID(UnsafeBufferPointer(start: header.dcid, count: header.dcidlen))
        else {
            statistics.strayDatagrams += 1
            return
        }
        switch owner(of: identifier) {
        case .connection(let connection):
            guard connection.remoteAddress == remote else {
                statistics.strayDatagrams += 1
                return
            }
            connection.feed(datagram, at: LibraryTime.of(now))
            if connection.isHalfOpen { settleHandshake(of: connection) }
        case .departed(let departed):
            if departed.remote == remote, let answer = departed.answer() { queue(answer) }
        case nil:
            if base.pointee & 0x80 == 0 {
                receiveStray(datagram, for: identifier, from: remote, at: now)
            } else {
                accept(datagram, from: remote, at: now)
            }
        }
    }

    // MARK: New connections

    private func accept(_ datagram: UnsafeBufferPointer<UInt8>, from remote: NetworkAddress, at now: Instant) {
        var first = ngtcp2_pkt_hd()
        guard let server, ngtcp2_accept(&first, datagram.baseAddress, datagram.count) == 0 else {
            statistics.strayDatagrams += 1
            return
        }
        guard connections.count < limits.connections else {
            statistics.refused += 1
            return refuse(first, from: remote, at: now)
        }
        guard halfOpen < limits.halfOpenConnections else {
            statistics.refused += 1
            return
        }
        let connection = add(.server(server), remote: remote)
        connection.isHalfOpen = true
        halfOpen += 1
        do {
            try connection.startServer(server, first: first, at: LibraryTime.of(now))
        } catch {
            connection.conclude(
                QUICClose(initiator: .local, cause: .lost, reason: error.description), farewell: nil)
        }
        connection.feed(datagram, at: LibraryTime.of(now))
        settleHandshake(of: connection)
    }

    private func refuse(_ first: ngtcp2_pkt_hd, from remote: NetworkAddress, at now: Instant) {
        guard mayAnswerStray(at: now) else { return }
        var destination = first.scid
        var source = first.dcid
        answer(remote, capacity: Int(NGTCP2_MAX_UDP_PAYLOAD_SIZE)) { buffer in
            ngtcp2_crypto_write_connection_close(
                buffer.baseAddress, buffer.count, first.version, &destination, &source, Self.connectionRefused, nil, 0)
        }
    }

    private func negotiateVersion(_ header: ngtcp2_version_cid, with remote: NetworkAddress, at now: Instant) {
        statistics.strayDatagrams += 1
        guard server != nil, mayAnswerStray(at: now) else { return }
        let chance = UInt8(truncatingIfNeeded: random.next())
        let versions = [UInt32(NGTCP2_PROTO_VER_V1)]
        answer(remote, capacity: Int(NGTCP2_MAX_UDP_PAYLOAD_SIZE)) { buffer in
            ngtcp2_pkt_write_version_negotiation(
                buffer.baseAddress, buffer.count, chance, header.scid, header.scidlen, header.dcid, header.dcidlen,
                versions, versions.count)
        }
    }

    // MARK: Strays

    private func receiveStray(
        _ datagram: UnsafeBufferPointer<UInt8>, for identifier: ConnectionID, from remote: NetworkAddress,
        at now: Instant
    ) {
        statistics.strayDatagrams += 1
        guard mayAnswerStray(at: now) else { return }
        // A stateless reset carries no connection ID of ours: the connections to that peer know their tokens.
        for connection in connections where connection.role == .client && connection.remoteAddress == remote {
            connection.feed(datagram, at: LibraryTime.of(now))
            if connection.phase == .closing { return }
        }
        guard server != nil, datagram.count >= Self.shortestStray else { return }
        var token = [UInt8](repeating: 0, count: Int(NGTCP2_STATELESS_RESET_TOKENLEN))
        guard resetToken(for: identifier, into: &token) else { return }
        let noise = random.bytes(Self.shortestStray - 1 - token.count)
        answer(remote, capacity: Self.shortestStray) { buffer in
            ngtcp2_pkt_write_stateless_reset(buffer.baseAddress, buffer.count, token, noise, noise.count)
        }
    }

    private func mayAnswerStray(at now: Instant) -> Bool {
        let passed = strayBudgetSince.duration(to: now)
        if passed >= .seconds(1) {
            strayBudget = Self.maximumStrayAnswers
            strayBudgetSince = now
        }
        guard strayBudget > 0 else { return false }
        strayBudget -= 1
        return true
    }

    private func answer(
        _ remote: NetworkAddress, capacity: Int, write: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) {
        let datagram = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = max(0, write(buffer))
        }
        if !datagram.isEmpty { queue(DatagramBatch(remote: remote, datagram: datagram)) }
    }

    private func queue(_ answer: DatagramBatch) {
        if answers.count < Self.maximumQueuedAnswers { answers.append(answer) }
    }
}
