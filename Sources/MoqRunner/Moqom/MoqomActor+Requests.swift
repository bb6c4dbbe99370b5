import MoqBase
import MoqConformance
import MoqKit
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

// What the model asks of the transport, on the link that is used.
extension MoqomActor {
    func perform(_ request: TransportRequest) {
        switch request {
        case .connect: connect()
        case .close: closeLinks()
        case .watch(let prefix): link.requestAnnouncements(prefix)
        case .unwatch(let prefix): unwatch(prefix)
        case .announce(let path): announce(path)
        case .withdraw(let path): if link.session != nil { try? link.unpublish(path) }
        case .openTrack(let path, let name, let wish): openTrack(path, name, wish)
        case .write(let path, let name, let frames, _, _): write(path, name, frames)
        case .finishTrack(let path, let name): finishTrack(path, name)
        case .subscribe(let id, let path, let track, let age, let priority): subscribe(id, path, track, age, priority)
        case .unsubscribe(let id): unsubscribe(id)
        case .dropTrack, .catalog: break  // Rooms have neither.
        }
    }

    private func unwatch(_ prefix: String) {
        for id in link.announcePrefixes.keys.sorted() where link.announcePrefixes[id] == prefix {
            link.announcePrefixes[id] = nil
            link.session?.cancelAnnouncements(id)
        }
    }

    private func announce(_ name: String) {
        guard let session = link.session, let path = scene.path(name) else { return }
        let broadcast = PublishedBroadcast(name: name, path: path, hops: .empty, cost: RouteCost(), tracks: [])
        let isAgain = link.broadcasts.contains { $0.name == name && $0.isAnnounced }
        link.broadcasts.removeAll { $0.name == name }
        link.broadcasts.append(broadcast)
        link.modelAnnounces(broadcast, again: isAgain)
        for request in link.announceRequests where request.prefix.isPrefix(of: path) {
            session.announce(request.id, broadcast.announced)
        }
        scene.note(.announce, name, "publishes `\(name)`")
    }

    private func track(_ path: String, _ name: String) -> PublishedTrack? {
        link.broadcasts.last { $0.name == path }?.track(named: name)
    }

    private func openTrack(_ path: String, _ name: String, _ wish: TrackWish) {
        guard let broadcast = link.broadcasts.last(where: { $0.name == path }) else { return }
        let info = TrackInfo(
            priority: wish.priority, maxAge: UInt64(clamping: wish.retention.wholeNanoseconds / 1_000_000),
            timescale: wish.timescale)
        broadcast.tracks.append(link.makeTrack(path, name, info))
    }

    /// Each report and each piece of media is a group of its own.
    private func write(_ path: String, _ name: String, _ frames: [OutgoingFrame]) {
        guard let track = track(path, name), !track.isOver else { return }
        do throws(RunnerError) {
            let sequence = track.nextGroup
            let group = try link.openGroup(sequence, of: track)
            for frame in frames {
                link.writeFrame(
                    to: group, of: track, size: frame.payload.count, content: frame.payload, timestamp: frame.timestamp)
            }
            try link.finishGroup(sequence, of: track)
            if let text = frames.first?.payload, name == MoqomReport.track {
                scene.note(.frame, self.name, "says \(String(decoding: text, as: UTF8.self))")
            }
        } catch {
            scene.note(.group, self.name, "cannot write to \(name): \(error.description)")
        }
    }

    private func finishTrack(_ path: String, _ name: String) {
        guard let track = track(path, name), !track.isOver else { return }
        track.store.finish(end: track.nextGroup)
    }

    private func subscribe(_ id: Int, _ name: String, _ track: String, _ age: Duration, _ priority: UInt8) {
        guard let session = link.session, let path = scene.path(name) else {
            return self.session.subscriptionEnded(id, .sessionLost)
        }
        let options = SubscribeOptions(
            priority: priority, maxAge: UInt64(clamping: age.wholeNanoseconds / 1_000_000))
        let number = session.subscribe(broadcast: path, track: TrackName(track), options: options)
        link.record.subscriptions.append(SubscriptionRecord(label: track, broadcast: name, track: track))
        let index = link.record.subscriptions.count - 1
        link.subscriptions[number] = index
        link.subscriptionOptions[index] = options
        link.subscriptionMoments[index] = scene.model.moment
        link.bytesAtSubscribe[index] = scene.bytesWritten[TrackKey(broadcast: name, track: track)] ?? 0
        subscriptions[number] = id
        numbers[id] = number
        scene.note(.subscribe, self.name, "subscribes to \(track) of `\(name)`")
    }

    private func unsubscribe(_ id: Int) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        subscriptions[number] = nil
        link.session?.unsubscribe(number, .finish)
    }
}
