import MoqBase
import MoqLite
import MoqWire

// Announcements: sources that come and go, and what watchers see of them.
extension RelayCore {
    // MARK: Watchers

    func watch(_ id: IncomingAnnounceID, prefix: BroadcastPath, excludeHop: UInt64, _ session: RelaySession) {
        guard session.watchers.count < limits.watchersPerSession else {
            // An end in good order would say that nothing is there.
            return session.lite.resetAnnounce(id, code: RelayPolicy.code(.tooManyRequests, configuration.generation))
        }
        // 06 names the hop in SETUP instead.
        var excluded = session.version.hasAnnounceIDs ? session.peerHop : excludeHop
        if isBroken(by: .exclusionIgnored) { excluded = 0 }
        guard let prefix = session.grant?.root.appending(prefix) else {
            // No path can lie below: an empty set that stays empty.
            session.lite.answerAnnounce(id, active: [])
            return
        }
        let watcher = Watcher(session: session, id: id, prefix: prefix, excludedHop: excluded)
        session.watchers[id] = watcher
        watchers[prefix] = (watchers[prefix] ?? []) + [watcher]
        if isBroken(by: .emptySetUnanswered), entries.values(under: prefix).isEmpty { return }
        let tellsNothing =
            isBroken(by: .replayMissing) || isBroken(by: .replayOnlyAtFirst) && faultMemory.has("somebody left")
        var present = tellsNothing ? [] : entries.values(under: prefix)
        if isBroken(by: .emptySuffixLost) { present.removeAll { $0.path == prefix } }
        watcher.begin(isBroken(by: .replayDisordered) ? present.reversed() : present)
    }

    func unwatch(_ id: IncomingAnnounceID, _ session: RelaySession) {
        guard let watcher = session.watchers.removeValue(forKey: id) else { return }
        if isBroken(by: .replayOnlyAtFirst) { faultMemory.note("somebody left") }
        let others = (watchers[watcher.prefix] ?? []).filter { $0 !== watcher }
        watchers[watcher.prefix] = others.isEmpty ? nil : others
        if !session.isClosed { session.lite.finishAnnounce(id) }
    }

    private func refresh(_ entry: BroadcastEntry) {
        for watcher in watchers.values(along: entry.path).joined() {
            if isBroken(by: .emptySuffixLost), watcher.prefix == entry.path { continue }
            let publishes = !watcher.session.sources.isEmpty && watcher.shown[entry.path] == nil
            if publishes, isBroken(by: .publisherNotTold) { continue }
            watcher.refresh(entry, keepingBack: configuration.fault)
        }
    }

    /// Tells the watchers of a session what they could not be told while it was not reading.
    func catchUp(_ session: RelaySession) {
        for id in session.watchers.keys.sorted() {
            if let watcher = session.watchers[id], watcher.isBehind { watcher.catchUp { entries[$0] } }
        }
    }

    // MARK: Sources

    func sourceAnnounced(_ announced: Announced, _ session: RelaySession, at now: Instant) {
        session.noteHop(of: announced.hops)
        // Outside the grant nothing is said, and nobody asks.
        guard let path = session.grant?.full(announced.path, to: .publish) else { return }
        let price = isBroken(by: .costNotAdded) ? 0 : session.lite.peerSetup?.cost ?? configuration.linkPrice
        let route = RoutePolicy.received(
            announced.hops, cost: announced.cost,
            ownHop: isBroken(by: .ownLoopTaken) ? .max : configuration.hopID,
            linkPrice: isBroken(by: .priceIgnored) ? 1 : price)
        guard let route else { return removeSource(at: path, session, isDeliberate: true, at: now) }
        if let source = session.sources[path], let entry = entries[path], let content = content(of: source, in: entry) {
            if identity(route.hops, of: source) == content.identity, !isBroken(by: .takeoverByRoute) {
                return rerouted(source, content, entry, route, at: now)
            }
            // Another publisher behind the same session: the old content goes as the new one comes.
            detach(source, content, entry, isDeliberate: true, at: now)
        }
        addSource(path, route, session, at: now)
    }

    /// Whose content a source leads to.
    private func identity(_ hops: HopList, of source: AnnouncedSource) -> ContentIdentity {
        if isBroken(by: .contentBySession) { return .announcement(source.number) }
        if isBroken(by: .unknownIsSomebody), hops.ids.first == 0 { return .publisher(0) }
        return RoutePolicy.identity(hops, number: source.number)
    }

    private func rerouted(
        _ source: AnnouncedSource, _ content: BroadcastContent, _ entry: BroadcastEntry, _ route: Route, at now: Instant
    ) {
        source.route = route
        content.lastRoute = route
        refresh(entry)
        for track in content.tracksInOrder { track.sourcesChanged(at: now) }
    }

    private func addSource(_ path: BroadcastPath, _ route: Route, _ session: RelaySession, at now: Instant) {
        let isNew = entries[path] == nil
        guard session.sources.count < limits.announcementsPerSession, !isNew || entries.count < limits.broadcasts else {
            return
        }
        let entry = entries[path] ?? BroadcastEntry(path: path)
        entry.keepsFirst = isBroken(by: .firstPublisherStays)
        if isNew { entries[path] = entry }
        let source = AnnouncedSource(session: session, path: path, number: nextAnnouncementNumber(), route: route)
        session.sources[path] = source
        let activeBefore = entry.ranked.first
        let identity = identity(route.hops, of: source)
        let content: BroadcastContent
        if let known = entry.content(identity) {
            content = known
            content.lastRoute = route
            content.lingersUntil = nil
        } else {
            let isShown = session.watchers.values.contains { $0.shown[path] != nil }
            content = BroadcastContent(
                source: source, identity: identity,
                isReflection: RoutePolicy.isReflection(identity, isShownToAnnouncer: isShown), core: self)
            entry.add(content)
        }
        content.sources.append(source)
        if let activeBefore, entry.ranked.first !== activeBefore { displaced(activeBefore) }
        refresh(entry)
        for track in content.tracksInOrder { track.sourcesChanged(at: now) }
    }

    /// Another content has taken the path. The loser stays attached behind it.
    private func displaced(_ content: BroadcastContent) {
        if isBroken(by: .loserForgotten) { entries[content.path]?.remove(content) }
        guard RelayPolicy.withdrawalEndsSubscriptions(configuration.generation) else { return }
        let code = RelayPolicy.code(.dropped, configuration.generation)
        for track in content.tracksInOrder { track.fail(code) }
    }

    /// A session takes back what it announced at a path relative to its root.
    func sourceWithdrawn(_ path: BroadcastPath, _ session: RelaySession, isDeliberate: Bool, at now: Instant) {
        guard let full = session.grant?.full(path, to: .publish) else { return }
        removeSource(at: full, session, isDeliberate: isDeliberate, at: now)
    }

    /// A session's stream of announcements ended: everything on it is gone, though not one by one.
    func allSourcesWithdrawn(_ session: RelaySession, at now: Instant) {
        for path in session.sources.keys.sorted() { removeSource(at: path, session, isDeliberate: false, at: now) }
    }

    func removeSource(at path: BroadcastPath, _ session: RelaySession, isDeliberate: Bool, at now: Instant) {
        guard let source = session.sources[path], let entry = entries[path],
            let content = content(of: source, in: entry)
        else { return }
        detach(source, content, entry, isDeliberate: isDeliberate, at: now)
        refresh(entry)
        if entry.contents.isEmpty { entries[path] = nil }
    }

    private func content(of source: AnnouncedSource, in entry: BroadcastEntry) -> BroadcastContent? {
        entry.contents.first { content in content.sources.contains { $0 === source } }
    }

    private func detach(
        _ source: AnnouncedSource, _ content: BroadcastContent, _ entry: BroadcastEntry, isDeliberate: Bool,
        at now: Instant
    ) {
        let isDeliberate = isDeliberate && !isBroken(by: .withdrawalLingers)
        source.session.sources[source.path] = nil
        content.sources.removeAll { $0 === source }
        if content.sources.isEmpty {
            let linger = min(configuration.linger, limits.longestLinger)
            if !isDeliberate, linger > .zero {
                content.lingersUntil = now.advanced(by: linger)
                timers.schedule(content, at: content.lingersUntil)
            } else {
                return end(content, entry, staysServed: isDeliberate && !source.session.isClosed)
            }
        }
        for track in content.tracksInOrder { track.sourceWithdrawn(source, at: now) }
    }

    /// A content without sources leaves its path. What is in flight from a publisher that is still there may run to
    /// its own end, and so may what is complete, wherever its publisher is (0.3.19 and 0.4.18, observed).
    private func end(_ content: BroadcastContent, _ entry: BroadcastEntry, staysServed: Bool) {
        entry.remove(content)
        content.lingersUntil = nil
        let letRun = staysServed && !RelayPolicy.withdrawalEndsSubscriptions(configuration.generation)
        let code = RelayPolicy.code(.dropped, configuration.generation)
        for track in content.tracksInOrder where !track.isComplete && !(letRun && track.isRunning) {
            track.fail(code)
        }
        if !content.tracks.isEmpty { detached.append(content) }
    }

    /// The last track of a content has gone.
    func trackClosed(_ content: BroadcastContent) {
        if content.tracks.isEmpty { detached.removeAll { $0 === content } }
    }

    /// A content's linger may be over.
    func lingerEnded(_ content: BroadcastContent, at now: Instant) {
        guard let until = content.lingersUntil, let entry = entries[content.path] else { return }
        guard until <= now else { return timers.schedule(content, at: until) }
        end(content, entry, staysServed: false)
        refresh(entry)
        if entry.contents.isEmpty { entries[content.path] = nil }
    }
}
