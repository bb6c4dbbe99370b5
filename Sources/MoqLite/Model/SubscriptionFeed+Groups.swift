import MoqBase
import MoqTransport
import MoqWire

// How groups get from the store to streams.
extension SubscriptionFeed {
    /// Looks at what arrived since the last time.
    func takeArrivals(at now: Instant) {
        guard !store.holdsArrivals else { return }
        let arrived = store.arrivalRange
        guard cursor < arrived.upperBound else { return }
        if start == nil { start = firstOfAll() }
        for index in max(cursor, arrived.lowerBound)..<arrived.upperBound {
            if let group = store.arrival(index) { take(group) }
        }
        cursor = arrived.upperBound
        dropStale(at: now)
    }

    /// Where a subscription begins that was there before the first group.
    private func firstOfAll() -> UInt64 {
        if version.subscribeAnswerIsOK { return 0 }
        let first = store.groups.map(\.sequence).min() ?? 0
        return min(store.resolvedStart ?? first, first)
    }

    func take(_ group: CachedGroup) {
        guard group.sequence >= start ?? 0 else { return }
        if let end = options.groupEnd, group.sequence > end {
            held.append(group)
            if held.count > FeedLimits.heldGroups { held.removeFirst() }
            return
        }
        let frames = FeedPolicy.frames(of: group.sequence, options)
        let reader = FeedGroup(group, feed: self, first: frames.first, last: frames.last)
        group.attach(reader)
        unready[group.arrival] = reader
        touch(reader)
    }

    /// Notes that a group has something new.
    func touch(_ group: FeedGroup) {
        guard !group.isTouched else { return }
        group.isTouched = true
        touched.append(group)
        wake()
    }

    /// Serves the groups that changed.
    func serveTouched() {
        let groups = touched
        touched.removeAll(keepingCapacity: true)
        for group in groups {
            group.isTouched = false
            if let id = group.id {
                if !blocked.contains(id) || group.group.isTerminal { serve(group, id) }
            } else if group.isReady, let reader = unready.removeValue(forKey: group.group.arrival) {
                enqueue(reader)
            }
        }
    }

    private func enqueue(_ group: FeedGroup) {
        let rank = priority(of: group)
        let place = pending.firstIndex { priority(of: $0) > rank }
        pending.insert(group, at: place ?? pending.endIndex)
    }

    /// Opens streams for the groups that wait, the most wanted first, as far as the peer allows.
    func openPending(at now: Instant) {
        awaitsStream = false
        while let group = pending.last {
            switch group.group.state {
            case .aborted:
                // Nothing of it went out, so nothing has to be taken back.
                discard(pending.removeLast())
                continue
            case .removed(let why):
                discard(pending.removeLast())
                tellDropped(group.group.sequence...group.group.sequence, FeedPolicy.condition(of: why))
                continue
            case .open, .finished:
                break
            }
            if let backlog, !backlog.hasRoom {
                backlog.wait(self)
                break
            }
            tellStart(before: group.group.sequence)
            let priority = priority(of: group)
            guard
                let id = outlet.openGroup(
                    for: subscription, sequence: group.group.sequence, frameStart: UInt64(group.next),
                    priority: priority)
            else {
                awaitsStream = true
                break
            }
            pending.removeLast()
            group.id = id
            sending[id] = group
            registry?.feeds[id] = self
            serve(group, id)
        }
        dropExcess()
    }

    private func tellStart(before sequence: UInt64) {
        guard !isStartTold, !version.subscribeAnswerIsOK else { return }
        isStartTold = true
        let lowest = pending.map(\.group.sequence).min() ?? sequence
        let known = store.resolvedStart.map { max($0, start ?? 0) } ?? lowest
        start = min(lowest, known)
        let largest = store.latestGroup.map {
            TrackPosition(group: $0.sequence, frame: UInt64(max($0.frameCount, 1) - 1))
        }
        outlet.startSubscription(subscription, group: min(lowest, known), largest: largest)
    }

    private func serve(_ group: FeedGroup, _ id: OutgoingGroupID) {
        while true {
            switch group.group.read(group.next) {
            case .frame(let frame):
                if let last = group.last, group.next > last { return finish(group, id) }
                guard outlet.canWrite(id) else {
                    blocked.insert(id)
                    return
                }
                if let begun = group.begun {
                    // Another source may have gone on with the group, and have another frame there.
                    guard begun.header.size == frame.payload.count else {
                        return cut(group, id, FeedPolicy.code(.dropped, generation, on: .reset))
                    }
                    outlet.continueFrame(id, Array(frame.payload[begun.sent...]))
                    group.begun = nil
                } else {
                    outlet.writeFrame(id, frame)
                }
                group.next += 1
                charge(group, CachedGroup.cost(of: frame))
                if let last = group.last, group.next > last { return finish(group, id) }
            case .part(let open):
                return serve(open, of: group, id)
            case .wait:
                return
            case .end where group.begun != nil:
                return cut(group, id, FeedPolicy.code(.dropped, generation, on: .reset))
            case .end:
                return finish(group, id)
            case .aborted(let code):
                return cut(group, id, code)
            case .removed(let why):
                return cut(group, id, FeedPolicy.code(FeedPolicy.condition(of: why), generation, on: .reset))
            case .lagged:
                return cut(group, id, FeedPolicy.code(.lagged, generation, on: .reset))
            }
        }
    }

    /// Passes on what came of a frame that is not whole yet.
    private func serve(_ open: CachedGroup.OpenFrame, of group: FeedGroup, _ id: OutgoingGroupID) {
        if let last = group.last, group.next > last { return finish(group, id) }
        guard outlet.canWrite(id) else {
            blocked.insert(id)
            return
        }
        if let begun = group.begun {
            guard begun.header == open.header, begun.sent < open.bytes.count else { return }
            outlet.continueFrame(id, Array(open.bytes[begun.sent...]))
        } else {
            outlet.beginFrame(id, open.header, open.bytes)
        }
        group.begun = (open.header, open.bytes.count)
    }

    private func finish(_ group: FeedGroup, _ id: OutgoingGroupID) {
        outlet.finishGroup(id)
        sending[id] = nil
        undelivered[id] = group
        group.group.detach(group)
    }

    private func cut(_ group: FeedGroup, _ id: OutgoingGroupID, _ code: StreamCode) {
        outlet.resetGroup(id, code: code)
        sending[id] = nil
        registry?.feeds[id] = nil
        blocked.remove(id)
        discard(group)
    }

    private func discard(_ group: FeedGroup) {
        group.group.detach(group)
        release(group)
    }

    /// Lets go of groups that the peer has not taken within the age that it asked for.
    private func dropStale(at now: Instant) {
        for id in blocked.sorted() {
            guard let group = sending[id], isStale(group, at: now) else { continue }
            cut(group, id, FeedPolicy.code(.old, generation, on: .reset))
        }
        let stale = pending.filter { isStale($0, at: now) }
        guard !stale.isEmpty else { return }
        pending.removeAll { isStale($0, at: now) }
        for group in stale { drop(group) }
    }

    private func isStale(_ group: FeedGroup, at now: Instant) -> Bool {
        FeedPolicy.isTooOld(supersededAt: group.group.supersededAt, maxAge: options.maxAge, at: now)
    }

    /// Keeps the number of groups that wait for a stream within its bound; the oldest go.
    private func dropExcess() {
        while pending.count > FeedLimits.waitingGroups,
            let oldest = pending.indices.min(by: { pending[$0].group.sequence < pending[$1].group.sequence })
        {
            drop(pending.remove(at: oldest))
        }
    }

    private func drop(_ group: FeedGroup) {
        discard(group)
        tellDropped(group.group.sequence...group.group.sequence, .old)
    }

    // MARK: Backlog

    private func charge(_ group: FeedGroup, _ bytes: Int) {
        guard let backlog, group.charged < FeedLimits.groupCharge else { return }
        let more = min(bytes, FeedLimits.groupCharge - group.charged)
        group.charged += more
        backlog.charge(more)
    }

    func release(_ group: FeedGroup) {
        guard let backlog, group.charged > 0 else { return }
        let charged = group.charged
        group.charged = 0
        backlog.release(charged)
    }

    // MARK: Update

    /// The peer changed what it wants. A raised end lets groups go that were held back; a lowered one holds back those
    /// without a stream; a raised start skips those below it. Groups already open change their rank at once.
    public func update(_ newOptions: SubscribeOptions) {
        guard !isDone else { return }
        let old = options
        options = newOptions
        if old.priority != options.priority || old.ordered != options.ordered {
            for (id, group) in sending.merging(undelivered, uniquingKeysWith: { first, _ in first }).sorted(by: {
                $0.key < $1.key
            }) {
                outlet.setPriority(priority(of: group), of: id)
            }
        }
        if store.latestGroup == nil {
            // Nothing was left out yet, so the start may also be lowered.
            if options.groupStart != nil || startIsFloor { start = options.groupStart }
        } else if let newStart = options.groupStart, newStart > start ?? 0 {
            start = newStart
        }
        for group in takeBackWaiting() + releaseHeld() { take(group) }
        wake()
    }

    /// Groups without a stream, to be looked at again.
    private func takeBackWaiting() -> [CachedGroup] {
        let waiting = pending + unready.sorted { $0.key < $1.key }.map(\.value)
        pending = []
        unready = [:]
        for group in waiting { discard(group) }
        touched.removeAll { $0.id == nil }
        return waiting.map(\.group)
    }

    private func releaseHeld() -> [CachedGroup] {
        let groups = held
        held = []
        return groups
    }
}
