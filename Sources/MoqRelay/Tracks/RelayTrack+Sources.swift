import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// How a track moves between sources of the same content.
extension RelayTrack {
    /// The sources of the content changed: a better one is tried beside the present one, which goes on until the
    /// better one has delivered a group. A source that cannot serve the track thus disturbs nobody.
    func sourcesChanged(at now: Instant) {
        guard !isOver, store.ending == .live, !demands.isEmpty else { return }
        guard let current else { return drive(at: now) }
        guard case .subscribed = current.stage, tailEnd == nil else { return }
        guard let best = content.ranked.first(where: { $0.session.takesRequests }), best !== current.source,
            candidate?.source !== best, !refused.contains(best.number)
        else { return }
        if let candidate { dismiss(candidate) }
        let upstream = Upstream(source: best, track: self)
        candidate = upstream
        ask(upstream, at: now)
        if candidate === upstream {
            upstream.deadline = now.advanced(by: core.limits.candidateWait)
            reschedule()
        }
    }

    /// A candidate has delivered: it serves the track from here on, and the groups in flight of the one before are
    /// waited for.
    func promote(_ upstream: Upstream, at now: Instant) {
        endDraining()
        candidate = nil
        upstream.deadline = nil
        let replaced = current
        current = upstream
        guard let replaced else { return }
        if replaced.groups.isEmpty {
            replaced.leave()
        } else {
            draining = replaced
            replaced.deadline = now.advanced(by: core.limits.drainWait)
        }
    }

    func endDraining() {
        guard let upstream = draining else { return }
        draining = nil
        dismiss(upstream)
    }

    private func dismiss(_ upstream: Upstream) {
        upstream.leave()
        cutGroups(of: upstream, .dropped)
        if upstream === candidate { candidate = nil }
    }

    /// What ran with a source is over before its time: refused, failed, withdrawn, or its session is gone. Another
    /// source takes over if there is one; else everybody hears `code`. A publisher that fails after a group is asked once
    /// more (moq-ffi 0.3.19 and 0.4.18, observed); one that then fails before the next group has refused.
    func lost(_ upstream: Upstream, _ code: StreamCode, at now: Instant) {
        guard !isOver else { return }
        upstream.leave()
        if upstream === draining {
            draining = nil
            return cutGroups(of: upstream, .dropped)
        }
        let mayBeAskedAgain = upstream === current && upstream.hasDelivered && !core.isBroken(by: .failureFinal)
        if !mayBeAskedAgain { refused.insert(upstream.source.number) }
        if upstream === candidate {
            candidate = nil
            return cutGroups(of: upstream, .dropped)
        }
        guard upstream === current else { return }
        lastRefusal = code
        current = nil
        if core.isBroken(by: .firstRefusalFinal) { return fail(code) }
        tailEnd = nil
        tailDeadline = nil
        if let next = candidate {
            cutGroups(of: upstream, .dropped)
            promote(next, at: now)
            if next.isAccepted { acceptAll() }
            return
        }
        let others = content.ranked.contains { !refused.contains($0.number) && $0.session.takesRequests }
        if others || content.lingersUntil != nil {
            cutGroups(of: upstream, .dropped)
        } else {
            upstream.groups = [:]
        }
        attachBest(at: now)
    }

    /// The announcement behind `source` is gone.
    func sourceWithdrawn(_ source: AnnouncedSource, at now: Instant) {
        for upstream in [draining, candidate, current].compactMap(\.self) where upstream.source === source {
            lost(upstream, RelayPolicy.code(.dropped, generation), at: now)
        }
    }

    /// Looks at the waits for publishers.
    func upstreamsDue(at now: Instant) {
        if let deadline = draining?.deadline, deadline <= now { endDraining() }
        if let upstream = candidate, let deadline = upstream.deadline, deadline <= now {
            refused.insert(upstream.source.number)
            dismiss(upstream)
        }
        if let upstream = current, let deadline = upstream.deadline, deadline <= now {
            lost(upstream, RelayPolicy.code(.controlTimeout, generation), at: now)
        }
    }
}
