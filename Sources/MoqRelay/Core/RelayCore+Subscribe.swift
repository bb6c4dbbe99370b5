import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// Requests for tracks.
extension RelayCore {
    /// The content that a session gets at a path: the active one if a route to it may be used by the session, else the
    /// next. Nil when there is none, or the path is outside the grant.
    private func route(_ path: BroadcastPath, for session: RelaySession) -> BroadcastContent? {
        guard let full = session.grant?.full(path, to: .subscribe) else { return nil }
        return content(at: full) { isBroken(by: .ownBroadcastServed) || !$0.hops.contains(session.peerHop) }
    }

    func content(at path: BroadcastPath, through isUsable: (Route) -> Bool) -> BroadcastContent? {
        guard let entry = entries[path] else { return nil }
        return entry.ranked.first { content in
            content.sources.contains { isUsable($0.route) }
                || (content.sources.isEmpty && content.lingersUntil != nil && isUsable(content.lastRoute))
        }
    }

    /// The track of a content, made if need be. Nil when the content has as many as it may have.
    func track(_ name: TrackName, of content: BroadcastContent) -> RelayTrack? {
        if let track = content.tracks[name], !isBroken(by: .upstreamPerViewer) { return track }
        guard content.tracks.count < limits.tracksPerBroadcast else { return nil }
        let track = RelayTrack(core: self, content: content, name: name, number: nextTrackNumber())
        content.tracks[name] = track
        return track
    }

    private func code(_ condition: ErrorCondition) -> StreamCode {
        RelayPolicy.code(condition, configuration.generation)
    }

    // MARK: SUBSCRIBE

    func subscribe(_ id: IncomingSubscriptionID, _ request: Subscribe, _ session: RelaySession, at now: Instant) {
        guard session.feeds.subscriptionCount < limits.subscriptionsPerSession else {
            return session.lite.resetSubscription(id, code: code(.tooManyRequests))
        }
        guard let content = route(request.broadcast, for: session) else {
            return session.lite.resetSubscription(id, code: code(.unroutable))
        }
        if refusesAsFaulty(content, session) { return session.lite.resetSubscription(id, code: code(.unroutable)) }
        guard let track = track(request.track, of: content) else {
            return session.lite.resetSubscription(id, code: code(.tooManyRequests))
        }
        track.prepareForDemand()
        if isBroken(by: .staleAfterTakeover) { track.takeOver(from: entries[content.path]?.contents ?? [], at: now) }
        var options = request.options
        if isBroken(by: .lateJoinerMissed), let latest = track.store.latest { options.groupStart = latest + 1 }
        if isBroken(by: .wholeTrackReplayed), let first = track.store.groups.first {
            options.groupStart = first.sequence
            options.maxAge = WireLimits.unlimitedAge
        }
        let feed = session.feeds.serve(id, options: options, store: track.store, at: now)
        if isBroken(by: .orderObeyed) { feed.doesAsDeployed = false }
        session.subscribed[id] = track
        track.add(feed, at: now)
    }

    /// Whether a relay that keeps versions or transports apart refuses a content.
    private func refusesAsFaulty(_ content: BroadcastContent, _ session: RelaySession) -> Bool {
        guard let publisher = content.sources.first?.session else { return false }
        if isBroken(by: .versionsApart) { return publisher.version != session.version }
        return isBroken(by: .transportsApart) && publisher.lite.transport.kind != session.lite.transport.kind
    }

    func subscriptionDone(_ id: IncomingSubscriptionID, _ feed: SubscriptionFeed, _ session: RelaySession) {
        session.subscribed.removeValue(forKey: id)?.remove(feed, at: now)
    }

    // MARK: TRACK

    func question(
        _ id: IncomingTrackID, broadcast: BroadcastPath, track name: TrackName, _ session: RelaySession, at now: Instant
    ) {
        guard session.questions.count < limits.trackRequestsPerSession else {
            return session.lite.refuseTrack(id, code: code(.tooManyRequests))
        }
        guard let content = route(broadcast, for: session) else {
            return session.lite.refuseTrack(id, code: code(.unroutable))
        }
        guard let track = track(name, of: content) else {
            return session.lite.refuseTrack(id, code: code(.tooManyRequests))
        }
        if let info = track.info {
            session.lite.answerTrack(id, info)
            return
        }
        session.questions[id] = track
        track.infoWaiters.append((session, id))
        track.drive(at: now)
    }

    func questionCancelled(_ id: IncomingTrackID, _ session: RelaySession, at now: Instant) {
        guard let track = session.questions.removeValue(forKey: id) else { return }
        track.infoWaiters.removeAll { $0.session === session && $0.id == id }
        track.drive(at: now)
    }

    // MARK: FETCH

    func fetch(_ id: IncomingFetchID, _ request: Fetch, _ session: RelaySession, at now: Instant) {
        guard session.feeds.fetchCount < limits.fetchesPerSession else {
            return session.lite.refuseFetch(id, code: code(.tooManyRequests))
        }
        guard let content = route(request.broadcast, for: session) else {
            return session.lite.refuseFetch(id, code: code(.unroutable))
        }
        guard let track = track(request.track, of: content) else {
            return session.lite.refuseFetch(id, code: code(.tooManyRequests))
        }
        let key = FetchJob.Key(group: request.group, frameStart: request.frameStart, frameEnd: request.frameEnd)
        switch find(key, priority: request.priority, in: track, at: now) {
        case .kept(let group):
            serve(id, request, group, track, session)
        case .running(let job):
            job.readerCount += 1
            session.fetchJobs[id] = job
            serve(id, request, job.group, track, session)
        case .refused(let code):
            session.lite.refuseFetch(id, code: code)
        }
        if track.isIdle { track.drive(at: now) }
    }

    private func serve(
        _ id: IncomingFetchID, _ request: Fetch, _ group: CachedGroup, _ track: RelayTrack, _ session: RelaySession
    ) {
        session.fetchPaths[id] = track.content.path
        _ = session.feeds.serve(id, request, group: group)
    }

    /// Where the frames of a fetch come from.
    enum FetchSource {
        case kept(CachedGroup)
        case running(FetchJob)
        case refused(StreamCode)
    }

    /// From the cache; else from a fetch that runs already; else from one that begins now.
    func find(_ key: FetchJob.Key, priority: UInt8, in track: RelayTrack, at now: Instant) -> FetchSource {
        if !isBroken(by: .fetchNotFromCache), let group = track.store.group(key.group),
            group.state == .finished || group.state == .open,
            Int(clamping: key.frameStart) >= group.firstIndex, !isBroken(by: .cacheUnused)
        {
            group.lastTouched = now
            return .kept(group)
        }
        if let end = track.store.declaredEnd, key.group >= end { return .refused(code(.notFound)) }
        if isBroken(by: .fetchOnlyFromCache) { return .refused(code(.notFound)) }
        if let job = track.fetches[key], !isBroken(by: .fetchPerClient) { return .running(job) }
        let sources = track.content.ranked.filter { !$0.session.isClosed }
        guard !sources.isEmpty else { return .refused(code(.notFound)) }
        guard sources.contains(where: { $0.session.takesRequests }) else { return .refused(code(.goingAway)) }
        guard let source = sources.first(where: { $0.session.takesRequests && $0.session.version.hasFetch }) else {
            return .refused(RelayPolicy.notFetchable(configuration.generation))
        }
        guard upstreamFetchCount < limits.upstreamFetches,
            let path = source.session.grant?.relative(track.content.path, to: .publish)
        else { return .refused(code(.tooManyRequests)) }
        var request = Fetch(broadcast: path, track: track.name, priority: priority, group: key.group)
        // Frame ranges exist on 06; a 05 publisher is asked for the whole group.
        let hasRanges = source.session.version.hasFrameRanges
        if hasRanges {
            request.frameStart = key.frameStart
            request.frameEnd = key.frameEnd
        }
        let job = FetchJob(
            key: key, track: track, session: source.session, id: source.session.lite.fetch(request),
            firstIndex: hasRanges ? Int(clamping: key.frameStart) : 0, window: limits.track.groupBytes, at: now)
        track.fetches[key] = job
        source.session.upstreamFetches[job.id] = job
        upstreamFetchCount += 1
        touch(source.session)
        return .running(job)
    }

    func fetchDone(_ id: IncomingFetchID, _ session: RelaySession) {
        session.fetchPaths[id] = nil
        guard let job = session.fetchJobs.removeValue(forKey: id) else { return }
        release(job)
    }

    /// One reader fewer: the last one ends the fetch.
    func release(_ job: FetchJob) {
        job.readerCount -= 1
        guard job.readerCount == 0, job.session.upstreamFetches[job.id] === job else { return }
        job.abort(code(.cancelled))
        fetchClosed(job)
    }

    /// The track of a fetch is lost.
    func cut(_ job: FetchJob, _ code: StreamCode) {
        guard job.session.upstreamFetches[job.id] === job else { return }
        job.abort(code)
        fetchClosed(job)
    }

    func fetchEnded(_ id: FetchID, _ end: StreamEnd, _ session: RelaySession, at now: Instant) {
        guard let job = session.upstreamFetches.removeValue(forKey: id) else { return }
        job.ended(end, at: now)
        if isBroken(by: .fetchGoesLive) { job.track.takeAsLive(job.group, at: now) }
        fetchClosed(job)
    }

    private func fetchClosed(_ job: FetchJob) {
        upstreamFetchCount -= 1
        if job.track.fetches[job.key] === job { job.track.fetches[job.key] = nil }
        job.track.drive(at: now)
    }
}
