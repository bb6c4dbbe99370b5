import MoqBase
import MoqHTTP3
import MoqQUIC

/// The binding of moq-lite to WebTransport over HTTP/3 (draft-ietf-webtrans-http3): one session on one connection.
///
/// Settings, headers and prefixes are those that moq-ffi 0.2 to 0.4.18 use: draft 02's with `wt-available-protocols`
/// and `wt-protocol` of later drafts. Streams keep QUIC's numbers; the control stream, the QPACK streams and the CONNECT
/// stay hidden, and so do the prefixes of streams and datagrams. The binding knows no time: whoever owns it gives up on
/// a peer that never answers.
public final class WebTransportSession: TransportSession {
    /// Where the session is in its life.
    enum Phase {
        /// QUIC's handshake, SETTINGS, and the CONNECT.
        case opening
        case open
        case over
    }

    /// The QUIC connection beneath, for reports. Nobody else polls it.
    public let connection: QUICConnection
    public let role: EndpointRole
    public internal(set) var negotiatedProtocol: String?
    /// Path and query of the CONNECT; at the server nil until it arrived.
    public internal(set) var requestPath: String?
    /// The HTTP/3 SETTINGS of the peer, by identifier; nil until they were seen.
    public internal(set) var peerSettings: [UInt64: UInt64]?
    /// The peer asked to wind the session up (WT_DRAIN_SESSION or GOAWAY).
    public internal(set) var isDraining = false

    /// The client's names to offer, or the server's own.
    let protocols: [String]
    let authority: String
    /// What is wrong with this end on purpose.
    let flaw: BindingFlaw?
    var phase = Phase.opening
    /// Whether our SETTINGS are on their way.
    var hasBegun = false
    /// Whether the CONNECT was accepted.
    var hasOpened = false
    var settings: HTTP3Settings?
    var encoder: QPACKEncoder?
    var decoder: QPACKDecoder?
    var control: ControlStreamReader
    var response: RequestStreamReader
    var capsules = CapsuleReader()
    /// Our own control stream.
    var ownControl: QUICStreamID?
    /// The CONNECT, which names the session.
    var connectStream: QUICStreamID?
    /// Streams that are HTTP/3's own, or whose place is not clear yet. All others are the session's.
    var arriving: [UInt64: ArrivingStream] = [:]
    /// Held streams in the order of their arrival.
    var heldOrder: [QUICStreamID] = []
    var heldDatagrams: [[UInt8]] = []
    /// The session's streams of which nothing but the end is left to read.
    var finishedStreams: Set<UInt64> = []
    /// How the session will have ended when the close that was waited for does not come.
    var pendingEnd: SessionClose?
    var requestCount = 0
    var refusedCount = 0
    /// How much came on the peer's control stream that says nothing; counted for a flaw.
    var unknownControlBytes = 0
    var hasPeerControl = false
    var hasPeerEncoder = false
    var hasPeerDecoder = false
    /// In front of every datagram.
    var datagramPrefix: [UInt8] = []
    private var pending: [TransportEvent] = []
    private var nextPending = 0

    /// The client's end, on a connection that offers `h3`. `authority` is host and port, `path` may have a query; of
    /// `protocols` the preferred comes first.
    public init(client connection: QUICConnection, authority: String, path: String, protocols: [String]) {
        self.connection = connection
        self.authority = authority
        self.protocols = protocols
        role = .client
        flaw = nil
        requestPath = path
        control = ControlStreamReader(atServer: false)
        response = RequestStreamReader(atServer: false)
        if connection.isEstablished { begin() }
    }

    /// The server's end, on a connection that negotiated `h3`. The client's order decides: the first of its names that
    /// is in `protocols` is chosen, as moq-ffi does; a client that offers none of them is accepted without.
    public init(server connection: QUICConnection, protocols: [String], flaw: BindingFlaw? = nil) {
        self.connection = connection
        self.flaw = flaw
        self.protocols = protocols
        authority = ""
        role = .server
        control = ControlStreamReader(atServer: true)
        response = RequestStreamReader(atServer: true)
        if connection.isEstablished { begin() }
    }

    public var kind: TransportKind { .webtransport }
    public var remoteAddress: NetworkAddress { connection.remoteAddress }

    public func poll() -> TransportEvent? {
        while true {
            if nextPending < pending.count {
                defer { nextPending += 1 }
                return pending[nextPending]
            }
            if !pending.isEmpty {
                pending.removeAll(keepingCapacity: true)
                nextPending = 0
            }
            guard phase != .over, let event = connection.poll() else { return nil }
            if let own = translate(event) { return own }
        }
    }

    public var handshakeStanding: String? {
        if hasOpened { return HandshakeWords.exchange }
        if connectStream != nil { return "HTTP/3 was agreed on, the CONNECT was sent, and it was not answered" }
        if settings != nil { return "HTTP/3 was agreed on, and there was no stream for the CONNECT" }
        if hasBegun { return "QUIC and TLS were agreed on (ALPN h3), and the SETTINGS of HTTP/3 did not come" }
        return connection.hasAnswered ? "packets came back, and the handshake of QUIC was not completed" : nil
    }

    /// Tells the owner something, behind what was told before.
    func report(_ event: TransportEvent) {
        pending.append(event)
    }

    // MARK: Streams

    public func openStream(_ direction: StreamDirection) -> StreamID? {
        guard phase == .open, let session = connectStream?.rawValue else { return nil }
        guard let id = connection.openStream(direction == .bidirectional ? .bidirectional : .unidirectional) else {
            return nil
        }
        let prefix =
            direction == .bidirectional
            ? StreamPrefix.bidirectional(session: session) : StreamPrefix.unidirectional(session: session)
        connection.write(prefix, to: id)
        return StreamID(rawValue: id.rawValue)
    }

    public func write(_ bytes: [UInt8], to stream: StreamID) {
        guard let id = owned(stream) else { return }
        connection.write(bytes, to: id)
    }

    public func canWrite(_ stream: StreamID) -> Bool {
        owned(stream).map(connection.canWrite) ?? false
    }

    public func finish(_ stream: StreamID) {
        guard let id = owned(stream) else { return }
        connection.finish(id)
    }

    public func reset(_ stream: StreamID, code: StreamCode) {
        guard let id = owned(stream) else { return }
        connection.reset(id, code: StreamCodeMapping.wire(code))
    }

    public func stop(_ stream: StreamID, code: StreamCode) {
        guard let id = owned(stream) else { return }
        if !finishedStreams.isEmpty { finishedStreams.remove(id.rawValue) }
        connection.stop(id, code: StreamCodeMapping.wire(code))
    }

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard limit > 0, let id = owned(stream) else { return nil }
        if !finishedStreams.isEmpty, finishedStreams.remove(id.rawValue) != nil {
            return StreamRead(bytes: [], isFinished: true)
        }
        return connection.read(id, limit: limit).map { StreamRead(bytes: $0.bytes, isFinished: $0.isFinished) }
    }

    public func setPriority(_ priority: SendPriority, of stream: StreamID) {
        guard let id = owned(stream) else { return }
        connection.setPriority(QUICStreamPriority(urgency: priority.urgency, sequence: priority.sequence), of: id)
    }

    /// The stream, if it is the session's and none of HTTP/3's own.
    private func owned(_ stream: StreamID) -> QUICStreamID? {
        guard phase != .opening, arriving[stream.rawValue] == nil, stream.rawValue != ownControl?.rawValue else {
            return nil
        }
        return QUICStreamID(rawValue: stream.rawValue)
    }

    // MARK: Datagrams and the path

    public var maximumDatagramSize: Int? {
        guard phase == .open, settings?.allowsDatagrams == true, let size = connection.maximumDatagramSize else {
            return nil
        }
        return max(0, size - datagramPrefix.count)
    }

    public func sendDatagram(_ bytes: [UInt8]) -> Bool {
        guard phase == .open, settings?.allowsDatagrams == true else { return false }
        return connection.sendDatagram(datagramPrefix + bytes)
    }

    public var pathEstimate: PathEstimate? {
        connection.pathEstimate.map { PathEstimate(roundTrip: $0.roundTrip, sendRate: $0.sendRate) }
    }
}
