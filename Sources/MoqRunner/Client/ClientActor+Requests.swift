import MoqBase
import MoqConformance
import MoqKit
import MoqLite
import MoqPlayback
import MoqScenario
import MoqTransport
import MoqWire

// What the models ask of the transport, on the actor's session.
extension ClientActor {
    func perform(_ request: TransportRequest) {
        switch request {
        case .connect: break  // The step does it, which waits for it.
        case .close: actor.close(code: 0, reason: "")
        case .watch(let prefix): actor.requestAnnouncements(prefix)
        case .unwatch(let prefix): unwatch(prefix)
        case .announce(let path): announce(path)
        case .withdraw(let path): withdraw(path)
        case .openTrack(let path, let name, let wish): openTrack(path, name, wish)
        case .write(let path, let name, let frames, let starts, let ends):
            write(path, name, frames, startsGroup: starts, endsGroup: ends)
        case .finishTrack(let path, let name): finishTrack(path, name)
        case .dropTrack(let path, let name):
            let code = scene.codes.numberToSend(for: .condition("dropped"), on: .reset)
            try? actor.abort(TrackReference(broadcast: path, named: name), group: nil, code: code)
        case .catalog(let path, let renditions): writeCatalog(path, renditions)
        case .subscribe(let id, let path, let track, let age, let priority):
            subscribe(id, path, track, age, priority)
        case .unsubscribe(let id): unsubscribe(id)
        }
    }

    // MARK: Announcements

    private func unwatch(_ prefix: String) {
        for id in actor.announcePrefixes.keys.sorted() where actor.announcePrefixes[id] == prefix {
            actor.announcePrefixes[id] = nil
            actor.session?.cancelAnnouncements(id)
        }
    }

    private func announce(_ name: String) {
        guard let session = actor.session, let path = scene.path(name) else { return }
        let broadcast = PublishedBroadcast(name: name, path: path, hops: .empty, cost: RouteCost(), tracks: [])
        let isAgain = actor.broadcasts.contains { $0.name == name && $0.isAnnounced }
        actor.broadcasts.removeAll { $0.name == name }
        actor.broadcasts.append(broadcast)
        actor.modelAnnounces(broadcast, again: isAgain)
        for request in actor.announceRequests where request.prefix.isPrefix(of: path) {
            session.announce(request.id, broadcast.announced)
        }
        listed[name] = []
        scene.note(.announce, actor.name, "publishes `\(name)`")
    }

    private func withdraw(_ name: String) {
        if actor.session != nil { try? actor.unpublish(name) }
    }

    // MARK: Tracks

    private func track(_ path: String, _ name: String) -> PublishedTrack? {
        actor.broadcasts.last { $0.name == path }?.track(named: name)
    }

    private func openTrack(_ path: String, _ name: String, _ wish: TrackWish) {
        guard let broadcast = actor.broadcasts.last(where: { $0.name == path }) else { return }
        let info = TrackInfo(
            priority: wish.priority, maxAge: UInt64(clamping: wish.retention.wholeNanoseconds / 1_000_000),
            timescale: wish.timescale)
        broadcast.tracks.append(actor.makeTrack(path, name, info))
    }

    private func write(
        _ path: String, _ name: String, _ frames: [OutgoingFrame], startsGroup: Bool, endsGroup: Bool
    ) {
        guard let track = track(path, name), !track.isOver else { return }
        do {
            if startsGroup {
                for sequence in track.open.keys.sorted() { try actor.finishGroup(sequence, of: track) }
            }
            let sequence = startsGroup ? track.nextGroup : track.open.keys.max() ?? track.nextGroup
            let group = try actor.openGroup(sequence, of: track)
            for frame in frames {
                actor.writeFrame(
                    to: group, of: track, size: frame.payload.count, content: frame.payload, timestamp: frame.timestamp)
            }
            if endsGroup { try actor.finishGroup(sequence, of: track) }
            if startsGroup, let time = frames.first?.timestamp { try writeTimeline(path, name, sequence, time) }
        } catch {
            // Write failures after the producer exists are only logged.
            scene.note(.group, actor.name, "cannot write to \(name): \(error.description)")
        }
    }

    /// When a group begins goes out on the timeline of its track.
    private func writeTimeline(
        _ path: String, _ name: String, _ group: UInt64, _ timestamp: UInt64
    ) throws(RunnerError) {
        guard let timeline = track(path, PublisherModel.timeline(of: name)), !timeline.isOver,
            let record = companions.record(of: "\(path)/\(name)", group: group, at: timestamp)
        else { return }
        actor.writeFrame(
            to: try actor.openGroup(0, of: timeline), of: timeline, size: record.count, content: record, timestamp: nil)
    }

    private func finishTrack(_ path: String, _ name: String) {
        guard let track = track(path, name), !track.isOver else { return }
        for sequence in track.open.keys.sorted() { try? actor.finishGroup(sequence, of: track) }
        track.store.finish(end: track.nextGroup)
        scene.note(.subscribe, actor.name, "finishes \(name) at group \(track.nextGroup)")
    }

    /// What the tracks of the publisher are; renditions that a step added stay.
    private func writeCatalog(_ path: String, _ renditions: [Rendition]) {
        let before = listed[path] ?? []
        var changes: [CatalogChange] = []
        for gone in before where !renditions.contains(where: { $0.name == gone.name }) {
            changes.append(.removeRendition(gone.kind.section, name: gone.name))
        }
        for new in renditions where !before.contains(new) {
            changes.append(.addRendition(new.kind.section, name: new.name, new.scenarioValue))
        }
        listed[path] = renditions
        writeCatalog(path, changes)
    }

    func writeCatalog(_ path: String, _ changes: [CatalogChange]) {
        guard track(path, "catalog.json") != nil else { return }
        do {
            try actor.writeCatalog(
                CatalogAction(TrackReference(broadcast: path, named: "catalog.json"), changes: changes))
            guard let text = scene.catalogs[TrackKey(broadcast: path, track: "catalog.json")]?.last?.text else {
                return
            }
            try writeForm(path, .compressed, PublishedCompanions.compressed(text))
            try writeForm(path, .msf, PublishedCompanions.mirrored(text))
        } catch {
            scene.note(.group, actor.name, "cannot write the catalog: \(error.description)")
        }
    }

    /// Another form of the catalog, where the broadcast has it.
    private func writeForm(
        _ path: String, _ form: CatalogFollower.Form, _ bytes: [UInt8]?
    ) throws(RunnerError) {
        guard let bytes, let track = track(path, form.track), !track.isOver else { return }
        let sequence = track.nextGroup
        actor.writeFrame(
            to: try actor.openGroup(sequence, of: track), of: track, size: bytes.count, content: bytes, timestamp: nil)
        try actor.finishGroup(sequence, of: track)
    }

    // MARK: Subscriptions

    private func subscribe(_ id: Int, _ name: String, _ track: String, _ age: Duration, _ priority: UInt8) {
        guard let session = actor.session, let path = scene.path(name) else {
            return self.session.subscriptionEnded(id, .sessionLost)
        }
        let options = SubscribeOptions(
            priority: priority, maxAge: UInt64(clamping: age.wholeNanoseconds / 1_000_000))
        let number = session.subscribe(broadcast: path, track: TrackName(track), options: options)
        actor.record.subscriptions.append(SubscriptionRecord(label: track, broadcast: name, track: track))
        let index = actor.record.subscriptions.count - 1
        actor.subscriptions[number] = index
        actor.subscriptionOptions[index] = options
        actor.subscriptionMoments[index] = scene.model.moment
        actor.bytesAtSubscribe[index] = scene.bytesWritten[TrackKey(broadcast: name, track: track)] ?? 0
        subscriptions[number] = id
        numbers[id] = number
        scene.note(.subscribe, actor.name, "subscribes to \(track) of `\(name)`")
    }

    private func unsubscribe(_ id: Int) {
        cleanEnds.removeAll { $0.id == id }
        guard let number = numbers.removeValue(forKey: id) else { return }
        subscriptions[number] = nil
        actor.session?.unsubscribe(number, .finish)
    }
}

extension TrackKind {
    /// Its section of a catalog.
    var section: CatalogSection { self == .video ? .video : .audio }
}
