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
        case .withdraw(let path): withdraw(path)
        case .openTrack(let path, let name, let wish): openTrack(path, name, wish)
        case .write(let path, let name, let frames, let starts, let ends):
            let group = write(path, name, frames, startsGroup: starts, endsGroup: ends)
            if group != nil, let text = frames.first?.payload, name == MoqomReport.track {
                scene.note(.frame, self.name, "says \(String(decoding: text, as: UTF8.self))")
            }
        case .finishTrack(let path, let name): finishTrack(path, name)
        case .subscribe(let id, let path, let track, let age, let priority): subscribe(id, path, track, age, priority)
        case .unsubscribe(let id): unsubscribe(id)
        case .dropTrack, .catalog: break  // Rooms have neither.
        }
    }

    private func finishTrack(_ path: String, _ name: String) {
        guard let track = track(path, name), !track.isOver else { return }
        track.store.finish(end: track.nextGroup)
    }

    func subscriptionIsLost(_ id: Int) { session.subscriptionEnded(id, .sessionLost) }
}
