import MoqBase
import MoqDrivers
import MoqTransport

/// Several attempts of which the first to be established wins: one session to its owner.
public final class Race: TransportSession {
    /// How much later a contestant starts than the one before it: what the reference client gives QUIC before it tries
    /// WebSocket (moq-ffi 0.3 and 0.4).
    public static let headStart = Duration.milliseconds(200)

    private let attempts: [Attempt]
    private let headStart: Duration
    private var driver: (any Driver)?
    private var started = 0
    private var nextStart: Instant?
    private var losses: [(attempt: Attempt, close: SessionClose)] = []
    private var events: [TransportEvent] = []
    private var isOver = false
    /// The one that won.
    private(set) var winner: Attempt?
    /// The conditions of links that are still to be made.
    var link: LinkConditions?

    init(_ attempts: [Attempt], headStart: Duration) {
        self.attempts = attempts
        self.headStart = headStart
    }

    // MARK: The race

    func start(on driver: any Driver) throws(DialError) {
        self.driver = driver
        try startNext(at: driver.now)
    }

    private func startNext(at now: Instant) throws(DialError) {
        guard let driver, started < attempts.count else { return }
        let attempt = attempts[started]
        started += 1
        nextStart = started < attempts.count ? now.advanced(by: headStart) : nil
        try attempt.attach(to: driver)
        if let link { attempt.setLink(link) }
        // Only datagram machines can be woken; behind another one the next starts at the first turn past its time.
        attempt.wakeAt = nextStart
    }

    func advance(to now: Instant) {
        guard winner == nil, !isOver else { return }
        for attempt in attempts.prefix(started) where !hasLost(attempt) {
            look(at: attempt)
            if winner != nil || isOver { return }
        }
        while started < attempts.count, losses.count == started || nextStart.map({ $0 <= now }) ?? false {
            do {
                try startNext(at: now)
            } catch {
                lose(
                    attempts[started - 1],
                    SessionClose(initiator: .local, cause: .lost, reason: error.description))
            }
        }
        if losses.count == attempts.count { endWithoutWinner() }
    }

    private func hasLost(_ attempt: Attempt) -> Bool {
        losses.contains { $0.attempt === attempt }
    }

    private func look(at attempt: Attempt) {
        if attempt.isUnreachable {
            let reason = "nobody listens at \(attempt.plan.route.address)"
            return lose(attempt, SessionClose(initiator: .peer, cause: .lost, reason: reason))
        }
        while let event = attempt.transport.poll() {
            switch event {
            case .established:
                winner = attempt
                events.append(event)
                for other in attempts where other !== attempt {
                    other.transport.close(code: 0, reason: "another transport was established first")
                    other.detach()
                }
                return
            case .closed(let told):
                let close = attempt.explained(told)
                lose(attempt, close)
                if case .refused(.status(let status)) = close.cause, status == 401 || status == 403 {
                    end(with: close)
                }
                return
            default:
                break
            }
        }
    }

    private func lose(_ attempt: Attempt, _ close: SessionClose) {
        losses.append((attempt, close))
        attempt.detach()
    }

    private func endWithoutWinner() {
        guard var close = losses.first?.close else { return }
        // Where nobody answered at all there is nothing to say of each.
        let isSilence = losses.allSatisfy { $0.close.cause == .handshakeTimeout && $0.close.reason.isEmpty }
        close.reason =
            isSilence ? "" : losses.map { "\($0.attempt.plan.route.description): \($0.close)" }.joined(separator: "; ")
        end(with: close)
    }

    private func end(with close: SessionClose) {
        isOver = true
        events.append(.closed(close))
        for other in attempts where !hasLost(other) {
            other.transport.close(code: 0, reason: "")
            other.detach()
        }
    }

    // MARK: The session

    private var session: any TransportSession { (winner ?? attempts[0]).transport }

    public var role: EndpointRole { .client }
    public var negotiatedProtocol: String? { winner?.transport.negotiatedProtocol }
    public var kind: TransportKind { session.kind }
    public var requestPath: String? { session.requestPath }
    public var remoteAddress: NetworkAddress { session.remoteAddress }

    public func poll() -> TransportEvent? {
        if !events.isEmpty { return events.removeFirst() }
        return winner?.transport.poll()
    }

    public func openStream(_ direction: StreamDirection) -> StreamID? { winner?.transport.openStream(direction) }
    public func write(_ bytes: [UInt8], to stream: StreamID) { winner?.transport.write(bytes, to: stream) }
    public func canWrite(_ stream: StreamID) -> Bool { winner?.transport.canWrite(stream) ?? false }
    public func finish(_ stream: StreamID) { winner?.transport.finish(stream) }
    public func reset(_ stream: StreamID, code: StreamCode) { winner?.transport.reset(stream, code: code) }
    public func stop(_ stream: StreamID, code: StreamCode) { winner?.transport.stop(stream, code: code) }

    public func read(_ stream: StreamID, limit: Int) -> StreamRead? {
        winner?.transport.read(stream, limit: limit)
    }

    public func setPriority(_ priority: SendPriority, of stream: StreamID) {
        winner?.transport.setPriority(priority, of: stream)
    }

    public var maximumDatagramSize: Int? { winner?.transport.maximumDatagramSize }
    public func sendDatagram(_ bytes: [UInt8]) -> Bool { winner?.transport.sendDatagram(bytes) ?? false }
    public var pathEstimate: PathEstimate? { winner?.transport.pathEstimate }

    public func close(code: UInt64, reason: String) {
        if let winner { return winner.transport.close(code: code, reason: reason) }
        guard !isOver else { return }
        end(with: SessionClose(initiator: .local, cause: .application(code: code), reason: reason))
    }
}
