import MoqBase

// What time does.
extension QmuxEngine {
    /// When `advance` wants to be called at the latest, if ever.
    public var deadline: Instant? {
        guard phase != .over || hasUnheardNews else { return nil }
        // Time begins with the first turn of the crank; and what happened while sending is told at once.
        guard let startedAt, !hasUnheardNews else { return .origin }
        switch phase {
        case .waiting, .handshaking: return startedAt.advanced(by: settings.handshakeTimeout)
        case .established: return .earlier(idleDeadline, pingDeadline)
        case .closing: return closingSince.map { $0.advanced(by: QmuxLimits.closing) } ?? .origin
        case .over: return nil
        }
    }

    /// Lets time-driven work happen.
    public func advance(to now: Instant) {
        touch(now)
        hasUnheardNews = false
        switch phase {
        case .waiting, .handshaking:
            guard let startedAt, startedAt.advanced(by: settings.handshakeTimeout) <= now else { return }
            expire(.handshakeTimeout)
        case .established:
            if settings.flaw == .webSocketNeverGivesUp, let idleDeadline, idleDeadline <= now { lastReceived = now }
            if let idleDeadline, idleDeadline <= now {
                expire(.idleTimeout)
            } else if let pingDeadline, pingDeadline <= now {
                owesPing = true
            }
        case .closing:
            let since = closingSince ?? now
            closingSince = since
            if since.advanced(by: QmuxLimits.closing) <= now {
                closeFrame = nil
                phase = .over
            }
        case .over: break
        }
    }

    /// The smaller of what both sides announced, nil when neither did (RFC 9000 section 10.1).
    var idleTimeout: Duration? {
        guard version?.usesRecords == true else { return nil }
        let peer = peerParameters?.idleTimeout ?? 0
        let theirs: Duration? = peer == 0 ? nil : .milliseconds(Int64(clamping: min(peer, UInt64(Int32.max))))
        let ours: Duration? = settings.idleTimeout > .zero ? settings.idleTimeout : nil
        guard let theirs, let ours else { return ours ?? theirs }
        return min(ours, theirs)
    }

    /// As in QUIC, silence counts from what was heard last, or from what was said first since then: a peer that is
    /// gone is not kept alive by our own pings.
    private var idleDeadline: Instant? {
        guard let idleTimeout, let lastReceived else { return nil }
        return max(lastReceived, firstSentSince ?? lastReceived).advanced(by: idleTimeout)
    }

    private var pingDeadline: Instant? {
        guard version?.usesRecords == true, !owesPing, let keepAlive = settings.keepAlive, let lastReceived else {
            return nil
        }
        let interval = idleTimeout.map { min(keepAlive, $0 / 3) } ?? keepAlive
        return max(lastReceived, lastPing ?? lastReceived).advanced(by: interval)
    }

    private func expire(_ cause: SessionClose.Cause) {
        // Without a frame, as the draft wants it (section 6.1).
        end(SessionClose(initiator: .local, cause: cause, reason: ""), frame: nil)
        hasUnheardNews = false
    }
}
