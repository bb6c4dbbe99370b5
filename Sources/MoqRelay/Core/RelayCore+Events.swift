import MoqBase
import MoqLite
import MoqTransport
import MoqWire

// What sessions report, and to whom it goes.
extension RelayCore {
    func handle(_ event: LiteEvent, _ session: RelaySession, at now: Instant) {
        switch event {
        case .established, .peerSetup:
            admit(session, at: now)
        case .closed:
            sessionClosed(session, at: now)
        case _ where event.end == .sessionClosed:
            // The first of many: what came before it was still good.
            sessionClosed(session, at: now)
        case .goaway where session.grant != nil && RelayPolicy.obeysGoaway(configuration.generation):
            // One that comes together with SETUP ends the session before it has begun (0.4.18, observed).
            if session.admitted == now, session.version.hasSetup { return refuse(session, .goingAway, "going away") }
            session.isLeaving = true
        default:
            guard !session.isClosed else { return }
            guard session.grant != nil else { return wait(event, session) }
            if session.feeds.handle(event) { return }
            if handleRequest(event, session, at: now) { return }
            handleAnswer(event, session, at: now)
        }
    }

    private func wait(_ event: LiteEvent, _ session: RelaySession) {
        session.waiting.append(event)
        if session.waiting.count > limits.requestsBeforeSetup {
            refuse(session, .tooManyRequests, "too many requests before SETUP")
        }
    }

    // MARK: Admission

    /// Grants a session its paths once its version, and from 05 on its SETUP, is known.
    private func admit(_ session: RelaySession, at now: Instant) {
        guard !session.isClosed, session.grant == nil, let version = session.lite.version else { return }
        if version.hasSetup && session.lite.peerSetup == nil { return }
        if let grant = session.ownGrant { return admit(session, to: grant, expires: nil, at: now) }
        let path = PathPolicy.requestPath(
            version: version, bindingPath: session.lite.transport.requestPath,
            setupPath: isBroken(by: .setupPathIgnored) ? configuration.defaultPath : session.lite.peerSetup?.path,
            defaultPath: configuration.defaultPath)
        // Why is nobody's business who has no right to be here.
        guard let admission = TokenPolicy(configuration).admission(to: path, at: now),
            let grant = admission.grant.narrowed(
                to: isBroken(by: .roleIgnored) ? nil : session.lite.peerSetup?.role)
        else {
            return refuse(session, .unauthorized, "unauthorized")
        }
        admit(session, to: grant, expires: admission.expires, at: now)
    }

    private func admit(_ session: RelaySession, to grant: PathGrant, expires: Instant?, at now: Instant) {
        session.grant =
            isBroken(by: .rootForgotten)
            ? PathGrant(
                root: configuration.publicPrefix ?? .empty, publish: grant.publish, subscribe: grant.subscribe) : grant
        session.admitted = now
        session.expires = isBroken(by: .tokenExpiryIgnored) ? nil : expires
        session.setupDeadline = nil
        for prefix in grant.publish {
            session.lite.requestAnnouncements(prefix: prefix, excludeHop: configuration.hopID)
        }
        if !grant.publish.isEmpty { touch(session) }
        let waiting = session.waiting
        session.waiting = []
        for event in waiting { handle(event, session, at: now) }
    }

    /// The HTTP status for a request of a path that its sender gets no session at, or nil: 401 whatever the reason, as
    /// relays of the original stack answer WebSocket clients.
    func refusal(ofRequest target: String, at now: Instant) -> Int? {
        TokenPolicy(configuration).admission(to: target, at: now) == nil ? 401 : nil
    }

    /// Closes a session with a session code.
    func refuse(_ session: RelaySession, _ condition: ErrorCondition, _ reason: String) {
        session.lite.close(code: sessionCode(condition), reason: reason)
        sessionClosed(session, at: now)
    }

    // MARK: Requests

    /// Requests of a subscriber; false when the event is none.
    private func handleRequest(_ event: LiteEvent, _ session: RelaySession, at now: Instant) -> Bool {
        switch event {
        case .announceRequested(let id, let prefix, let excludeHop):
            watch(id, prefix: prefix, excludeHop: excludeHop, session)
        case .announceCancelled(let id, _):
            unwatch(id, session)
        case .subscribeRequested(let id, let request):
            subscribe(id, request, session, at: now)
        case .trackRequested(let id, let broadcast, let track):
            question(id, broadcast: broadcast, track: track, session, at: now)
        case .trackCancelled(let id, _):
            questionCancelled(id, session, at: now)
        case .fetchRequested(let id, let request):
            fetch(id, request, session, at: now)
        default:
            return false
        }
        return true
    }

    // MARK: Answers

    /// What a publisher says.
    private func handleAnswer(_ event: LiteEvent, _ session: RelaySession, at now: Instant) {
        switch event {
        case .announced(_, let announced, _):
            sourceAnnounced(announced, session, at: now)
        case .unannounced(_, let path):
            sourceWithdrawn(path, session, isDeliberate: true, at: now)
        case .announcementsEnded(_, let end):
            allSourcesWithdrawn(session, at: now)
            // The draft takes the announcements away and no more; 0.3.19 and 0.4.18 close the session (observed).
            if case .reset = end { refuse(session, .cancelled, "the announcements were reset") }
        case .trackInfo(let id, let info):
            guard let upstream = session.asking.removeValue(forKey: id) else { return }
            upstream.track.learned(info, from: upstream, at: now)
        case .trackEnded(let id, let end):
            guard let upstream = session.asking.removeValue(forKey: id) else { return }
            upstream.stage = .idle
            upstream.track.lost(upstream, passedOn(end), at: now)
        case .fetchFrame(let id, _, let frame):
            session.upstreamFetches[id]?.received(stamped(frame, at: now), at: now)
        case .fetchEnded(let id, let end):
            fetchEnded(id, end, session, at: now)
        default:
            handleDelivery(event, session, at: now)
        }
    }

    private func handleDelivery(_ event: LiteEvent, _ session: RelaySession, at now: Instant) {
        switch event {
        case .subscribeAccepted(let id, _):
            if let upstream = session.upstreams[id] { upstream.track.accepted(upstream) }
        case .subscribeStart(let id, let group):
            if let upstream = session.upstreams[id] { upstream.track.started(upstream, group: group) }
        case .subscribeEnd(let id, let group):
            if let upstream = session.upstreams[id] {
                upstream.track.endDeclared(upstream, group: group, at: now)
            }
        case .subscriptionEnded(let id, let end):
            guard let upstream = session.upstreams[id] else { return }
            if end == .finished {
                upstream.track.finished(upstream, at: now)
            } else {
                upstream.track.lost(upstream, passedOn(end), at: now)
            }
        case .groupOpened(let group, let id, let sequence, let frameStart):
            guard let upstream = session.upstreams[id] else {
                let code = RelayPolicy.code(.cancelled, configuration.generation, on: .stop)
                return session.lite.stopGroup(group, code: code)
            }
            upstream.track.opened(group, by: upstream, sequence: sequence, frameStart: frameStart, at: now)
        case .framePart(let group, _, let part):
            if let upstream = session.groups[group] {
                upstream.track.received(part, in: group, from: upstream, at: now)
            }
        case .frame(let group, _, let frame):
            if let upstream = session.groups[group] {
                upstream.track.received(frame, in: group, from: upstream, at: now)
            }
        case .groupEnded(let group, let end):
            if let upstream = session.groups[group] { upstream.track.ended(group, end, from: upstream, at: now) }
        case .datagram(let id, let sequence, let timestamp, let payload):
            guard let upstream = session.upstreams[id] else { return }
            upstream.track.received(datagram: sequence, timestamp: timestamp, payload: payload, from: upstream)
        default:
            // Drops are not passed on (the original relay reads and ignores them), nor probes.
            break
        }
    }

    private func passedOn(_ end: StreamEnd) -> StreamCode {
        RelayPolicy.passedOn(end, configuration.generation)
    }

    // MARK: End

    /// Everything that hung on a session is let go, in an order that does not depend on chance.
    func sessionClosed(_ session: RelaySession, at now: Instant) {
        guard !session.isClosed else { return }
        session.isClosed = true
        session.waiting = []
        forget(session)
        for id in session.watchers.keys.sorted() { unwatch(id, session) }
        session.feeds.sessionClosed()
        for id in session.questions.keys.sorted() { questionCancelled(id, session, at: now) }
        for path in session.sources.keys.sorted() where !isBroken(by: .endOnDisconnectMissing) {
            removeSource(at: path, session, isDeliberate: false, at: now)
        }
        let code = RelayPolicy.code(.dropped, configuration.generation)
        for id in session.asking.keys.sorted() {
            if let upstream = session.asking[id] { upstream.track.lost(upstream, code, at: now) }
        }
        for id in session.upstreams.keys.sorted() {
            if let upstream = session.upstreams[id] { upstream.track.lost(upstream, code, at: now) }
        }
        for id in session.upstreamFetches.keys.sorted() { fetchEnded(id, .sessionClosed, session, at: now) }
        session.groups = [:]
    }
}

extension LiteEvent {
    /// How the request or group of an end event ended.
    var end: StreamEnd? {
        switch self {
        case .announcementsEnded(_, let end), .subscriptionEnded(_, let end), .groupEnded(_, let end),
            .trackEnded(_, let end), .fetchEnded(_, let end), .announceCancelled(_, let end),
            .subscribeCancelled(_, let end), .trackCancelled(_, let end), .fetchCancelled(_, let end):
            end
        default: nil
        }
    }
}
