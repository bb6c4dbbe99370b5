import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// What is asked of publishers, and what they answer.
extension RelayTrack {
    /// Asks the best source that has not refused the track; fails when there is none.
    func attachBest(at now: Instant) {
        let open = content.ranked.filter { !refused.contains($0.number) && !$0.session.isClosed }
        guard let source = open.first(where: { !$0.session.isLeaving }) else {
            if !open.isEmpty { return fail(RelayPolicy.code(.goingAway, generation)) }
            // In its linger the publisher may still come back.
            if content.lingersUntil == nil { fail(lastRefusal ?? RelayPolicy.code(.dropped, generation)) }
            return
        }
        let upstream = Upstream(source: source, track: self)
        current = upstream
        ask(upstream, at: now)
    }

    /// Asks a source for the properties first, if it has not said them, and then for groups.
    func ask(_ upstream: Upstream, at now: Instant) {
        let source = upstream.source
        guard upstream.version.hasTrackStream, !described.contains(source.number),
            !core.isBroken(by: .subscribesFirst)
        else {
            return learned(info ?? .unknown, from: upstream, at: now)
        }
        guard let path = source.session.grant?.relative(content.path, to: .publish) else {
            return lost(upstream, RelayPolicy.code(.unroutable, generation), at: now)
        }
        let id = source.session.lite.requestTrack(broadcast: path, track: name)
        upstream.stage = .asking(id)
        source.session.asking[id] = upstream
        upstream.deadline = now.advanced(by: core.limits.answerWait)
        core.touch(source.session)
        reschedule()
    }

    /// The properties are known: whoever asked for them is answered, and the subscription can begin.
    func learned(_ newInfo: TrackInfo, from upstream: Upstream, at now: Instant) {
        upstream.stage = .idle
        if upstream !== candidate { upstream.deadline = nil }
        described.insert(upstream.source.number)
        if info == nil {
            info = newInfo
            store.info = newInfo
        }
        let waiters = infoWaiters
        infoWaiters = []
        for waiter in waiters { waiter.session.answer(waiter.id, info ?? newInfo) }
        guard demands.isEmpty else { return subscribe(upstream, at: now) }
        if upstream === current { current = nil }
        if upstream === candidate { candidate = nil }
        drive(at: now)
    }

    func subscribe(_ upstream: Upstream, at now: Instant) {
        guard let path = upstream.session.grant?.relative(content.path, to: .publish) else {
            return lost(upstream, RelayPolicy.code(.unroutable, generation), at: now)
        }
        let version = upstream.version
        var options = merged(for: version, isUpdate: false)
        if let resume = upstream === candidate ? store.nextSequence : resumeSequence {
            options = DemandPolicy.resuming(options, at: resume, for: version, retention: store.info.maxAge)
        }
        let id = upstream.session.lite.subscribe(broadcast: path, track: name, options: options)
        upstream.sent = options
        upstream.stage = .subscribed(id)
        upstream.session.upstreams[id] = upstream
        if version.subscribeAnswerIsOK {
            upstream.deadline = now.advanced(by: core.limits.answerWait)
            if upstream === current { releaseArrivals() }
        } else {
            upstream.isAccepted = true
            if store.latest == nil { store.holdsArrivals = true }
            if upstream === current { acceptAll() }
        }
        core.touch(upstream.session)
        reschedule()
    }

    /// The first group that another source should send, when there are groups already.
    var resumeSequence: UInt64? {
        guard let latest = store.latest else { return nil }
        return store.latestGroup?.state == .finished ? store.nextSequence : max(latest, store.nextSequence - 1)
    }

    // MARK: Answers

    func accepted(_ upstream: Upstream) {
        guard !upstream.isAccepted else { return }
        upstream.isAccepted = true
        if upstream === current {
            upstream.deadline = nil
            acceptAll()
        }
    }

    func started(_ upstream: Upstream, group: UInt64) {
        accepted(upstream)
        guard upstream === current else { return }
        if store.resolvedStart == nil, store.holdsArrivals || store.latest == nil { store.resolvedStart = group }
        releaseArrivals()
    }

    func releaseArrivals() {
        startDeadline = nil
        store.holdsArrivals = false
    }

    func endDeclared(_ upstream: Upstream, group: UInt64, at now: Instant) {
        guard upstream === current, group >= store.nextSequence || store.latest == nil else { return }
        store.declareEnd(group)
        // A publisher of 07 waits for us to let go, and says no more.
        if upstream.version.subscriberEndsFirst { finished(upstream, at: now) }
    }

    /// The publisher has said everything: once the groups before the end are through, so is the track.
    func finished(_ upstream: Upstream, at now: Instant) {
        guard upstream === current else { return lost(upstream, RelayPolicy.code(.dropped, generation), at: now) }
        accepted(upstream)
        upstream.deadline = nil
        tailEnd = max(store.declaredEnd ?? 0, store.nextSequence)
        tailDeadline = now.advanced(by: core.limits.tailWait)
        concludeTail(at: now)
        reschedule()
    }

    /// Finishes the track when nothing of it is open and nothing is missing, or nothing more is waited for.
    func concludeTail(at now: Instant) {
        guard let end = tailEnd, let upstream = current, !store.hasOpenGroup else { return }
        let first = store.resolvedStart ?? store.groups.map(\.sequence).min() ?? end
        let wantedEnd = upstream.sent.groupEnd.map { min(end, $0 + 1) } ?? end
        let missing = store.missing(from: first, to: wantedEnd)
        guard missing.isEmpty || tailDeadline == nil else { return }
        releaseArrivals()
        if !missing.isEmpty, upstream.hasDelivered, !upstream.session.isClosed {
            // It said that there are more than came: it is asked for the rest, once.
            upstream.leave()
            upstream.groups = [:]
            current = nil
            leaveUpstream()
            return attachBest(at: now)
        }
        upstream.leave()
        upstream.groups = [:]
        current = nil
        leaveUpstream()
        store.finish(end: end, lost: missing)
        drive(at: now)
    }

    // MARK: Groups

    func opened(_ id: IncomingGroupID, by upstream: Upstream, sequence: UInt64, frameStart: UInt64, at now: Instant) {
        let lite = upstream.session.lite
        if upstream === draining {
            return lite.stopGroup(id, code: RelayPolicy.code(.cancelled, generation, on: .stop))
        }
        do throws(TrackStoreError) {
            let group = try store.openGroup(sequence, firstIndex: Int(clamping: frameStart), at: now)
            upstream.groups[id] = group
            upstream.session.groups[id] = upstream
            upstream.hasDelivered = true
        } catch {
            let condition: ErrorCondition = if case .duplicateGroup = error { .duplicate } else { .closed }
            return lite.stopGroup(id, code: RelayPolicy.code(condition, generation, on: .stop))
        }
        if upstream === candidate { promote(upstream, at: now) }
        accepted(upstream)
        if store.holdsArrivals, startDeadline == nil { startDeadline = now.advanced(by: core.limits.startWait) }
        reschedule()
    }

    func received(_ frame: Frame, in id: IncomingGroupID, from upstream: Upstream, at now: Instant) {
        guard let group = upstream.groups[id] else { return }
        if group.isTerminal { return stopRemovedGroups(of: upstream) }
        store.append(core.stamped(frame, at: now), to: group, at: now)
    }

    func received(_ part: FramePart, in id: IncomingGroupID, from upstream: Upstream, at now: Instant) {
        guard let group = upstream.groups[id], !group.isTerminal else { return }
        store.extend(core.stamped(part, at: now), in: group, at: now)
    }

    func ended(_ id: IncomingGroupID, _ end: StreamEnd, from upstream: Upstream, at now: Instant) {
        upstream.session.groups[id] = nil
        guard let group = upstream.groups.removeValue(forKey: id) else { return }
        switch end {
        case .finished: store.finishGroup(group, at: now)
        // What was wrong with a frame is told to those who had some of the group (observed).
        case .malformed(_, let condition): store.abortGroup(group, code: RelayPolicy.code(condition, generation))
        default: store.abortGroup(group, code: RelayPolicy.passedOn(end, generation))
        }
        if upstream === draining, upstream.groups.isEmpty { endDraining() }
        if tailEnd != nil { concludeTail(at: now) }
    }

    func received(datagram sequence: UInt64, timestamp: UInt64, payload: [UInt8], from upstream: Upstream) {
        guard upstream === current else { return }
        store.datagram(sequence: sequence, timestamp: timestamp, payload: payload)
    }

    /// Groups that the cache let go of while they were being sent need not be sent on.
    func stopRemovedGroups(of upstream: Upstream) {
        for id in upstream.groups.keys.sorted() {
            guard case .removed(let why) = upstream.groups[id]?.state else { continue }
            upstream.groups[id] = nil
            upstream.session.groups[id] = nil
            let condition: ErrorCondition = why == .old ? .old : .evicted
            upstream.session.lite.stopGroup(id, code: RelayPolicy.code(condition, generation, on: .stop))
        }
    }
}
