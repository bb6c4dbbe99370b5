import CNgtcp2
import CShim
import MoqBase

/// One connection to one peer.
///
/// It belongs to the endpoint that made it. Act on it between turns of the driver's crank, and take what happened with
/// `poll()`. Calls that name a stream which is gone, or come after the close, do nothing.
public final class QUICConnection {
    /// Where the connection is in its life.
    enum Phase {
        /// A client that has sent nothing: ngtcp2 learns of it at the first `transmit`, which knows the instant.
        case starting
        case handshaking
        case established
        /// The close was reported; its packet may be unsent.
        case closing
    }

    /// What the last packet says.
    enum FarewellPacket {
        case application(code: UInt64, reason: [UInt8])
        case error(Int32)
        case alert(UInt8)
    }

    /// Which handshake a connection makes.
    enum Side {
        case client(QUICClientConfiguration)
        case server(QUICServerConfiguration)
    }

    /// Datagrams that may wait for the congestion window.
    static let maximumQueuedDatagrams = 256
    /// Datagrams that arrived and were not polled. One arrival of the driver's brings far fewer; what comes on top is
    /// dropped, as the network may do.
    static let maximumUnpolledDatagrams = 4_096
    /// A reason phrase must fit a packet of 1200 bytes with room to spare.
    static let maximumReason = 512

    /// Which end this is.
    public let role: QUICRole
    /// The far end.
    public let remoteAddress: NetworkAddress
    /// The ALPN protocol, once established.
    public internal(set) var negotiatedProtocol: String?
    /// The stream that the server began with its first flight, if its configuration has one for the protocol and the
    /// client allowed it; at the server.
    public internal(set) var earlyStream: QUICStreamID?
    /// Datagrams that were accepted by `sendDatagram` but had grown too large for the path when their turn came.
    public internal(set) var droppedDatagrams = 0

    let side: Side
    let settings: QUICTransportSettings
    weak var endpoint: QUICEndpoint?
    let pool: SendChunkPool
    let path: NetworkPath
    var random: SeededRandom

    var phase = Phase.starting
    var handle: OpaquePointer?
    /// What was read of the peer's certificate.
    var certificateRead: CertificateFacts?
    var tls: TLSSession?
    var identifiers: [ConnectionID] = []
    /// Counted among the endpoint's half-open connections.
    var isHalfOpen = false
    var isDirty = false
    /// Stands in the endpoint's queue of connections with news.
    var hasNews = false
    /// When ngtcp2 wants to be called, as of the last transmit.
    var expiry: Instant?
    var latest: UInt64 = 0
    /// A packet that was longer than the others of its batch.
    var carriedPacket: [UInt8]?
    var farewell: FarewellPacket?
    /// A stream whose unsent bytes go out before the farewell, if they fit one packet.
    var lastWords: QUICStream?
    /// A close that waits for its moment.
    var delayedClose: (due: UInt64, code: UInt64, reason: String)?
    var wasResetStatelessly = false
    /// Whether a packet of the peer was read.
    var hasHeard = false
    /// A server whose 1-RTT keys are there, so that streams may go out before the client's handshake is complete.
    var hasEarlySendKeys = false

    var streams: [UInt64: QUICStream] = [:]
    var schedule = SendSchedule<QUICStream>()
    var events = FIFO<QUICEvent>()
    var datagrams = FIFO<[UInt8]>()
    var unpolledDatagrams = 0
    var stops: [FrameWalk.Stop] = []
    var wantsUnidirectional = false
    var wantsBidirectional = false
    /// How the connection ended, once it has.
    public internal(set) var closed: QUICClose?

    init(side: Side, remote: NetworkAddress, random: SeededRandom, endpoint: QUICEndpoint) {
        self.side = side
        switch side {
        case .client(let configuration):
            role = .client
            settings = configuration.transport
        case .server(let configuration):
            role = .server
            settings = configuration.transport
        }
        remoteAddress = remote
        self.random = random
        self.endpoint = endpoint
        pool = endpoint.pool
        path = NetworkPath(remote: remote)
    }

    deinit {
        dispose()
    }

    /// The next thing that happened, or nil.
    public func poll() -> QUICEvent? {
        let event = events.popFirst()
        if case .datagram = event { unpolledDatagrams -= 1 }
        return event
    }

    /// Whether the handshake is complete and nobody has closed yet.
    public var isEstablished: Bool { phase == .established }

    // MARK: Streams

    /// Opens a stream, or returns nil before the handshake is complete and when the peer's limit is reached
    /// (`streamsAvailable` follows).
    public func openStream(_ direction: QUICStreamDirection) -> QUICStreamID? {
        guard maySendStreams, let handle else { return nil }
        var number: Int64 = -1
        let result =
            switch direction {
            case .bidirectional: ngtcp2_conn_open_bidi_stream(handle, &number, StreamMark.open.pointer)
            case .unidirectional: ngtcp2_conn_open_uni_stream(handle, &number, StreamMark.open.pointer)
            }
        guard result == 0 else {
            switch direction {
            case .bidirectional: wantsBidirectional = true
            case .unidirectional: wantsUnidirectional = true
            }
            return nil
        }
        let id = QUICStreamID(rawValue: UInt64(bitPattern: number))
        streams[id.rawValue] = QUICStream(id: id, isLocal: true)
        return id
    }

    /// Appends bytes to a stream. They are always taken; `canWrite` tells when to hold back.
    public func write(_ bytes: [UInt8], to id: QUICStreamID) {
        guard maySendStreams, let stream = streams[id.rawValue], stream.sendState == .open, !bytes.isEmpty
        else { return }
        bytes.withUnsafeBufferPointer { stream.send.append($0, from: pool) }
        if stream.send.unsent >= settings.writeBudget { stream.wasFull = true }
        enqueue(stream)
    }

    /// Whether less than `writeBudget` bytes of a stream are unsent.
    public func canWrite(_ id: QUICStreamID) -> Bool {
        guard phase == .established, let stream = streams[id.rawValue], stream.sendState == .open else { return false }
        return stream.send.unsent < settings.writeBudget
    }

    /// Bytes of a stream that were not sent yet.
    public func unsentBytes(of id: QUICStreamID) -> Int {
        streams[id.rawValue]?.send.unsent ?? 0
    }

    /// Bytes of a stream that arrived and were not read yet.
    public func unreadBytes(of id: QUICStreamID) -> Int {
        streams[id.rawValue]?.unread ?? 0
    }

    /// Ends our half of a stream behind what was written.
    public func finish(_ id: QUICStreamID) {
        guard phase == .established, let stream = streams[id.rawValue], stream.sendState == .open else { return }
        stream.sendState = .finishing
        enqueue(stream)
    }

    /// Resets our half of a stream with `code` (at most 2^62 - 1, RESET_STREAM of RFC 9000 section 19.4).
    public func reset(_ id: QUICStreamID, code: UInt64) {
        guard phase == .established, let handle, let stream = streams[id.rawValue] else { return }
        switch stream.sendState {
        case .absent, .delivered, .reset: return
        case .open, .finishing, .finished: break
        }
        abandonSending(stream)
        _ = shim_quic_reset_stream(handle, id.signed, min(code, VarInt.maximum))
        markDirty()
    }

    /// Asks the peer with `code` (at most 2^62 - 1, STOP_SENDING of RFC 9000 section 19.5) to send nothing more on a
    /// stream; bytes that still arrive are dropped. If the peer answers with a reset, that is reported.
    public func stop(_ id: QUICStreamID, code: UInt64) {
        guard phase == .established, let handle, let stream = streams[id.rawValue] else { return }
        switch stream.receiveState {
        case .absent, .over: return
        case .open, .complete: break
        }
        stream.wasStopped = stream.receiveState == .open
        abandonReceiving(stream)
        _ = shim_quic_stop_stream(handle, id.signed, min(code, VarInt.maximum))
        settle(stream)
        markDirty()
    }

    /// Takes up to `limit` bytes; nil when nothing waits. Reading opens the flow-control windows again.
    ///
    /// What had arrived before a close of the peer's can still be read.
    public func read(_ id: QUICStreamID, limit: Int) -> QUICStreamRead? {
        guard limit > 0, let stream = streams[id.rawValue] else { return nil }
        switch stream.receiveState {
        case .absent, .over: return nil
        case .open, .complete: break
        }
        let bytes = stream.takeReceived(limit: limit)
        let isEmptied = stream.unread == 0
        let isFinished = isEmptied && stream.receiveState == .complete
        if isEmptied { stream.isAnnounced = false }
        if bytes.isEmpty && !isFinished { return nil }
        if !bytes.isEmpty, phase == .established, let handle {
            if stream.receiveState == .open {
                ngtcp2_conn_extend_max_stream_offset(handle, id.signed, UInt64(bytes.count))
            }
            ngtcp2_conn_extend_max_offset(handle, UInt64(bytes.count))
            markDirty()
        }
        if isFinished {
            stream.receiveState = .over
            settle(stream)
        }
        return QUICStreamRead(bytes: bytes, isFinished: isFinished)
    }

    /// In which order a stream with unsent bytes gets to send.
    public func setPriority(_ priority: QUICStreamPriority, of id: QUICStreamID) {
        guard let stream = streams[id.rawValue], stream.priority != priority else { return }
        stream.priority = priority
        schedule.reprioritize(stream)
    }

    // MARK: Datagrams and the close

    /// The largest datagram that can be sent now, or nil where there are none.
    public var maximumDatagramSize: Int? {
        guard phase == .established, let handle, let peer = ngtcp2_conn_get_remote_transport_params(handle),
            let destination = ngtcp2_conn_get_dcid(handle)
        else { return nil }
        let frame = Int(clamping: peer.pointee.max_datagram_frame_size)
        // Type and length: one byte and two.
        guard frame > 3 else { return nil }
        let payload =
            assumesMTU
            ? min(settings.maximumUDPPayload, Int(clamping: peer.pointee.max_udp_payload_size))
            : ngtcp2_conn_get_path_max_tx_udp_payload_size(handle)
        // First byte, packet number, authentication tag, and the frame's type and length.
        let overhead = 1 + destination.pointee.datalen + 4 + 16 + 3
        return max(0, min(payload - overhead, frame - 3))
    }

    /// Queues a datagram; false when it is too large, when the peer takes none, or when too many wait.
    public func sendDatagram(_ bytes: [UInt8]) -> Bool {
        guard let limit = maximumDatagramSize, bytes.count <= limit, datagrams.count < Self.maximumQueuedDatagrams
        else { return false }
        datagrams.append(bytes)
        markDirty()
        return true
    }

    /// Closes the connection with an application's code (at most 2^62 - 1) and a reason, which is cut to 512 bytes.
    /// What is unsent or unread is gone; only of the stream `last` as much as one packet takes is still sent, once,
    /// right before the close.
    public func close(code: UInt64, reason: String = "", afterSending last: QUICStreamID? = nil) {
        guard phase != .closing else { return }
        if phase == .established, let last { lastWords = streams[last.rawValue] }
        let bytes = Array(reason.utf8.prefix(Self.maximumReason))
        let code = min(code, VarInt.maximum)
        conclude(
            QUICClose(initiator: .local, cause: .application(code: code), reason: reason),
            farewell: .application(code: code, reason: bytes))
    }

    /// Closes the connection after `delay`, unless a close of the peer's comes first, which then is the one reported.
    /// Until then everything goes on. Of several such calls the first counts.
    public func close(code: UInt64, reason: String, after delay: Duration) {
        guard phase == .established else { return close(code: code, reason: reason) }
        guard delayedClose == nil else { return }
        let wait = UInt64(max(0, delay.wholeNanoseconds))
        delayedClose = (latest.addingReportingOverflow(wait).partialValue, code, reason)
        refreshExpiry()
        markDirty()
    }

    // MARK: Helpers of the calls above

    /// Whether packets may carry streams: after the handshake, and at a server already in its first flight.
    var maySendStreams: Bool { phase == .established || (phase == .handshaking && hasEarlySendKeys) }

    /// Whether packets may have their full size without probing the path.
    var assumesMTU: Bool {
        switch settings.pathMTU {
        case .automatic: remoteAddress.isLoopback
        case .discover: false
        case .assume: true
        }
    }

    /// Adds an event, and lets the endpoint's owner know where to look.
    func report(_ event: QUICEvent) {
        events.append(event)
        endpoint?.noteNews(of: self)
    }

    func markDirty() {
        if !isDirty { endpoint?.enqueue(self) }
    }

    func enqueue(_ stream: QUICStream) {
        guard stream.wantsToSend else { return }
        if stream.turn == 0 { schedule.push(stream) }
        markDirty()
    }

    /// Forgets what is unsent; what was sent stays until ngtcp2 forgets the stream, because it may send it again.
    func abandonSending(_ stream: QUICStream) {
        stream.sendState = .reset
        stream.turn = 0
        stream.send.dropUnsent(to: pool)
    }

    /// Forgets what is unread, and gives its flow-control credit back to the connection.
    func abandonReceiving(_ stream: QUICStream) {
        if stream.unread > 0, let handle {
            ngtcp2_conn_extend_max_offset(handle, UInt64(stream.unread))
        }
        stream.received = []
        stream.readPosition = 0
        stream.receiveState = .over
    }
}
