import MoqBase

/// What one end of an in-memory connection allows its peer, and how it hands over what arrived.
public struct InMemoryLimits: Sendable {
    /// How many bidirectional streams the peer may have open at once.
    public var bidirectionalStreams = 1024
    /// How many unidirectional streams the peer may have open at once.
    public var unidirectionalStreams = 1024
    /// How many unread bytes a stream holds before its sender has to wait.
    public var streamWindow = 1 << 20
    /// From how many unsent bytes on `canWrite` is false.
    public var writeBudget = 64 << 10
    /// The most bytes that one `read` gives; 1 makes every decoder meet every split.
    public var readSize = Int.max
    /// The largest datagram, nil for none.
    public var datagramSize: Int? = 1200
    /// How many datagrams wait unread before more are refused.
    public var waitingDatagrams = 256

    /// The defaults.
    public init() {}
}

/// One end of a connection that lives in memory: streams, limits, resets and closes as on QUIC, without packets,
/// encryption or time.
///
/// What one end writes is with the other at once, as far as the window allows. Made for tests, and for programs that
/// want both ends of a session in one process. The ends must be used from one thread, and whoever wants the
/// connection must hold both: an end that is gone has simply stopped listening.
public final class InMemoryTransport: TransportSession {
    public let role: EndpointRole
    public let negotiatedProtocol: String?
    public let kind = TransportKind.quic
    public let requestPath: String?
    public let remoteAddress: NetworkAddress
    /// What this end allows its peer.
    public let limits: InMemoryLimits
    /// What `pathEstimate` reports; nothing is measured here.
    public var pathEstimate: PathEstimate?

    weak var peer: InMemoryTransport?
    var streams: [StreamID: InMemoryStream] = [:]
    private var events: [TransportEvent] = [.established]
    private var nextEvent = 0
    private var waitingDatagrams = 0
    private var opened: [StreamDirection: UInt64] = [:]
    private var openCount: [StreamDirection: Int] = [:]
    private var isWaitingForCredit: [StreamDirection: Bool] = [:]
    private var isClosed = false

    private init(role: EndpointRole, negotiatedProtocol: String?, requestPath: String?, limits: InMemoryLimits) {
        self.role = role
        self.negotiatedProtocol = negotiatedProtocol
        self.requestPath = requestPath
        self.limits = limits
        remoteAddress = .loopback(port: role == .client ? 4443 : 50_000)
    }

    /// Two ends of an established connection.
    ///
    /// `requestPath` is nil to look like raw QUIC, else what a WebTransport request would have carried.
    public static func pair(
        negotiatedProtocol: String?, requestPath: String? = nil,
        clientLimits: InMemoryLimits = InMemoryLimits(), serverLimits: InMemoryLimits = InMemoryLimits()
    ) -> (client: InMemoryTransport, server: InMemoryTransport) {
        let client = InMemoryTransport(
            role: .client, negotiatedProtocol: negotiatedProtocol, requestPath: requestPath, limits: clientLimits)
        let server = InMemoryTransport(
            role: .server, negotiatedProtocol: negotiatedProtocol, requestPath: requestPath, limits: serverLimits)
        client.peer = server
        server.peer = client
        return (client, server)
    }

    public func poll() -> TransportEvent? {
        guard nextEvent < events.count else {
            events.removeAll(keepingCapacity: true)
            nextEvent = 0
            return nil
        }
        defer { nextEvent += 1 }
        let event = events[nextEvent]
        if case .datagram = event { waitingDatagrams -= 1 }
        return event
    }

    public func openStream(_ direction: StreamDirection) -> StreamID? {
        guard !isClosed, let peer else { return nil }
        let allowed =
            direction == .bidirectional ? peer.limits.bidirectionalStreams : peer.limits.unidirectionalStreams
        guard openCount[direction, default: 0] < allowed else {
            isWaitingForCredit[direction] = true
            return nil
        }
        let number = opened[direction, default: 0]
        opened[direction] = number + 1
        openCount[direction, default: 0] += 1
        let id = StreamID(
            rawValue: number << 2 | (direction == .unidirectional ? 2 : 0) | (role == .server ? 1 : 0))
        streams[id] = InMemoryStream(id: id, role: role)
        return id
    }

    public func write(_ bytes: [UInt8], to stream: StreamID) {
        guard !isClosed, let state = streams[stream], state.canSend, !bytes.isEmpty else { return }
        state.unsent.append(contentsOf: bytes)
        move(state)
    }

    public func canWrite(_ stream: StreamID) -> Bool {
        guard !isClosed, let state = streams[stream], state.canSend else { return false }
        if state.unsent.count < limits.writeBudget { return true }
        state.wantsRoom = true
        return false
    }

    public func finish(_ stream: StreamID) {
        guard !isClosed, let state = streams[stream], state.canSend else { return }
        state.sending = .finishing
        move(state)
    }

    public func reset(_ stream: StreamID, code: StreamCode) {
        guard !isClosed, let state = streams[stream] else { return }
        switch state.sending {
        case .open, .finishing: break
        case .ended: return
        }
        state.sending = .ended
        state.unsent = []
        peer?.takeReset(stream, code: code)
        forgetIfOver(state)
    }

    public func stop(_ stream: StreamID, code: StreamCode) {
        guard !isClosed, let state = streams[stream], state.receiving == .open else { return }
        state.receiving = .ended
        state.unread = []
        state.unreadStart = 0
        // A peer that has not heard of the stream cannot have its half stopped before it has.
        if state.id.initiator == role { peer?.hear(of: stream) }
        peer?.takeStop(stream, code: code)
        forgetIfOver(state)
    }

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        guard let state = streams[stream], state.receiving == .open else { return nil }
        let available = state.unread.count - state.unreadStart
        guard available > 0 || state.isEndKnown else {
            state.isAnnounced = false
            return nil
        }
        let count = min(available, limit, limits.readSize)
        let bytes = Array(state.unread[state.unreadStart..<state.unreadStart + count])
        state.unreadStart += count
        if state.unreadStart == state.unread.count {
            state.unread.removeAll(keepingCapacity: true)
            state.unreadStart = 0
            state.isAnnounced = false
        }
        if let other = peer?.streams[stream] { peer?.move(other) }
        let isFinished = state.isEndKnown && state.unread.isEmpty
        if isFinished {
            state.receiving = .ended
            forgetIfOver(state)
        }
        return StreamRead(bytes: bytes, isFinished: isFinished)
    }

    public func setPriority(_ priority: SendPriority, of stream: StreamID) {
        streams[stream]?.priority = priority
    }

    /// The priority that a stream was given last, while it is open.
    public func priority(of stream: StreamID) -> SendPriority? { streams[stream]?.priority }

    public var maximumDatagramSize: Int? { peer?.limits.datagramSize }

    public func sendDatagram(_ bytes: [UInt8]) -> Bool {
        guard !isClosed, let peer, let size = peer.limits.datagramSize, bytes.count <= size,
            peer.waitingDatagrams < peer.limits.waitingDatagrams
        else { return false }
        peer.waitingDatagrams += 1
        peer.add(.datagram(bytes))
        return true
    }

    public func close(code: UInt64, reason: String) {
        end(.application(code: code), reason: reason)
    }

    /// Breaks the connection: both ends learn that it is lost.
    public func lose() {
        guard !isClosed else { return }
        peer?.takeClose(SessionClose(initiator: .local, cause: .lost, reason: ""))
        takeClose(SessionClose(initiator: .local, cause: .lost, reason: ""))
    }

    /// How many streams are open at this end, in either direction.
    public var openStreamCount: Int { streams.count }

    private func end(_ cause: SessionClose.Cause, reason: String) {
        guard !isClosed else { return }
        peer?.takeClose(SessionClose(initiator: .peer, cause: cause, reason: reason))
        takeClose(SessionClose(initiator: .local, cause: cause, reason: reason))
        streams.removeAll()
    }
}

// MARK: - What arrives from the other end

extension InMemoryTransport {
    private func add(_ event: TransportEvent) {
        events.append(event)
    }

    private func takeClose(_ close: SessionClose) {
        guard !isClosed else { return }
        isClosed = true
        add(.closed(close))
    }

    private func hear(of stream: StreamID) {
        guard !isClosed, streams[stream] == nil, stream.initiator != role else { return }
        streams[stream] = InMemoryStream(id: stream, role: role)
        add(.streamOpened(stream))
    }

    private func takeReset(_ stream: StreamID, code: StreamCode) {
        hear(of: stream)
        guard !isClosed, let state = streams[stream], state.receiving == .open else { return }
        state.receiving = .ended
        state.unread = []
        state.unreadStart = 0
        add(.reset(stream, code))
        forgetIfOver(state)
    }

    private func takeStop(_ stream: StreamID, code: StreamCode) {
        guard !isClosed, let state = streams[stream], state.sending != .ended else { return }
        add(.stopped(stream, code))
        reset(stream, code: code)
    }

    /// Moves what the window of the other end allows, and the end once everything is there.
    private func move(_ state: InMemoryStream) {
        guard !isClosed, let peer, !peer.isClosed, state.sending != .ended else { return }
        if state.unsent.isEmpty && state.sending == .open { return }
        if state.id.initiator == role && !state.isHeardOf {
            state.isHeardOf = true
            peer.hear(of: state.id)
        }
        let other = peer.streams[state.id]
        let isListening = other?.receiving == .open
        let room =
            isListening
            ? peer.limits.streamWindow - ((other?.unread.count ?? 0) - (other?.unreadStart ?? 0)) : Int.max
        let count = min(max(room, 0), state.unsent.count)
        if count > 0, let other, isListening {
            other.unread.append(contentsOf: state.unsent[..<count])
            peer.announce(other)
        }
        state.unsent.removeFirst(count)
        if state.wantsRoom && state.canSend && state.unsent.count < limits.writeBudget {
            state.wantsRoom = false
            add(.writable(state.id))
        }
        if state.unsent.isEmpty && state.sending == .finishing {
            state.sending = .ended
            if let other, isListening {
                other.isEndKnown = true
                peer.announce(other)
            }
            add(.delivered(state.id))
            forgetIfOver(state)
        }
    }

    private func announce(_ state: InMemoryStream) {
        guard !state.isAnnounced else { return }
        state.isAnnounced = true
        add(.readable(state.id))
    }

    private func forgetIfOver(_ state: InMemoryStream) {
        guard state.sending == .ended && state.receiving == .ended,
            streams.removeValue(forKey: state.id) != nil
        else { return }
        if state.id.initiator != role { peer?.regainCredit(state.id.direction) }
    }

    private func regainCredit(_ direction: StreamDirection) {
        openCount[direction, default: 0] -= 1
        if isWaitingForCredit[direction] == true {
            isWaitingForCredit[direction] = false
            add(.streamsAvailable(direction))
        }
    }
}

/// One end's view of a stream in memory.
final class InMemoryStream {
    enum Sending {
        case open, finishing, ended
    }

    enum Receiving {
        case open, ended
    }

    let id: StreamID
    var sending: Sending
    var receiving: Receiving
    /// Written, and not yet within the peer's window.
    var unsent: [UInt8] = []
    /// `canWrite` was refused, so `writable` is owed.
    var wantsRoom = false
    /// The peer knows of the stream.
    var isHeardOf = false
    /// Arrived, from `unreadStart` on not read yet.
    var unread: [UInt8] = []
    var unreadStart = 0
    /// The peer finished its half behind `unread`.
    var isEndKnown = false
    /// `readable` was reported and the stream not emptied since.
    var isAnnounced = false
    var priority = SendPriority.control

    init(id: StreamID, role: EndpointRole) {
        self.id = id
        let isOwn = id.initiator == role
        sending = id.direction == .unidirectional && !isOwn ? .ended : .open
        receiving = id.direction == .unidirectional && isOwn ? .ended : .open
    }

    var canSend: Bool { sending == .open }
}
