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
        case .announce(let path): if announce(path) { listed[path] = [] }
        case .withdraw(let path): withdraw(path)
        case .openTrack(let path, let name, let wish): openTrack(path, name, wish)
        case .write(let path, let name, let frames, let starts, let ends):
            let group = write(path, name, frames, startsGroup: starts, endsGroup: ends)
            if starts, let group, let time = frames.first?.timestamp { writeTimeline(path, name, group, time) }
        case .finishTrack(let path, let name): finishTrack(path, name)
        case .dropTrack(let path, let name):
            let code = scene.codes.numberToSend(for: .condition("dropped"), on: .reset)
            try? actor.abort(TrackReference(broadcast: path, named: name), group: nil, code: code)
        case .catalog(let path, let renditions): writeCatalog(path, renditions)
        case .subscribe(let id, let path, let track, let age, let priority):
            subscribe(id, path, track, age, priority)
        case .unsubscribe(let id):
            cleanEnds.removeAll { $0.id == id }
            unsubscribe(id)
        }
    }

    // MARK: Tracks

    /// When a group begins goes out on the timeline of its track.
    private func writeTimeline(_ path: String, _ name: String, _ group: UInt64, _ timestamp: UInt64) {
        guard let timeline = track(path, PublisherModel.timeline(of: name)), !timeline.isOver,
            let record = companions.record(of: "\(path)/\(name)", group: group, at: timestamp)
        else { return }
        do throws(RunnerError) {
            actor.writeFrame(
                to: try actor.openGroup(0, of: timeline), of: timeline, size: record.count, content: record,
                timestamp: nil)
        } catch {
            notWritten(name, error)
        }
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

    func subscriptionIsLost(_ id: Int) { session.subscriptionEnded(id, .sessionLost) }
}

extension TrackKind {
    /// Its section of a catalog.
    var section: CatalogSection { self == .video ? .video : .audio }
}
