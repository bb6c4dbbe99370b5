import MoqBase
import MoqLite
import MoqQUIC
import MoqTransport
import MoqWire

/// A relay that passes on what it is given, but for one thing that it does wrong.
final class HostileRelay: DatagramMachine {
    let mode: Mode
    /// Takes its socket away.
    var leave: () -> Void = {}
    /// Everybody who ever connected, in that order.
    private(set) var visitors: [Visitor] = []
    /// The groups being passed on: from the publisher's to the readers'.
    var passing: [GroupKey: Passing] = [:]
    /// What it subscribed to, and for whom.
    var upstreams: [UpstreamKey: (reader: Visitor, request: IncomingSubscriptionID)] = [:]
    /// Units of whatever the mode floods with that went out so far.
    var flooded = 0
    private let endpoint: QUICEndpoint
    private var nextTick: Instant?

    /// Between two strokes of what it does by itself.
    static let tick = Duration.milliseconds(5)

    struct GroupKey: Hashable {
        var visitor: Int
        var group: IncomingGroupID
    }

    struct UpstreamKey: Hashable {
        var visitor: Int
        var subscription: SubscriptionID
    }

    /// A group on its way.
    struct Passing {
        var reader: Visitor
        var request: IncomingSubscriptionID
        var sequence: UInt64
        var frames: [Frame] = []
    }

    /// One connection.
    final class Visitor {
        let number: Int
        let connection: QUICConnection
        let transport: SulkingTransport
        let session: LiteSession
        var established: Instant?
        var watchers: [(id: IncomingAnnounceID, prefix: BroadcastPath)] = []
        var announced: [BroadcastPath] = []
        /// The hops that its announcements named.
        var hops: [BroadcastPath: HopList] = [:]
        var requests: [(id: IncomingSubscriptionID, request: Subscribe)] = []
        /// A group that the mode keeps open.
        var openGroup: StreamID?
        var openGroups: [OutgoingGroupID] = []
        /// Subscriptions that are left at the next stroke.
        var churned: [SubscriptionID] = []
        var strokes = 0

        /// What others are told of a path that it announced.
        func announcement(of path: BroadcastPath) -> Announced {
            Announced(path: path, hops: hops[path] ?? .empty)
        }

        init(_ number: Int, _ connection: QUICConnection, isSulking: Bool) {
            self.number = number
            self.connection = connection
            transport = SulkingTransport(NativeQUICSession(connection), isSulking: isSulking)
            session = LiteSession(
                transport: transport, configuration: LiteConfiguration(hopID: 77, samplesProbe: false))
        }
    }

    init(_ mode: Mode, server: QUICServerConfiguration) {
        self.mode = mode
        endpoint = QUICEndpoint(random: SeededRandom(seed: 3), server: server)
    }

    func receive(_ batch: DatagramBatch, at now: Instant) {
        endpoint.receive(batch, at: now)
        work(at: now)
    }

    func transmit(at now: Instant) -> DatagramBatch? { endpoint.transmit(at: now) }

    var deadline: Instant? { .earlier(endpoint.deadline, nextTick) }

    func advance(to now: Instant) {
        endpoint.advance(to: now)
        if let due = nextTick, now >= due {
            nextTick = nil
            for visitor in visitors where !visitor.session.isClosed && visitor.established != nil {
                visitor.strokes += 1
                stroke(visitor, at: now)
            }
        }
        work(at: now)
    }

    func closeAll() {
        for visitor in visitors { visitor.connection.close(code: 0, reason: "another relay takes over") }
    }

    private func work(at now: Instant) {
        while let connection = endpoint.pollAccepted() {
            visitors.append(Visitor(visitors.count, connection, isSulking: mode == .neverEndsStreams))
        }
        for visitor in visitors where !isMute(visitor) && !visitor.session.isClosed {
            visitor.session.process(at: now)
            while let event = visitor.session.poll() {
                if case .established = event { visitor.established = now }
                handle(event, visitor)
            }
        }
        if nextTick == nil, visitors.contains(where: { !$0.session.isClosed && $0.established != nil }) {
            nextTick = now.advanced(by: Self.tick)
        }
    }

    private func isMute(_ visitor: Visitor) -> Bool {
        switch mode {
        case .mute: true
        // The first is the probe.
        case .silentAfterProbe: visitor.number > 0
        default: false
        }
    }

    // MARK: Passing on

    private func handle(_ event: LiteEvent, _ visitor: Visitor) {
        guard !takesOver(event, visitor) else { return }
        switch event {
        case .established:
            visitor.session.requestAnnouncements(prefix: .empty)
        case .announceRequested(let id, let prefix, _):
            visitor.watchers.append((id, prefix))
            let known = visitors.flatMap { publisher in publisher.announced.map { publisher.announcement(of: $0) } }
            visitor.session.answerAnnounce(id, active: known.filter { prefix.isPrefix(of: $0.path) })
        case .announced(_, let announced, _):
            visitor.announced.append(announced.path)
            visitor.hops[announced.path] = announced.hops
            tellAll(announced.path) { $0.session.announce($1, visitor.announcement(of: announced.path)) }
        case .unannounced(_, let path):
            forget(path, of: visitor)
        case .closed:
            for path in visitor.announced { forget(path, of: visitor) }
        case .subscribeRequested(let id, let request):
            subscribe(visitor, id, request)
        case .subscribeCancelled(let id, _):
            for (key, upstream) in upstreams where upstream.reader === visitor && upstream.request == id {
                upstreams[key] = nil
                visitors[key.visitor].session.unsubscribe(key.subscription)
            }
        case .groupOpened(let group, let subscription, let sequence, _):
            guard let upstream = upstreams[UpstreamKey(visitor: visitor.number, subscription: subscription)] else {
                return
            }
            passing[GroupKey(visitor: visitor.number, group: group)] = Passing(
                reader: upstream.reader, request: upstream.request, sequence: sequence)
        case .frame(let group, _, let frame):
            passing[GroupKey(visitor: visitor.number, group: group)]?.frames.append(frame)
        case .groupEnded(let group, _):
            if let whole = passing.removeValue(forKey: GroupKey(visitor: visitor.number, group: group)) {
                deliver(whole)
            }
        default:
            break
        }
    }

    private func tellAll(_ path: BroadcastPath, _ tell: (Visitor, IncomingAnnounceID) -> Void) {
        for visitor in visitors {
            for watcher in visitor.watchers where watcher.prefix.isPrefix(of: path) { tell(visitor, watcher.id) }
        }
    }

    private func forget(_ path: BroadcastPath, of visitor: Visitor) {
        guard mode != .neverForgets else { return }
        visitor.announced.removeAll { $0 == path }
        tellAll(path) { $0.session.unannounce($1, path) }
    }

    private func subscribe(_ visitor: Visitor, _ id: IncomingSubscriptionID, _ request: Subscribe) {
        guard let publisher = visitors.first(where: { $0.announced.contains(request.broadcast) }) else {
            visitor.session.resetSubscription(id, code: .code(54))
            return
        }
        visitor.requests.append((id, request))
        let subscription = publisher.session.subscribe(broadcast: request.broadcast, track: request.track)
        upstreams[UpstreamKey(visitor: publisher.number, subscription: subscription)] = (visitor, id)
    }

    func send(_ frames: [Frame], of passing: Passing) {
        let session = passing.reader.session
        session.startSubscription(passing.request, group: passing.sequence)
        guard
            let group = session.openGroup(
                for: passing.request, sequence: passing.sequence, priority: SendPriority(urgency: 1))
        else { return }
        for frame in frames { session.writeFrame(group, frame) }
        session.finishGroup(group)
    }
}

/// A transport that keeps its halves of streams open whatever it is told, when it sulks.
final class SulkingTransport: TransportSession {
    private let inner: NativeQUICSession
    private let isSulking: Bool

    init(_ inner: NativeQUICSession, isSulking: Bool) {
        self.inner = inner
        self.isSulking = isSulking
    }

    func finish(_ stream: StreamID) {
        // A group that never ends is another matter, and so is SETUP.
        if !isSulking || stream.direction == .unidirectional { inner.finish(stream) }
    }

    var role: EndpointRole { inner.role }
    var negotiatedProtocol: String? { inner.negotiatedProtocol }
    var kind: TransportKind { inner.kind }
    var requestPath: String? { inner.requestPath }
    var remoteAddress: NetworkAddress { inner.remoteAddress }
    func poll() -> TransportEvent? { inner.poll() }
    func openStream(_ direction: StreamDirection) -> StreamID? { inner.openStream(direction) }
    func write(_ bytes: [UInt8], to stream: StreamID) { inner.write(bytes, to: stream) }
    func canWrite(_ stream: StreamID) -> Bool { inner.canWrite(stream) }
    func reset(_ stream: StreamID, code: StreamCode) { inner.reset(stream, code: code) }
    func stop(_ stream: StreamID, code: StreamCode) { inner.stop(stream, code: code) }
    func read(_ stream: StreamID, limit: Int) -> StreamRead? { inner.read(stream, limit: limit) }
    func setPriority(_ priority: SendPriority, of stream: StreamID) { inner.setPriority(priority, of: stream) }
    var maximumDatagramSize: Int? { inner.maximumDatagramSize }
    func sendDatagram(_ bytes: [UInt8]) -> Bool { inner.sendDatagram(bytes) }
    var pathEstimate: PathEstimate? { inner.pathEstimate }
    func close(code: UInt64, reason: String) { inner.close(code: code, reason: reason) }
}
