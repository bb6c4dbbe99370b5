import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

// What a session actor sees of its readers, and how it answers them.
extension SessionActor {
    /// Takes an event that concerns it as a publisher; false for all others.
    func handlePublisher(_ event: LiteEvent, _ line: Line) -> Bool {
        switch event {
        case .announceRequested(let id, let prefix, let excludeHop):
            take(id, prefix: prefix, excludeHop: excludeHop, line)
        case .announceCancelled(let id, let end):
            announcingEnded(id, end)
        case .subscribeRequested(let id, let request):
            take(id, request, line)
        case .subscribeUpdated(let id, let update):
            if let index = requests[id] { note(update.options, at: index) }
            _ = line.feeds.handle(event)
        case .subscribeCancelled(let id, let end):
            forget(id, RecordedEnd(end))
            if !line.feeds.handle(event) { line.session.resetSubscription(id, code: .code(cancelledCode)) }
        case .trackRequested(let id, let broadcast, let track):
            take(id, broadcast, track, line)
        case .trackCancelled(let id, let end):
            if let index = requestedTracks.removeValue(forKey: id) { record.requests[index].end = RecordedEnd(end) }
            pending.removeAll { if case .track(id) = $0.request { true } else { false } }
        case .fetchRequested(let id, let request):
            take(id, request, line)
        case .fetchCancelled(let id, let end):
            if let index = requestedFetches.removeValue(forKey: id) { record.requests[index].end = RecordedEnd(end) }
            pending.removeAll { if case .fetch(id, _) = $0.request { true } else { false } }
            _ = line.feeds.handle(event)
        case .groupStopped(let id, let code):
            noteStopped(id, code, line)
            _ = line.feeds.handle(event)
        case .groupDelivered, .writable, .fetchWritable:
            _ = line.feeds.handle(event)
        case .streamsAvailable:
            _ = line.feeds.handle(event)
        case .subscriptionDelivered:
            break
        case .closed:
            line.feeds.sessionClosed()
            return false
        default:
            return false
        }
        return true
    }

    /// What a subscription that nobody wants any more is reset with.
    private var cancelledCode: UInt64 { scene.codes.numberToSend(for: .condition("cancelled"), on: .reset) }

    // MARK: Requests

    private func take(_ id: IncomingSubscriptionID, _ request: Subscribe, _ line: Line) {
        let broadcast = scene.relative(request.broadcast) ?? request.broadcast.text
        let track = request.track.text
        var entry = RequestRecord(kind: .subscribe, broadcast: broadcast, track: track)
        entry.isOrdered = request.options.ordered
        record.requests.append(entry)
        requests[id] = record.requests.count - 1
        note(request.options, at: record.requests.count - 1)
        record.requests[record.requests.count - 1].updates = 0
        scene.note(.subscribe, name, "the relay subscribes to \(track) of `\(broadcast)`")
        answer(.subscribe(id, request), broadcast, track, line)
    }

    private func take(_ id: IncomingTrackID, _ path: BroadcastPath, _ track: TrackName, _ line: Line) {
        let broadcast = scene.relative(path) ?? path.text
        record.requests.append(RequestRecord(kind: .track, broadcast: broadcast, track: track.text))
        requestedTracks[id] = record.requests.count - 1
        scene.note(.subscribe, name, "the relay asks what \(track) of `\(broadcast)` is")
        answer(.track(id), broadcast, track.text, line)
    }

    private func take(_ id: IncomingFetchID, _ request: Fetch, _ line: Line) {
        let broadcast = scene.relative(request.broadcast) ?? request.broadcast.text
        var entry = RequestRecord(kind: .fetch, broadcast: broadcast, track: request.track.text)
        entry.group = request.group
        entry.priority = request.priority
        record.requests.append(entry)
        requestedFetches[id] = record.requests.count - 1
        scene.note(.subscribe, name, "the relay fetches group \(request.group) of \(request.track) of `\(broadcast)`")
        answer(.fetch(id, request), broadcast, request.track.text, line)
    }

    private func note(_ options: SubscribeOptions, at index: Int) {
        record.requests[index].updates += 1
        record.requests[index].priority = options.priority
        record.requests[index].maxAge = options.maxAge
        record.requests[index].isOrdered = options.ordered
        record.requests[index].startGroup = options.groupStart
        record.requests[index].endGroup = options.groupEnd
    }

    private func answer(_ request: PendingRequest, _ broadcast: String, _ track: String, _ line: Line) {
        let prepared = answers.firstIndex { entry in
            entry.target.track == track && (entry.target.broadcast == nil || entry.target.broadcast == broadcast)
                && entry.answer.fits(request)
        }
        if let prepared {
            let answer = answers[prepared].answer
            if case .accept = answer, case .track = request {
                // The subscription that follows is what the answer was meant for; the track's properties are free.
            } else {
                answers.remove(at: prepared)
            }
            give(answer, to: request, broadcast, track, line)
            return
        }
        let published = broadcasts.first { $0.name == broadcast }?.track(named: track)
        let isHeld = held.contains { entry in
            entry.target.track == track && (entry.target.broadcast == nil || entry.target.broadcast == broadcast)
                && (entry.request == .any || entry.request == request.kind)
        }
        switch isHeld ? .hold : published?.policy {
        case .serve?:
            give(.accept(startGroup: nil), to: request, broadcast, track, line)
        case .refuse(let code)?:
            give(.refuse(code, .any), to: request, broadcast, track, line)
        case .hold?:
            pending.append((request, broadcast, track))
        case nil:
            // A track that no step speaks of is refused, as any publisher does.
            if scene.scenario.steps.contains(where: { $0.mentions(answerTo: track) }) {
                pending.append((request, broadcast, track))
            } else {
                let code = scene.codes.numberToSend(for: .condition("not_found"), on: .reset)
                give(.refuse(code, .any), to: request, broadcast, track, line)
            }
        }
    }

    /// Answers a request.
    func give(
        _ answer: PreparedAnswer, to request: PendingRequest, _ broadcast: String, _ track: String, _ line: Line
    ) {
        switch (answer, request) {
        case (.refuse(let code, _), .subscribe(let id, _)):
            line.session.resetSubscription(id, code: .code(code))
            forget(id, .local)
            noteRefusal("subscription to", track, code)
        case (.refuse(let code, _), .track(let id)):
            line.session.refuseTrack(id, code: .code(code))
            if let index = requestedTracks.removeValue(forKey: id) { record.requests[index].end = .local }
            noteRefusal("question about", track, code)
        case (.refuse(let code, _), .fetch(let id, _)):
            line.session.refuseFetch(id, code: .code(code))
            if let index = requestedFetches.removeValue(forKey: id) { record.requests[index].end = .local }
            noteRefusal("fetch of", track, code)
        case (.accept(let start), .subscribe(let id, let subscribe)):
            let published = ensureTrack(broadcast, track)
            if let start { line.session.startSubscription(id, group: start) }
            line.feeds.serve(id, options: subscribe.options, store: published.store, at: scene.driver.now).accept()
        case (.accept, .track(let id)):
            line.session.answerTrack(id, ensureTrack(broadcast, track).store.info)
            if let index = requestedTracks.removeValue(forKey: id) { record.requests[index].end = .finished }
        case (.accept, .fetch(let id, let fetch)):
            if let group = ensureTrack(broadcast, track).store.group(fetch.group) {
                _ = line.feeds.serve(id, fetch, group: group)
            } else {
                let code = scene.codes.numberToSend(for: .condition("not_found"), on: .reset)
                line.session.refuseFetch(id, code: .code(code))
                noteRefusal("fetch of", track, code)
            }
            if let index = requestedFetches.removeValue(forKey: id) { record.requests[index].end = .finished }
        }
    }

    private func noteRefusal(_ what: String, _ track: String, _ code: UInt64) {
        scene.note(.code, name, "refuses the \(what) \(track) with \(scene.codes.describe(code, on: .reset))")
    }

    /// Notes that a subscription of the relay is over, once.
    func forget(_ id: IncomingSubscriptionID, _ end: RecordedEnd) {
        if let index = requests.removeValue(forKey: id) {
            record.requests[index].end = end
            scene.note(
                .subscribe, name,
                "the relay's subscription to \(record.requests[index].track) is over: \(scene.codes.describe(end, on: .reset))"
            )
        }
        pending.removeAll { if case .subscribe(id, _) = $0.request { true } else { false } }
    }

    private func noteStopped(_ id: OutgoingGroupID, _ code: StreamCode, _ line: Line) {
        let place =
            forced[id]
            ?? line.feeds.place(of: id).flatMap { place in
                broadcasts.lazy.flatMap(\.tracks).first { $0.store === place.store }.map { ($0, place.group) }
            }
        guard let (track, group) = place else { return }
        record.stoppedGroups.append(
            StoppedGroupRecord(
                broadcast: track.broadcast, track: track.name, group: group, end: RecordedEnd(code)))
        scene.note(
            .code, name, "group \(group) of \(track.name) \(scene.codes.describe(RecordedEnd(code), on: .stop))")
    }

    // MARK: What is published

    /// The published track, which is made when a step accepted a request for one that was not.
    func ensureTrack(_ broadcast: String, _ track: String) -> PublishedTrack {
        let entry =
            broadcasts.first { $0.name == broadcast }
            ?? PublishedBroadcast(
                name: broadcast, path: scene.path(broadcast) ?? .empty, hops: .empty, cost: RouteCost(), tracks: [])
        if !broadcasts.contains(where: { $0 === entry }) {
            entry.isAnnounced = false
            broadcasts.append(entry)
        }
        if let present = entry.track(named: track) { return present }
        let made = makeTrack(broadcast, track, TrackInfo(nil))
        entry.tracks.append(made)
        return made
    }

    /// A track of this incarnation.
    func makeTrack(_ broadcast: String, _ name: String, _ info: TrackInfo) -> PublishedTrack {
        let track = PublishedTrack(
            broadcast: broadcast, name: name, info: info,
            source: scene.ledger.source(actor: self.name, incarnation: incarnation - 1))
        track.nextGroup = nextGroups[TrackKey(broadcast: broadcast, track: name)] ?? 0
        return track
    }
}

extension SessionActor.PreparedAnswer {
    /// Whether it answers a request of this kind.
    func fits(_ request: PendingRequest) -> Bool {
        switch self {
        case .accept: true
        case .refuse(_, let kind): kind == .any || kind == request.kind
        }
    }
}
