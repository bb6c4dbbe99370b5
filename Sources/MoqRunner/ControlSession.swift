import MoqBase
import MoqDrivers
import MoqLite
import MoqMonitor
import MoqTransport
import MoqWire

/// The harness's own session at the relay: it sees what is announced in a case's namespace, and whether the relay
/// still answers. It takes no part in the scenario.
final class ControlSession {
    private let access: TargetAccess
    private let driver: any Driver
    private let transport: TransportChoice
    private let version: Version
    private let generation: CodeGeneration
    private let knownGeneration: CodeGeneration?
    private let lacking: [String]
    private let seed: UInt64
    private var line: Line?
    private var attempts: UInt64 = 0
    private var watchID: AnnounceRequestID?
    private var announced: Set<BroadcastPath> = []
    private var fences: [SubscriptionID: SessionActor.Fence] = [:]
    private var fenceCount = 0
    private var nextAttempt = Instant.origin

    /// Between two attempts to come up again.
    private static let attemptInterval = Duration.milliseconds(100)

    init(
        access: TargetAccess, driver: any Driver, over transport: TransportChoice, version: Version,
        generation: CodeGeneration, knownGeneration: CodeGeneration? = nil, lacking: [String] = [], seed: UInt64
    ) {
        self.access = access
        self.driver = driver
        self.transport = transport
        self.version = version
        self.generation = generation
        self.knownGeneration = knownGeneration
        self.lacking = lacking
        self.seed = seed
    }

    /// Whether it looks at announcements at present.
    var isWatching: Bool { watchID != nil }

    /// Whether it is up; otherwise it is dialled anew, when asked to and when no attempt is under way.
    func isReady(reconnecting: Bool) -> Bool {
        if let session = line?.session, !session.isClosed { return session.version != nil }
        // The line that is gone was closed by the relay, or never came up.
        guard reconnecting, line == nil || driver.now >= nextAttempt else { return false }
        nextAttempt = driver.now.advanced(by: Self.attemptInterval)
        line?.detach()
        attempts += 1
        announced = []
        watchID = nil
        line = try? Line(
            Line.Wish(
                transport: transport, versions: [version], hopID: 1 + seed % ((1 << 52) - 1), seed: seed &+ attempts,
                generation: generation, knownGeneration: knownGeneration, lacking: lacking),
            access: access, driver: driver)
        return false
    }

    /// Begins to look at what is announced under a prefix, and only that.
    func watch(_ prefix: BroadcastPath) {
        guard let session = line?.session, !session.isClosed else { return }
        if let watchID { session.cancelAnnouncements(watchID) }
        announced = []
        watchID = session.requestAnnouncements(prefix: prefix)
    }

    /// Stops looking.
    func unwatch() {
        if let watchID, let session = line?.session, !session.isClosed { session.cancelAnnouncements(watchID) }
        watchID = nil
        announced = []
    }

    /// Whether a path is announced now.
    func isAnnounced(_ path: BroadcastPath) -> Bool {
        announced.contains(path)
    }

    /// Whether anything is announced now.
    var seesAnnouncements: Bool { !announced.isEmpty }

    /// What is announced now, in words; nil when nothing is.
    var stillAnnounced: String? {
        guard let first = announced.min() else { return nil }
        return announced.count == 1
            ? "`\(first)` is still announced" : "`\(first)` and \(announced.count - 1) more are still announced"
    }

    /// What the monitor of its session found since it was asked last.
    func takeBreaches() -> [MonitorBreach] { line?.takeBreaches() ?? [] }

    /// Takes what happened since the last turn.
    func process() {
        guard let line, line.isAttached else { return }
        line.process(at: driver.now)
        while let event = line.session.poll() {
            switch event {
            case .announced(let id, let entry, _) where id == watchID:
                announced.insert(entry.path)
            case .unannounced(let id, let path) where id == watchID:
                announced.remove(path)
            case .announceRequested(let id, _, _):
                line.session.answerAnnounce(id, active: [])
            case .subscriptionEnded(let id, .sessionClosed):
                // The end of the session answers nothing.
                fences.removeValue(forKey: id)?.isLost = true
            case .subscriptionEnded(let id, _), .subscribeAccepted(let id, _), .subscribeStart(let id, _):
                answered(id, line)
            case .trackRequested(let id, _, _):
                line.session.refuseTrack(id, code: .code(notFound))
            case .subscribeRequested(let id, _):
                line.session.resetSubscription(id, code: .code(notFound))
            case .fetchRequested(let id, _):
                line.session.refuseFetch(id, code: .code(notFound))
            case .closed:
                announced = []
                watchID = nil
                for fence in fences.values { fence.isLost = true }
                fences = [:]
            default:
                break
            }
        }
    }

    private var notFound: UInt64 { CodeTable.numberToSend(for: .notFound, in: generation, on: .reset) }

    /// Begins a proof that the relay answers. It must be up.
    func startFence() -> SessionActor.Fence {
        let fence = SessionActor.Fence()
        fenceCount += 1
        guard let session = line?.session, !session.isClosed, session.version != nil,
            let path = try? BroadcastPath(".nobody-control-\(seed & 0xFFFF)-\(fenceCount)")
        else {
            fence.isLost = true
            return fence
        }
        fences[session.subscribe(broadcast: path, track: "alive")] = fence
        return fence
    }

    private func answered(_ id: SubscriptionID, _ line: Line) {
        guard let fence = fences.removeValue(forKey: id) else { return }
        fence.isAnswered = true
        line.session.unsubscribe(id, .finish)
    }

    /// Says goodbye.
    func close() {
        line?.session.close(code: 0, reason: "")
        line?.session.process(at: driver.now)
    }

    /// Gives the socket back.
    func detach() {
        line?.detach()
        line = nil
    }
}
