import MoqBase
import MoqTransport
import MoqWire

/// One moq-lite session over one transport: subscriber and publisher at once, without I/O and without a clock.
///
/// The owner issues commands, calls `process(at:)` when the transport may have news or `deadline` has passed, and then
/// takes events with `poll()` until nil. Commands act at once; what they make the peer do comes as events. A command
/// that names something which is gone does nothing (and says so with false or nil where it returns something).
///
/// A request for which the peer has no stream to spare waits inside until there is one.
///
/// Tests that break the protocol write their own bytes on streams of `openRawStream`.
public final class LiteSession {
    /// What carries the session.
    public let transport: any TransportSession
    /// What the session is and may do.
    public let configuration: LiteConfiguration
    /// The version, once established.
    public internal(set) var version: Version?
    /// The peer's SETUP (05 and later), once it came.
    public internal(set) var peerSetup: Setup?
    /// What the client offered in the setup exchange (01 and 02), once it came; at a server.
    public internal(set) var peerClientSetup: ClientSetup?
    /// What the server chose in the setup exchange (01 and 02), once it came; at a client.
    public internal(set) var peerServerSetup: ServerSetup?
    /// How the session ended, once it has.
    public internal(set) var closeReason: SessionClose?
    /// Whether the session is over.
    public var isClosed: Bool { closeReason != nil }

    /// Whether the peer said anything of moq-lite: bytes on a stream or in a datagram, or the end of a stream.
    public internal(set) var hasHeard = false

    var events = EventQueue()
    var streams: [StreamID: LiteStream] = [:]
    /// Streams with something to serve, in the order in which they spoke.
    var ready: [StreamID] = []
    var nextReady = 0
    /// Streams of the peer without a complete message.
    var silentCount = 0

    var waitingRequests: [WaitingRequest] = []
    var isSetupOwed = false
    var exchange = ExchangeState.none
    /// Until when the peer may take over its half of the setup exchange.
    var exchangeDeadline: Instant?

    var announceRequests: [AnnounceRequestID: OutgoingAnnounceRequest] = [:]
    var incomingAnnounces: [IncomingAnnounceID: IncomingAnnounceRequest] = [:]
    var subscriptions: [SubscriptionID: OutgoingSubscription] = [:]
    var incomingSubscriptions: [IncomingSubscriptionID: IncomingSubscription] = [:]
    /// The subscribe ids that the peer has in use.
    var incomingSubscribeIDs: Set<UInt64> = []
    var incomingGroups: [IncomingGroupID: IncomingGroup] = [:]
    var outgoingGroups: [OutgoingGroupID: OutgoingGroup] = [:]
    var trackRequests: [TrackRequestID: OutgoingTrackRequest] = [:]
    var incomingTracks: [IncomingTrackID: IncomingTrackRequest] = [:]
    var fetches: [FetchID: OutgoingFetch] = [:]
    var incomingFetches: [IncomingFetchID: IncomingFetch] = [:]
    var probe = ProbeState.none
    var probeAnswers = ProbeAnswers()
    var hasPeerGoneAway = false

    /// Live announcements of the peer, all requests together.
    var liveAnnouncements = 0
    /// Bytes of frames that are not complete, all streams together.
    var incompleteFrameBytes = 0
    var isReadingPaused = false
    var pausedSubscriptions: Set<SubscriptionID> = []
    /// Subscriptions that the publisher finished and the owner has not left: groups of them may still be on their way,
    /// on streams that a lost packet held up. The latest ones only.
    var finishedSubscriptions: [SubscriptionID] = []
    /// How many of them are remembered: as many tracks may end at once and lose a packet.
    static let finishedSubscriptionLimit = 256

    private var nextAnnounceRequest: UInt64 = 0
    private var nextSubscription: UInt64 = 0
    private var nextTrackRequest: UInt64 = 0
    private var nextFetch: UInt64 = 0

    /// A session over `transport`, whose events nobody else must take.
    public init(transport: any TransportSession, configuration: LiteConfiguration) {
        self.transport = transport
        self.configuration = configuration
    }

    /// Takes what happened on the transport, and does the protocol's own work. Cheap when there is none.
    public func process(at now: Instant) {
        while !isClosed, let event = transport.poll() {
            take(event)
        }
        serveReady()
        guard !isClosed else { return }
        boundSilentStreams()
        sampleProbe(at: now)
        watchExchange(at: now)
    }

    /// The next event, or nil. Reads on when nothing waits, so taking until nil leaves nothing behind.
    public func poll() -> LiteEvent? {
        if events.isEmpty { serveReady() }
        return events.popFirst()
    }

    /// When `process` wants to be called at the latest, if ever.
    public var deadline: Instant? {
        isClosed ? nil : .earlier(probeAnswers.nextSample, exchangeDeadline)
    }

    /// How many streams are open, in either direction and opened by either side.
    public var openStreamCount: Int { streams.count }

    /// The open streams, by number, and what they are for.
    public var openStreams: [(stream: StreamID, purpose: StreamPurpose)] {
        streams.values.map { ($0.id, $0.purpose) }.sorted { $0.0 < $1.0 }
    }

    /// Closes the session with a code of the session's space. Everything open ends, then `closed` follows.
    public func close(code: UInt64, reason: String) {
        guard !isClosed else { return }
        transport.close(code: code, reason: reason)
        endSession(SessionClose(initiator: .local, cause: .application(code: code), reason: reason))
    }

    /// The bounds.
    var bounds: LiteBounds { configuration.bounds }

    /// The code for a condition in RESET_STREAM.
    func resetCode(_ condition: ErrorCondition) -> StreamCode {
        .code(CodeTable.numberToSend(for: condition, in: configuration.generation, on: .reset))
    }

    /// The code for a condition in STOP_SENDING.
    func stopCode(_ condition: ErrorCondition) -> StreamCode {
        .code(CodeTable.numberToSend(for: condition, in: configuration.generation, on: .stop))
    }

    /// The code for a condition in the close of the session.
    func closeCode(_ condition: ErrorCondition) -> UInt64 {
        CodeTable.numberToSend(for: condition, in: configuration.generation, on: .close)
    }

    func emit(_ event: LiteEvent) {
        events.append(event)
    }

    func newAnnounceRequestID() -> AnnounceRequestID {
        defer { nextAnnounceRequest += 1 }
        return AnnounceRequestID(rawValue: nextAnnounceRequest)
    }

    func newSubscriptionID() -> SubscriptionID {
        defer { nextSubscription += 1 }
        return SubscriptionID(rawValue: nextSubscription)
    }

    /// Whether this side ever made a subscription of that id.
    func wasIssued(_ id: SubscriptionID) -> Bool { id.rawValue < nextSubscription }

    func newTrackRequestID() -> TrackRequestID {
        defer { nextTrackRequest += 1 }
        return TrackRequestID(rawValue: nextTrackRequest)
    }

    func newFetchID() -> FetchID {
        defer { nextFetch += 1 }
        return FetchID(rawValue: nextFetch)
    }
}
