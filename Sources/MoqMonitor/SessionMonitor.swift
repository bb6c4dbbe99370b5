import MoqBase
import MoqTransport
import MoqWire

/// What a monitor has to know beforehand.
public struct MonitorConfiguration: Sendable {
    /// The description of the protocol that the relay is held to.
    public var profile = MonitorProfile.deployed
    /// The relay's code table; nil when it is not known, and then numbers are not judged.
    public var generation: CodeGeneration?
    /// Texts that no message may hold, such as the token of the session. Empty ones are passed over. No breach shows them.
    public var secrets: [String] = []
    /// Capabilities that the relay lacks, each everywhere or on one version (`NAME@VERSION`): it is not held to the
    /// rules that need them.
    public var lacking: [String] = []
    /// How many times as long as usual the relay may take for what it has to do in time, at least 1.
    public var patience = 1

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
    /// How often each rule had something to judge, and how often it was broken.
    public internal(set) var checks = MonitorChecks()

    let configuration: MonitorConfiguration
    /// What it has in common with the other sessions of its case; outlives it.
    unowned let shared: CaseMonitor?
    /// Its number among these.
    private(set) var number = 0
    private var isConcluded = false
    var kind = TransportKind.quic
    var now = Instant.origin
    var isOver = true
    var streams: [StreamID: StreamRecord] = [:]
    var expectations = ExpectationList()
    /// What it is to be told of the announcements of others.
    var routes = RouteExpectations()
    private var breachesOfRule: [MonitorRule: Int] = [:]
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
    /// Its requests for announcements, in order.
    var watches: [StreamID] = []
    /// The streams on which it announces, in order.
    var announcing: [StreamID] = []

    // Of the relay.
    var relaySetup: Setup?
    var didRelayOpenSetup = false
    var relayHop: UInt64?
    var relaySubscribeIDs: Set<UInt64> = []
    /// What the relay has subscribed to, by its ids.
    var relayTracks: [UInt64: TrackID] = [:]
    /// How often it subscribes to each track at present.
    var relaySubscriptions: [TrackID: Int] = [:]
    var goawayCount = 0

    /// A monitor of a session that is not established yet. `shared` is what it has in common with the other sessions
    /// of its case, and has to live as long.
    public init(configuration: MonitorConfiguration = MonitorConfiguration(), shared: CaseMonitor? = nil) {
        self.configuration = configuration
        self.shared = shared
        number = shared?.join(self) ?? 0
    }

    /// The session is established. Without a protocol name it begins with the exchange of 01 and 02.
    public func establish(
        protocolName: String?, over kind: TransportKind, promises: TransportPromises = TransportPromises(),
        at now: Instant
    ) {
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
        judge(promises)
    }

    /// Takes note of what a side did.
    public func observe(_ event: ObservedEvent, from side: MonitorSide, at now: Instant) {
        guard !isOver else {
            // What could not be established says why, too.
            if case .closed(let close) = event, version == nil { judgeTransport(close) }
            return
        }
        advance(to: now)
        if side == .relay { lastHeard = self.now }
        switch event {
        case .opened(let stream): _ = record(stream, opener: side)
        case .arrived(let stream):
            streams[stream]?.hasUnread = true
            answered(stream)
        case .bytes(let stream, let bytes): read(bytes, on: record(stream), from: side)
        case .finished(let stream): finish(record(stream), from: side)
        case .reset(let stream, let code): reset(record(stream), code, from: side)
        case .stopped(let stream, let code): stop(record(stream), code, from: side)
        case .datagram(let bytes): side == .relay ? readDatagram(bytes) : noteClientDatagram(bytes)
        case .closed(let close): end(close)
        }
    }

    /// When `advance` is to be called at the latest, if ever.
    public var deadline: Instant? {
        guard !isOver else { return nil }
        return [expectations.nextDue, routes.nextDue].compactMap { $0 }.min()
    }

    /// Lets deadlines pass.
    public func advance(to now: Instant) {
        self.now = max(self.now, now)
        guard !isOver else { return }
        if let due = expectations.nextDue, due <= self.now {
            for expectation in expectations.takeOverdue(at: self.now, lastHeard: lastHeard) { judge(expectation) }
        }
        for expectation in routes.takeOverdue(at: self.now) { judge(expectation) }
    }

    /// Nothing more is observed: counts what a relay has not done all the time. Counts once.
    public func conclude() {
        guard !isConcluded else { return }
        isConcluded = true
        judgeWhole()
    }

    /// The relay said something on a stream: what was waited for there has come.
    func answered(_ stream: StreamID) {
        for rule in expectations.answered(stream) { checks.held(rule) }
    }

    /// What a rule waits for has come.
    func fulfil(_ rule: MonitorRule, on stream: StreamID?) {
        for rule in expectations.fulfil(rule, on: stream) { checks.held(rule) }
    }

    /// Whether there is room for another breach of a rule; takes it.
    func admits(_ rule: MonitorRule) -> Bool {
        let count = breachesOfRule[rule, default: 0]
        breachesOfRule[rule] = count + 1
        return count < MonitorLimits.breachesOfRule
    }

    func append(_ breach: MonitorBreach) { breaches.append(breach) }

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
        expectations.drop(record.id)
        switch record.purpose {
        case .watch: watches.removeAll { $0 == record.id }
        case .relayWatch: announcing.removeAll { $0 == record.id }
        default: break
        }
    }

    /// Waits for an answer of the relay.
    func expect(
        _ rule: MonitorRule, on stream: StreamID?, of path: BroadcastPath? = nil, isExplicit: Bool = false,
        _ words: String
    ) {
        expectations.add(
            Expectation(
                rule: rule, stream: stream, path: path, words: words, madeAt: now,
                patience: configuration.patience, isExplicit: isExplicit))
    }

    private func judge(_ expectation: Expectation) {
        if let path = expectation.path, !isKnownNotLive(path) { return }
        let waited = expectation.madeAt.duration(to: now).milliseconds / 1000
        note(expectation.rule, on: expectation.stream, "\(expectation.words); waited for \(Int(waited)) s")
    }
}
