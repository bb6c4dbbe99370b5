import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

// What steps let a session actor do. What takes time (writing with a pace, waiting for a barrier) is the step's.
extension SessionActor {
    /// How old groups may be that a subscription asks for, unless the scenario says otherwise: with 0 a relay of 06
    /// may leave out every group but the newest.
    static let patienceOfActors: UInt64 = 10_000

    // MARK: Publishing

    /// The track that a step of a publisher means.
    func publishedTrack(_ target: TrackReference) throws(RunnerError) -> PublishedTrack {
        let found = broadcasts.last { broadcast in
            (target.broadcast == nil || target.broadcast == broadcast.name)
                && broadcast.track(named: target.track) != nil
        }
        guard let track = found?.track(named: target.track) else {
            throw .unusable("\(name) publishes no track \(target.track) at this point")
        }
        return track
    }

    /// Opens a group, or gives the one that is open.
    func openGroup(_ sequence: UInt64, of track: PublishedTrack) throws(RunnerError) -> CachedGroup {
        if let open = track.open[sequence] { return open }
        do {
            let group = try track.store.openGroup(sequence, at: scene.driver.now)
            track.open[sequence] = group
            track.nextGroup = max(track.nextGroup, sequence + 1)
            nextGroups[TrackKey(broadcast: track.broadcast, track: track.name)] = track.nextGroup
            return group
        } catch {
            throw .unusable("\(name) cannot write group \(sequence) of \(track.name): \(error)")
        }
    }

    /// Writes one frame: `content` or a payload of `size` bytes that names itself.
    func writeFrame(to group: CachedGroup, of track: PublishedTrack, size: Int, content: [UInt8]?, timestamp: UInt64?) {
        let carries = session?.version?.hasFrameTimestamps ?? true
        let time = track.nextTimestamp(explicit: timestamp, elapsed: scene.start.duration(to: scene.driver.now))
        let payload: [UInt8]
        if let content {
            scene.ledger.literal(
                content, source: track.source, broadcast: track.broadcast, track: track.name, group: group.sequence,
                timestamp: carries ? time : nil)
            payload = content
        } else {
            payload = scene.ledger.generate(
                source: track.source, broadcast: track.broadcast, track: track.name, group: group.sequence, size: size,
                timestamp: carries ? time : nil)
        }
        scene.noteWritten(payload.count, to: TrackKey(broadcast: track.broadcast, track: track.name))
        track.store.append(Frame(timestamp: time, payload: payload), to: group, at: scene.driver.now)
    }

    /// Writes a group past the end of its track, or before its request was answered, to everyone who is subscribed:
    /// the model would not, and how the relay takes it is what the scenario is about.
    func forceGroup(
        _ sequence: UInt64, of track: PublishedTrack, sizes: [Int], content: [UInt8]?, finish: Bool, mayArrive: Bool
    ) throws(RunnerError) {
        guard let session else { throw .unusable("\(name) is not connected") }
        let readers = requests.keys.sorted().filter { id in
            guard let index = requests[id] else { return false }
            return session.isOpen(id) && record.requests[index].track == track.name
                && record.requests[index].broadcast == track.broadcast
        }
        guard !readers.isEmpty else {
            throw .unusable("nobody is subscribed to \(track.name) at this point, so its group has nowhere to go")
        }
        let carries = session.version?.hasFrameTimestamps ?? true
        let frames = sizes.map { size in
            let time = track.nextTimestamp(explicit: nil, elapsed: scene.start.duration(to: scene.driver.now))
            let payload =
                content
                ?? scene.ledger.generate(
                    source: track.source, broadcast: track.broadcast, track: track.name, group: sequence, size: size,
                    timestamp: carries ? time : nil)
            return Frame(timestamp: time, payload: payload)
        }
        for reader in readers {
            guard
                let id = session.openGroup(
                    for: reader, sequence: sequence, frameStart: 0, priority: SendPriority(urgency: 0))
            else { throw .unusable("the relay allows no further stream at this point") }
            forced[id] = (track, sequence)
            for frame in frames { session.writeFrame(id, frame) }
            if finish { session.finishGroup(id) }
        }
        if mayArrive, finish {
            scene.ledger.finish(source: track.source, broadcast: track.broadcast, track: track.name, group: sequence)
        }
        track.nextGroup = max(track.nextGroup, sequence + 1)
        nextGroups[TrackKey(broadcast: track.broadcast, track: track.name)] = track.nextGroup
        let place = mayArrive ? "before the request is answered" : "past the end of the track"
        scene.note(.group, name, "writes group \(sequence) of \(track.name), \(place)")
    }

    func finishGroup(_ sequence: UInt64, of track: PublishedTrack) throws(RunnerError) {
        guard let group = track.open.removeValue(forKey: sequence) else {
            throw .unusable("\(name) has no open group \(sequence) of \(track.name)")
        }
        scene.ledger.finish(source: track.source, broadcast: track.broadcast, track: track.name, group: sequence)
        track.store.finishGroup(group, at: scene.driver.now)
    }

    func finish(_ target: TrackReference, group: UInt64?) throws(RunnerError) {
        let track = try publishedTrack(target)
        if let group { return try finishGroup(group, of: track) }
        // Groups that are open stay so: the track is over once they are.
        track.store.finish(end: track.nextGroup)
        scene.note(.subscribe, name, "finishes \(track.name) at group \(track.nextGroup)")
    }

    /// Cuts a group or a whole track with a number.
    func abort(_ target: TrackReference, group sequence: UInt64?, code: UInt64) throws(RunnerError) {
        let track = try publishedTrack(target)
        if let sequence {
            let group = try openGroup(sequence, of: track)
            track.open[sequence] = nil
            track.store.abortGroup(group, code: .code(code))
            scene.note(
                .code, name, "resets group \(sequence) of \(track.name) with \(scene.codes.describe(code, on: .reset))")
            return
        }
        track.store.abort(.code(code))
        track.open = [:]
        track.policy = .refuse(code)
        scene.note(.code, name, "resets \(track.name) with \(scene.codes.describe(code, on: .reset))")
    }

    func writeDatagrams(_ action: DatagramAction, index: Int) throws(RunnerError) {
        let track = try publishedTrack(action.target)
        let sequence = (action.group.map { $0 + UInt64(index) }) ?? track.nextGroup
        let timestamps = action.timestamps.map { $0.start + UInt64(index) * $0.step }
        let time = track.nextTimestamp(explicit: timestamps, elapsed: scene.start.duration(to: scene.driver.now))
        let payload = scene.ledger.generate(
            source: track.source, broadcast: track.broadcast, track: track.name, group: sequence, size: action.size,
            timestamp: time)
        track.nextGroup = max(track.nextGroup, sequence + 1)
        nextGroups[TrackKey(broadcast: track.broadcast, track: track.name)] = track.nextGroup
        track.store.datagram(sequence: sequence, timestamp: time, payload: payload)
    }

    func writeCatalog(_ action: CatalogAction) throws(RunnerError) {
        let track = try publishedTrack(action.target)
        let key = TrackKey(broadcast: track.broadcast, track: track.name)
        var document = catalogs[key] ?? CatalogDocument()
        let text = Array(document.apply(action.changes).utf8)
        catalogs[key] = document
        scene.catalogs[key, default: []].append(
            Scene.WrittenCatalog(
                text: text, video: document.renditionNames(of: .video), audio: document.renditionNames(of: .audio)))
        let sequence = track.nextGroup
        let group = try openGroup(sequence, of: track)
        scene.model.wroteCatalog(text, to: key, group: sequence, by: modelSession)
        writeFrame(to: group, of: track, size: text.count, content: text, timestamp: nil)
        try finishGroup(sequence, of: track)
        scene.note(.frame, name, "catalog in group \(sequence): \(String(decoding: text.prefix(200), as: UTF8.self))")
    }

    // MARK: Answering

    func answer(_ target: TrackReference, with answer: PreparedAnswer) throws(RunnerError) {
        guard let line else { throw .unusable("\(name) is not connected") }
        let waiting = pending.firstIndex { entry in
            entry.track == target.track && (target.broadcast == nil || target.broadcast == entry.broadcast)
                && answer.fits(entry.request)
        }
        guard let waiting else {
            answers.append((target, answer))
            return
        }
        let entry = pending.remove(at: waiting)
        give(answer, to: entry.request, entry.broadcast, entry.track, line)
        // The properties of a track are asked for first (05 on); the answer was meant for the subscription as well.
        if case .track = entry.request, case .accept = answer { answers.append((target, answer)) }
    }

    /// Leaves requests for a track unanswered from now on, whether it was published or not.
    func hold(_ target: TrackReference, _ request: MoqScenario.RequestKind) {
        held.append((target, request))
        if request == .any, let published = try? publishedTrack(target) { published.policy = .hold }
    }

    // MARK: Subscribing

    func subscribe(_ action: SubscribeAction) throws(RunnerError) {
        guard let session, let path = scene.path(action.broadcast) else {
            throw .unusable("\(name) is not connected, so it cannot subscribe to \(action.track)")
        }
        let label = action.label ?? action.track
        let id = session.subscribe(
            broadcast: path, track: TrackName(action.track), options: SubscribeOptions(action.options))
        record.subscriptions.append(
            SubscriptionRecord(label: label, broadcast: action.broadcast, track: action.track))
        let index = record.subscriptions.count - 1
        subscriptions[id] = index
        subscriptionOptions[index] = SubscribeOptions(action.options)
        subscriptionMoments[index] = scene.model.moment
        bytesAtSubscribe[index] = scene.bytesWritten[TrackKey(broadcast: action.broadcast, track: action.track)] ?? 0
        if action.options.frameEnd != nil { partialLabels.insert(label) }
        scene.note(.subscribe, name, "subscribes to \(action.track) of `\(action.broadcast)`")
    }

    /// The live subscription that a step means.
    func subscription(_ target: TrackReference) throws(RunnerError) -> (id: SubscriptionID, index: Int) {
        let candidates = subscriptions.sorted { $0.value > $1.value }
        let found =
            candidates.first { matches($0.value, target, by: \.label) }
            ?? candidates.first { matches($0.value, target, by: \.track) }
        guard let found else { throw .unusable("\(name) has no subscription to \(target.track) at this point") }
        return (found.key, found.value)
    }

    private func matches(_ index: Int, _ target: TrackReference, by key: KeyPath<SubscriptionRecord, String>) -> Bool {
        let subscription = record.subscriptions[index]
        return subscription[keyPath: key] == target.track
            && (target.broadcast == nil || target.broadcast == subscription.broadcast)
    }

    func unsubscribe(_ target: TrackReference, code: UInt64?) throws(RunnerError) {
        let (id, index) = try subscription(target)
        session?.unsubscribe(id, code.map { .reset(.code($0)) } ?? .finish)
        scene.note(.subscribe, name, "leaves \(record.subscriptions[index].label)")
    }

    func update(_ action: UpdateAction) throws(RunnerError) {
        let (id, index) = try subscription(action.target)
        let before = subscriptionOptions[index] ?? SubscribeOptions(nil)
        let options = before.merged(with: action.options)
        subscriptionOptions[index] = options
        session?.update(id, SubscribeUpdate(options: options))
        scene.note(.subscribe, name, "updates \(record.subscriptions[index].label)")
    }

    func fetch(_ action: FetchAction) throws(RunnerError) {
        guard let session, let path = scene.path(action.broadcast) else {
            throw .unusable("\(name) is not connected, so it cannot fetch")
        }
        let id = session.fetch(
            Fetch(
                broadcast: path, track: TrackName(action.track), priority: action.priority ?? 0, group: action.group,
                frameStart: action.frameStart ?? 0, frameEnd: action.frameEnd))
        record.fetches.append(
            FetchRecord(
                label: action.label ?? action.track, broadcast: action.broadcast, track: action.track,
                group: action.group))
        fetches[id] = record.fetches.count - 1
        fetchOffsets[record.fetches.count - 1] = Int(clamping: action.frameStart ?? 0)
        scene.note(.subscribe, name, "fetches group \(action.group) of \(action.track)")
    }

    func askTrackInfo(_ target: TrackReference) throws(RunnerError) {
        guard let session, let path = scene.path(target.broadcast ?? "") else {
            throw .unusable("\(name) is not connected, so it cannot ask for a track's properties")
        }
        let id = session.requestTrack(broadcast: path, track: TrackName(target.track))
        record.trackInfos.append(TrackInfoRecord(broadcast: target.broadcast ?? "", track: target.track))
        trackRequests[id] = record.trackInfos.count - 1
        scene.note(.subscribe, name, "asks what \(target.track) is")
    }

    func stopGroup(_ target: TrackReference, group: UInt64, code: UInt64) throws(RunnerError) {
        let (_, index) = try subscription(target)
        let open = groups.first {
            $0.value.subscription == index && record.subscriptions[index].groups[$0.value.group].sequence == group
        }
        guard let open else { throw .unusable("\(name) is not receiving group \(group) of \(target.track)") }
        session?.stopGroup(open.key, code: .code(code))
        scene.note(.code, name, "stops group \(group) with \(scene.codes.describe(code, on: .stop))")
    }

    func pauseReading(_ target: TrackReference?) throws(RunnerError) {
        if let target {
            let (id, index) = try subscription(target)
            session?.pauseReading(id)
            pausedSubscriptions.insert(index)
        } else {
            session?.pauseReading()
            isPaused = true
        }
        scene.note(.subscribe, name, "stops reading")
    }

    func resumeReading(_ target: TrackReference?) throws(RunnerError) {
        if let target {
            let (id, index) = try subscription(target)
            session?.resumeReading(id)
            pausedSubscriptions.remove(index)
        } else {
            resumeReadingEverything()
        }
        scene.note(.subscribe, name, "reads on")
    }

    func resumeReadingEverything() {
        for (id, index) in subscriptions where pausedSubscriptions.contains(index) { session?.resumeReading(id) }
        pausedSubscriptions = []
        if isPaused { session?.resumeReading() }
        isPaused = false
    }
}

extension SubscribeOptions {
    /// What a scenario asks for, with what the harness asks for where it is silent.
    init(_ options: SubscriptionOptions?) {
        self.init(
            priority: options?.priority ?? 0, ordered: options?.ordered ?? false,
            maxAge: options?.maxAge.map { UInt64(clamping: $0.wholeNanoseconds / 1_000_000) }
                ?? SessionActor.patienceOfActors,
            groupStart: options?.start, groupEnd: options?.end, frameStart: options?.frameStart ?? 0,
            frameEnd: options?.frameEnd)
    }

    /// These options with those that a step names put in their place.
    func merged(with options: SubscriptionOptions) -> SubscribeOptions {
        var merged = self
        if let priority = options.priority { merged.priority = priority }
        if let ordered = options.ordered { merged.ordered = ordered }
        if let age = options.maxAge { merged.maxAge = UInt64(clamping: age.wholeNanoseconds / 1_000_000) }
        if let start = options.start { merged.groupStart = start }
        if let end = options.end { merged.groupEnd = end }
        if let start = options.frameStart { merged.frameStart = start }
        if let end = options.frameEnd { merged.frameEnd = end }
        return merged
    }
}

extension CatalogDocument {
    /// The names of the renditions of a kind, in the order in which they are written.
    func renditionNames(of section: CatalogSection) -> [String] {
        guard case .object(let members)? = root[section.rawValue]?["renditions"] else { return [] }
        return members.map(\.key)
    }
}

extension SessionActor {
    /// Subscribes without any wishes.
    func subscribePlainly(_ broadcast: String, _ track: String) {
        guard let session, let path = scene.path(broadcast) else { return }
        let id = session.subscribe(broadcast: path, track: TrackName(track), options: SubscribeOptions(nil))
        record.subscriptions.append(SubscriptionRecord(label: track, broadcast: broadcast, track: track))
        subscriptions[id] = record.subscriptions.count - 1
    }
}
