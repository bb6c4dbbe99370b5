import MoqBase
import MoqTransport
import MoqWire

/// What a monitor has to know beforehand.
public struct MonitorConfiguration: Sendable {
    /// The description of the protocol that the relay is held to.
    public var profile = MonitorProfile.deployed
    /// The relay's code table; nil when it is not known, and then numbers are not judged.
    public var generation: CodeGeneration?
    /// Texts that no message may hold, such as the token of the session. Empty ones are passed over.
    public var secrets: [String] = []

    /// The deployed profile, nothing else known.
    public init() {}
}

/// What was seen of a session.
public enum ObservedEvent: Sendable {
    /// A side opened a stream.
    case opened(StreamID)
    /// Bytes of the relay wait and were not read yet: it has answered.
    case arrived(StreamID)
    /// A side's next bytes on a stream.
    case bytes(StreamID, [UInt8])
    /// A side ended its half of a stream.
    case finished(StreamID)
    /// A side reset its half of a stream.
    case reset(StreamID, StreamCode)
    /// A side wants nothing more of the other's half.
    case stopped(StreamID, StreamCode)
    /// A side sent a datagram.
    case datagram([UInt8])
    /// The session is over.
    case closed(SessionClose)
}

/// Holds what the relay says in one session against the rules of its version. See MoqMonitor.swift.
public final class SessionMonitor {
    /// What the relay did wrong so far, in the order in which it was noticed; bounded by `MonitorLimits`.
    public private(set) var breaches: [MonitorBreach] = []
    /// The version, once it is known. Up to then, and in sessions of other protocols, nothing is judged.
    public internal(set) var version: Version?

    let configuration: MonitorConfiguration
    var kind = TransportKind.quic
    var now = Instant.origin
    var isOver = true
    var streams: [StreamID: StreamRecord] = [:]
    var expectations = ExpectationList()
    private var breachesOfRule: [String: Int] = [:]
    /// When the relay said something last.
    var lastHeard = Instant.origin

    // Of the client.
    var clientSetup: Setup?
    var didClientResetAnnouncements = false
    /// Whether the client sent something on an Announce stream that cannot be followed.
    var isClientUnclear = false
    /// Whether a SUBSCRIBE of the client could not be read: its id may be in use then.
    var hasUnreadableSubscribe = false
    var clientPaths: Set<String> = []
    var clientTracks: Set<TrackRequest> = []
    var subscriptions: [UInt64: SubscriptionRecord] = [:]
    var groups = GroupLedger()

    // Of the relay.
    var relaySetup: Setup?
    var didRelayOpenSetup = false
    var relayHop: UInt64?
    var relaySubscribeIDs: Set<UInt64> = []
    var goawayCount = 0

    /// A monitor of a session that is not established yet.
    public init(configuration: MonitorConfiguration = MonitorConfiguration()) {
        self.configuration = configuration
    }

    /// The session is established. Without a protocol name it begins with the exchange of 01 and 02.
    public func establish(protocolName: String?, over kind: TransportKind, at now: Instant) {
        self.now = max(self.now, now)
        self.kind = kind
        lastHeard = self.now
        if let protocolName, protocolName != Version.exchangeName {
            version = Version(alpn: protocolName)
        } else {
            // Which of the two it is the exchange tells; until then nothing differs.
            version = .lite02
        }
        isOver = version == nil
    }

    /// Takes note of what a side did.
    public func observe(_ event: ObservedEvent, from side: MonitorSide, at now: Instant) {
        guard !isOver else { return }
        advance(to: now)
        if side == .relay { lastHeard = self.now }
        switch event {
        case .opened(let stream): _ = record(stream, opener: side)
        case .arrived(let stream): expectations.answered(stream)
        case .bytes(let stream, let bytes): read(bytes, on: record(stream), from: side)
        case .finished(let stream): finish(record(stream), from: side)
        case .reset(let stream, let code): reset(record(stream), code, from: side)
        case .stopped(let stream, let code): stop(record(stream), code, from: side)
        case .datagram(let bytes): if side == .relay { readDatagram(bytes) }
        case .closed(let close): end(close)
        }
    }

    /// When `advance` is to be called at the latest, if ever.
    public var deadline: Instant? { isOver ? nil : expectations.nextDue }

    /// Lets deadlines pass.
    public func advance(to now: Instant) {
        self.now = max(self.now, now)
        guard !isOver, let due = expectations.nextDue, due <= self.now else { return }
        for expectation in expectations.takeOverdue(at: self.now, lastHeard: lastHeard) { judge(expectation) }
    }

    // MARK: Streams

    /// The record of a stream; nil when it is over, or one too many.
    func record(_ id: StreamID, opener: MonitorSide? = nil) -> StreamRecord? {
        if let known = streams[id] { return known }
        guard let opener, streams.count < MonitorLimits.streams else { return nil }
        let record = StreamRecord(id: id, opener: opener)
        streams[id] = record
        return record
    }

    func dropIfOver(_ record: StreamRecord) {
        guard record.isOver else { return }
        streams[record.id] = nil
        expectations.answered(record.id)
    }

    /// Waits for an answer of the relay.
    func expect(_ rule: MonitorRule, on stream: StreamID?, of path: BroadcastPath? = nil, _ words: String) {
        expectations.add(
            Expectation(rule: rule, stream: stream, path: path, words: words, madeAt: now))
    }

    private func judge(_ expectation: Expectation) {
        if let path = expectation.path, !isKnownNotLive(path) { return }
        let waited = expectation.madeAt.duration(to: now).milliseconds / 1000
        note(expectation.rule, on: expectation.stream, "\(expectation.words); waited for \(Int(waited)) s")
    }

    // MARK: Breaches

    /// Writes down a breach, as far as there is room and the rule belongs to the profile.
    func note(
        _ rule: MonitorRule, on stream: StreamID?, at offset: UInt64? = nil, _ bytes: [UInt8], _ words: String
    ) {
        if let profile = rule.profile, profile != configuration.profile { return }
        let count = breachesOfRule[rule.id, default: 0]
        guard breaches.count < MonitorLimits.breaches, count < MonitorLimits.breachesOfRule else { return }
        breachesOfRule[rule.id] = count + 1
        breaches.append(
            MonitorBreach(
                rule: rule, stream: stream, offset: offset, bytes: Array(bytes.prefix(MonitorLimits.evidenceBytes)),
                explanation: words, instant: now))
    }

    func note(_ rule: MonitorRule, on stream: StreamID?, at offset: UInt64? = nil, _ words: String) {
        note(rule, on: stream, at: offset, [], words)
    }

    func note(_ rule: MonitorRule, on record: StreamRecord, _ message: TappedMessage, _ words: String) {
        note(rule, on: record.id, at: message.offset, message.bytes, words)
    }
}
