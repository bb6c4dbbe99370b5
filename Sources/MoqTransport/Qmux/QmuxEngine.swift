import MoqBase

/// How the application protocol of a connection is agreed on.
public enum QmuxNegotiation: Hashable, Sendable {
    /// Both sides name what they speak in their transport parameters; the server's order decides. For byte streams
    /// without ALPN (observed, moq-ffi 0.4).
    case inBand([String])
    /// Something below decided already (ALPN, `Sec-WebSocket-Protocol`), if only that there is none.
    case agreed(String?)
}

/// One end of a Qmux connection: streams, windows, limits, pings and the close, without I/O and without framing.
///
/// It takes and gives the content of records. A binding begins it once the version is known, hands over the content
/// of what arrived (`receive(record:in:at:)`), frames what `transmit(limit:at:)` gives, passes on `deadline` and
/// `advance`, and ends its half of the carrier once `isFinished`.
///
/// Nothing grows without bound: received bytes by the windows, streams by their limits, and what is owed to the peer
/// is kept as what to say, not as frames, so that a flood of pings or resets is answered once a turn.
public final class QmuxEngine {
    enum Phase {
        /// The version is not known yet.
        case waiting
        /// The peer's transport parameters have not arrived.
        case handshaking
        case established
        /// A close frame is to be sent.
        case closing
        case over
    }

    /// Which end this is.
    public let role: EndpointRole
    /// How this end behaves, and what it allows its peer.
    public let settings: QmuxSettings
    /// The wire format, once begun.
    public internal(set) var version: QmuxVersion?
    /// The application protocol, once established.
    public internal(set) var negotiatedProtocol: String?
    /// What the peer allows, once that has arrived.
    public internal(set) var peerParameters: QmuxParameters?
    /// How the session ended, once it has.
    public internal(set) var closed: SessionClose?

    var phase = Phase.waiting
    var negotiation = QmuxNegotiation.agreed(nil)
    var owesParameters = false
    var closeFrame: QmuxCloseFrame?
    /// The peer leaves offsets out of STREAM frames, which tells releases of the Rust stack before 0.4 of its qmux
    /// crate. They expect a frame type in closes of the application too, and lose the code without one.
    var isEarlyPeer = false

    var streams: [StreamID: QmuxStream] = [:]
    var directions = [QmuxDirection(), QmuxDirection()]
    var schedule = SendSchedule<QmuxStream>()
    /// Streams that could send if the window of the connection allowed it.
    var connectionBlocked: [QmuxStream] = []
    /// Streams that owe the peer frames other than STREAM, each as often as it owes one.
    var owing = FIFO<QmuxOwed>()

    // The window of the connection, both ways.
    var sentTotal: UInt64 = 0
    var sendLimit: UInt64 = 0
    var receivedTotal: UInt64 = 0
    var consumedTotal: UInt64 = 0
    var receiveLimit: UInt64 = 0
    var owesLimit = false
    var blockedLimit: UInt64?
    var owesBlocked = false

    // Pings and time.
    var startedAt: Instant?
    var lastReceived: Instant?
    var firstSentSince: Instant?
    /// How many pings of the peer came; only an engine at fault minds.
    var pingCount = 0
    var closingSince: Instant?
    var lastPing: Instant?
    var owesPing = false
    var owedPong: UInt64?
    var nextPing: UInt64 = 0
    var greatestPing: UInt64?
    var waitingPings = FIFO<QmuxWaitingPing>()
    /// The smoothed round trip of pings, and the rate that nothing here measures.
    public internal(set) var pathEstimate: PathEstimate?

    private var events = FIFO<TransportEvent>()
    /// Something happened while sending, of which the owner must hear although nothing arrives.
    var hasUnheardNews = false

    /// An engine that waits for `begin`.
    public init(role: EndpointRole, settings: QmuxSettings) {
        self.role = role
        self.settings = settings.clamped
    }

    /// Starts to speak a version. The first record goes out at the next `transmit`; nothing happens the second time,
    /// or after the end.
    public func begin(_ version: QmuxVersion, negotiation: QmuxNegotiation, at now: Instant) {
        guard phase == .waiting else { return }
        touch(now)
        self.version = version
        self.negotiation = negotiation
        lastReceived = now
        directions[0].begin(limit: settings.maximumStreamsBidirectional)
        directions[1].begin(limit: settings.maximumStreamsUnidirectional)
        receiveLimit = settings.connectionWindow
        if version.hasFlowControl {
            phase = .handshaking
            owesParameters = true
        } else {
            if case .agreed(let name) = negotiation { negotiatedProtocol = name }
            sendLimit = .max
            for index in directions.indices { directions[index].peerLimit = .max }
            phase = .established
            add(.established)
        }
    }

    /// Begins with what ALPN or `Sec-WebSocket-Protocol` agreed on.
    public func begin(_ name: QmuxSubprotocol, at now: Instant) {
        begin(name.version, negotiation: .agreed(name.applicationProtocol), at: now)
    }

    /// The largest content of a record or message that is taken; a binding need not keep more.
    public var maximumIncomingRecord: Int {
        switch version {
        case .draft02, .draft01, nil: QmuxLimits.record
        case .draft00: QmuxLimits.frame
        case .webTransport: QmuxLimits.oldMessage
        }
    }

    /// Whether everything has been said: the binding may end its half of the carrier.
    public var isFinished: Bool { phase == .over }

    /// What did not come of the handshake once the version was known; nil before our part of it was said.
    var handshakeStanding: String? {
        guard version != nil, !owesParameters else { return nil }
        return peerParameters == nil && version?.hasFlowControl == true ? Self.unanswered : HandshakeWords.exchange
    }

    /// Our transport parameters went out.
    static let unanswered = "Qmux's transport parameters were sent, and none came back"

    /// The next thing that happened, or nil.
    public func poll() -> TransportEvent? {
        let event = events.popFirst()
        if case .closed = event { streams.removeAll() }
        return event
    }

    func add(_ event: TransportEvent) {
        events.append(event)
    }

    var waitingEventCount: Int { events.count }

    // MARK: - The end

    /// Closes the session with a session code and a reason.
    public func close(code: UInt64, reason: String) {
        let code = min(code, VarInt.maximum)
        end(
            SessionClose(initiator: .local, cause: .application(code: code), reason: reason),
            frame: QmuxCloseFrame(code: code, frameType: nil, reason: reason))
    }

    /// Ends the connection because of what the peer did, and tells it so.
    public func fail(_ violation: QmuxViolation) {
        end(
            SessionClose(
                initiator: .local, cause: .transport(code: violation.code.rawValue), reason: violation.reason),
            frame: QmuxCloseFrame(violation))
    }

    /// Ends the session because the handshake of the binding failed. With a violation the peer is told, if it can be.
    public func refuse(_ refusal: HandshakeRefusal, reason: String, telling violation: QmuxViolation? = nil) {
        end(
            SessionClose(initiator: .local, cause: .refused(refusal), reason: reason),
            frame: violation.map(QmuxCloseFrame.init))
    }

    /// The carrier gives nothing more: `failure` is nil for an orderly end, else says what broke.
    public func receiveEnd(failure: String?, at now: Instant) {
        touch(now)
        if phase == .closing {
            closeFrame = nil
            phase = .over
            return
        }
        let reason =
            failure
            ?? (phase == .established
                ? "the peer ended the connection without a close"
                : "the peer ended the connection before the session was established")
        end(SessionClose(initiator: failure == nil ? .peer : .local, cause: .lost, reason: reason), frame: nil)
    }

    func end(_ close: SessionClose, frame: QmuxCloseFrame?) {
        guard phase != .closing && phase != .over else { return }
        // Before the version is known there is nobody who would understand a frame.
        let canTell = frame != nil && phase != .waiting
        phase = canTell ? .closing : .over
        closeFrame = canTell ? frame : nil
        closed = close
        schedule.removeAll()
        owing.removeAll()
        connectionBlocked = []
        // What a peer said before its close may still be read until the close is polled.
        if close.initiator == .local { streams.removeAll() }
        add(.closed(close))
        hasUnheardNews = true
    }

    func touch(_ now: Instant) {
        if startedAt == nil { startedAt = now }
    }
}

/// Bounds of what is sent and taken.
enum QmuxLimits {
    /// Frames of a record: draft-ietf-quic-qmux-02 section 4.2, and what the Rust stack announces.
    static let record = 16_382
    /// A whole frame of draft 00.
    static let frame = 16_384
    /// Data of one STREAM frame that is sent: more is refused by peers that have been released (observed, qmux crate
    /// up to 0.5).
    static let sentPayload = 16_352
    /// A message of the oldest format, which has no limit of its own; JavaScript peers send what an application wrote
    /// as one message.
    static let oldMessage = 16 << 20
    /// The smallest record that can be asked of `transmit`.
    static let smallestRecord = 1_024
    /// The largest frame but STREAM, the close and the transport parameters: a type and two numbers of 8 bytes.
    static let smallFrame = 24
    /// Bytes of a reason phrase that are sent or kept.
    static let reason = 1_024
    /// Streams of one direction: RFC 9000 section 4.6.
    static let streams: UInt64 = 1 << 60
    /// A window: far enough below 2^62 that what is read can be added for ever.
    static let window: UInt64 = 1 << 60
    /// Events that an owner leaves unpolled while a peer of the oldest format, which knows no stream limits, opens
    /// and resets streams.
    static let waitingEvents = 65_536
    /// Streams that a peer of the oldest format may leave out when it opens a later one.
    static let skippedStreams = 4_096
    /// How long a peer that reads nothing may keep a close from going out.
    static let closing: Duration = .seconds(3)
    /// Pings whose answer is waited for.
    static let waitingPings = 8
}

/// A close that goes out, in QUIC's form or in the application's.
struct QmuxCloseFrame {
    var code: UInt64
    /// The type of the frame that was wrong; nil for a close of the application.
    var frameType: UInt64?
    var reason: String

    init(code: UInt64, frameType: UInt64?, reason: String) {
        self.code = code
        self.frameType = frameType
        self.reason = reason
    }

    init(_ violation: QmuxViolation) {
        self.init(code: violation.code.rawValue, frameType: violation.frameType, reason: violation.reason)
    }
}

/// The streams of one direction, both ends' counts.
struct QmuxDirection {
    /// How many we opened.
    var opened: UInt64 = 0
    /// How many the peer lets us open.
    var peerLimit: UInt64 = 0
    /// `openStream` returned nil, so `streamsAvailable` is owed.
    var isWaiting = false
    /// The limit that a STREAMS_BLOCKED named last.
    var blockedLimit: UInt64?
    var owesBlocked = false
    /// The first of the peer's that no frame has implied yet.
    var next: UInt64 = 0
    /// Those below `next` of which no frame has come: asked for by number only.
    var unseen: Set<UInt64> = []
    /// How many of the peer's are open here.
    var openCount: UInt64 = 0
    /// How many the peer may have open at once, and how many it was told it may open in all.
    var window: UInt64 = 0
    var limit: UInt64 = 0
    /// How many of the peer's are over.
    var over: UInt64 = 0
    var owesLimit = false

    mutating func begin(limit: UInt64) {
        window = limit
        self.limit = limit
    }
}

/// A frame that a stream owes.
enum QmuxOwed {
    case reset(QmuxStream)
    case stop(QmuxStream)
    case limit(QmuxStream)
    case blocked(QmuxStream)
}

/// A ping that was not answered yet.
struct QmuxWaitingPing {
    var sequence: UInt64
    var sentAt: Instant
}

extension StreamDirection {
    /// Where the direction's counts stand.
    var qmuxIndex: Int { self == .bidirectional ? 0 : 1 }
}
