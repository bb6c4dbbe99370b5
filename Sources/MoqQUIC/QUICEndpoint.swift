import CNgtcp2
import MoqBase

/// What an endpoint did so far.
public struct QUICEndpointStatistics: Hashable, Sendable {
    /// Datagrams that are no QUIC packets, or belong to nobody.
    public var strayDatagrams = 0
    /// Connections accepted, their handshake complete.
    public var accepted = 0
    /// Accepted connections whose handshake failed.
    public var failedHandshakes = 0
    /// First packets turned away because of a limit.
    public var refused = 0

    /// Nothing yet.
    public init() {}
}

/// All connections of one socket: those it dials and, given a server's configuration, those it accepts.
///
/// The order in which connections send is the order in which something happened on them; nothing depends on the order
/// of a dictionary. A connection stays with the address it began with: packets of it from elsewhere are dropped.
public final class QUICEndpoint: DatagramMachine {
    /// 45 packets of 1452 bytes, and never more than a UDP datagram can carry (Linux counts all segments together).
    private static let batchCapacity = 65_507

    /// What it did so far.
    public internal(set) var statistics = QUICEndpointStatistics()
    let server: QUICServerConfiguration?
    let limits: QUICEndpointLimits
    let pool = SendChunkPool()

    var random: SeededRandom
    /// Stateless reset tokens are made of it.
    let resetSecret: [UInt8]
    private var connectionCount: UInt64 = 0
    /// In the order of their creation.
    private(set) var live: [QUICConnection] = []
    private var owners: [ConnectionID: Owner] = [:]
    private var dirty = FIFO<QUICConnection>()
    private var accepted = FIFO<QUICConnection>()
    private var news = FIFO<QUICConnection>()
    /// Whether `pollNews` is used; without it nothing is noted.
    public var tellsNews = false
    var halfOpen = 0
    /// Answers that belong to no connection.
    var answers = FIFO<DatagramBatch>()
    private var departed = FIFO<Departed>()
    /// Answers to strays that may still be given, and since when.
    var strayBudget = QUICEndpoint.maximumStrayAnswers
    var strayBudgetSince = Instant.origin

    private var buffer: UnsafeMutableBufferPointer<UInt8>?
    private let pieces: UnsafeMutablePointer<ngtcp2_vec>

    /// Who takes the packets of a connection ID.
    enum Owner {
        case connection(QUICConnection)
        case departed(Departed)
    }

    /// An endpoint that draws all its chance from `random`, and accepts connections if `server` is given.
    public init(
        random: SeededRandom, server: QUICServerConfiguration? = nil, limits: QUICEndpointLimits = QUICEndpointLimits()
    ) {
        var random = random
        resetSecret = random.bytes(32)
        self.random = random
        self.server = server
        self.limits = limits
        pieces = .allocate(capacity: SendBuffer.maximumPieces)
    }

    deinit {
        pieces.deallocate()
        buffer?.deallocate()
    }

    /// Begins a connection. What comes of it, failures too, is told by its events.
    public func connect(to remote: NetworkAddress, configuration: QUICClientConfiguration) -> QUICConnection {
        let connection = add(.client(configuration), remote: remote)
        if live.count > limits.connections {
            connection.conclude(
                QUICClose(
                    initiator: .local, cause: .lost,
                    reason: "this endpoint already has its \(limits.connections) connections"), farewell: nil)
        }
        connection.markDirty()
        return connection
    }

    /// The next connection that a client opened, its handshake complete, or nil.
    public func pollAccepted() -> QUICConnection? {
        accepted.popFirst()
    }

    /// The next connection on which something happened since it was last given here, or nil: an owner of many
    /// connections need not look at those that are idle. `tellsNews` must be on.
    public func pollNews() -> QUICConnection? {
        let connection = news.popFirst()
        connection?.hasNews = false
        return connection
    }

    func noteNews(of connection: QUICConnection) {
        guard tellsNews, !connection.hasNews else { return }
        connection.hasNews = true
        news.append(connection)
    }

    /// Connections that are not closed yet, in the order of their creation.
    public var connections: [QUICConnection] { live }

    func add(_ side: QUICConnection.Side, remote: NetworkAddress) -> QUICConnection {
        connectionCount += 1
        let connection = QUICConnection(
            side: side, remote: remote, random: random.forked("connection \(connectionCount)"), endpoint: self)
        live.append(connection)
        return connection
    }

    func enqueue(_ connection: QUICConnection) {
        connection.isDirty = true
        dirty.append(connection)
    }

    /// Notes that a client's handshake came to its end, one way or the other.
    func settleHandshake(of connection: QUICConnection) {
        guard connection.isHalfOpen, connection.phase != .handshaking else { return }
        connection.isHalfOpen = false
        halfOpen -= 1
        if connection.phase == .established {
            statistics.accepted += 1
            accepted.append(connection)
        } else {
            statistics.failedHandshakes += 1
        }
    }

    // MARK: Connection IDs

    func owner(of identifier: ConnectionID) -> Owner? {
        owners[identifier]
    }

    func register(_ identifier: ConnectionID, for connection: QUICConnection) {
        owners[identifier] = .connection(connection)
    }

    /// Draws an ID that is not in use.
    func claimIdentifier(for connection: QUICConnection) -> ConnectionID {
        while true {
            let identifier = ConnectionID(word: connection.random.next())
            if owners[identifier] == nil {
                owners[identifier] = .connection(connection)
                return identifier
            }
        }
    }

    func releaseIdentifier(_ identifier: ConnectionID) {
        owners[identifier] = nil
    }

    func resetToken(for identifier: ConnectionID, into token: UnsafeMutablePointer<UInt8>) -> Bool {
        var identifier = identifier.library
        return ngtcp2_crypto_generate_stateless_reset_token(token, resetSecret, resetSecret.count, &identifier) == 0
    }

    // MARK: The machine

    public func receive(_ batch: DatagramBatch, at now: Instant) {
        forgetDeparted(at: now)
        batch.bytes.withUnsafeBufferPointer { bytes in
            var position = 0
            while position < bytes.count {
                let end = min(position + max(batch.segmentSize, 1), bytes.count)
                receive(UnsafeBufferPointer(rebasing: bytes[position..<end]), from: batch.remote, at: now)
                position = end
            }
        }
    }

    public func transmit(at now: Instant) -> DatagramBatch? {
        forgetDeparted(at: now)
        if let answer = answers.popFirst() { return answer }
        let time = LibraryTime.of(now)
        while let connection = dirty.first {
            let buffer = transmitBuffer()
            if connection.phase == .closing {
                let words = connection.writeLastWords(into: buffer, pieces: pieces, at: time)
                if words > 0 {
                    return DatagramBatch(remote: connection.remoteAddress, datagram: Array(buffer.prefix(words)))
                }
                leaveQueue(connection)
                let packet = farewell(of: connection, into: buffer, at: time)
                depart(connection, packet: packet, at: now)
                if !packet.isEmpty { return DatagramBatch(remote: connection.remoteAddress, datagram: packet) }
                continue
            }
            let filling = connection.fill(buffer, pieces: pieces, at: time)
            if filling.isExhausted {
                leaveQueue(connection)
            } else if filling.count > 0 {
                // Others get their turn between two batches.
                leaveQueue(connection)
                connection.markDirty()
            }
            if filling.count > 0 {
                return DatagramBatch(
                    remote: connection.remoteAddress, bytes: Array(buffer.prefix(filling.count)),
                    segmentSize: filling.segmentSize)
            }
        }
        return nil
    }

    public var deadline: Instant? {
        var earliest: Instant?
        for connection in live { earliest = .earlier(earliest, connection.expiry) }
        return earliest
    }

    public func advance(to now: Instant) {
        forgetDeparted(at: now)
        let time = LibraryTime.of(now)
        for connection in live {
            guard let expiry = connection.expiry, expiry <= now else { continue }
            connection.expire(at: time)
            settleHandshake(of: connection)
        }
    }

    private func leaveQueue(_ connection: QUICConnection) {
        _ = dirty.popFirst()
        connection.isDirty = false
    }

    private func transmitBuffer() -> UnsafeMutableBufferPointer<UInt8> {
        if let buffer { return buffer }
        let fresh = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.batchCapacity)
        buffer = fresh
        return fresh
    }

    private func farewell(
        of connection: QUICConnection, into buffer: UnsafeMutableBufferPointer<UInt8>, at time: UInt64
    ) -> [UInt8] {
        Array(buffer.prefix(connection.writeFarewell(into: buffer, at: time)))
    }

    // MARK: Connections that are over

    /// Frees a connection; its IDs stay for a while, so that what the peer still sends is not taken for a stray.
    private func depart(_ connection: QUICConnection, packet: [UInt8], at now: Instant) {
        settleHandshake(of: connection)
        let rest = Departed(
            remote: connection.remoteAddress, packet: packet, identifiers: connection.identifiers,
            until: now.advanced(by: .nanoseconds(Int64(clamping: connection.lingerTime))))
        for identifier in connection.identifiers { owners[identifier] = .departed(rest) }
        departed.append(rest)
        connection.dispose()
        if let index = live.firstIndex(where: { $0 === connection }) { live.remove(at: index) }
    }

    private func forgetDeparted(at now: Instant) {
        while let first = departed.first, first.until <= now {
            _ = departed.popFirst()
            for identifier in first.identifiers { owners[identifier] = nil }
        }
    }
}
