import MoqBase

/// Pings of WebSocket, for the versions of Qmux that have none of their own.
struct WebSocketClock {
    private var lastHeard: Instant?
    private var lastPing: Instant?
    private var owesPing = false
    private var waitsForPong = false

    mutating func heard(at now: Instant) {
        lastHeard = now
    }

    /// When a ping or the end is due.
    func deadline(_ settings: QmuxSettings) -> Instant? {
        .earlier(silence(settings), pingDue(settings))
    }

    /// Whether nothing was heard for the idle timeout.
    func isSilent(_ settings: QmuxSettings, at now: Instant) -> Bool {
        silence(settings).map { $0 <= now } ?? false
    }

    mutating func advance(_ settings: QmuxSettings, to now: Instant) {
        if let due = pingDue(settings), due <= now { owesPing = true }
    }

    /// Whether a ping is to go out now.
    mutating func takeOwedPing(at now: Instant) -> Bool {
        guard owesPing else { return false }
        owesPing = false
        waitsForPong = true
        lastPing = now
        return true
    }

    /// The round trip that a pong shows.
    mutating func takePong(at now: Instant) -> Duration? {
        guard waitsForPong, let lastPing else { return nil }
        waitsForPong = false
        return lastPing.duration(to: now)
    }

    private func silence(_ settings: QmuxSettings) -> Instant? {
        guard let lastHeard, settings.idleTimeout > .zero else { return nil }
        return lastHeard.advanced(by: settings.idleTimeout)
    }

    private func pingDue(_ settings: QmuxSettings) -> Instant? {
        guard !owesPing, let lastHeard, let keepAlive = settings.keepAlive else { return nil }
        return max(lastHeard, lastPing ?? lastHeard).advanced(by: keepAlive)
    }
}
