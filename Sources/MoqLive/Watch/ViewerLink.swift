import MoqBase
import MoqKit
import MoqLite
import MoqWire

/// Between the models of a viewer and its session: what the models ask for is done, and what the session brings is told.
final class ViewerLink {
    private let session: LiteSession
    private let kit: SessionModel
    private let port: ModelPort
    private var watched: [(request: AnnounceRequestID, prefix: String)] = []
    private var models: [SubscriptionID: Int] = [:]
    private var subscriptions: [Int: SubscriptionID] = [:]
    private var groups: [IncomingGroupID: (model: Int, sequence: UInt64)] = [:]
    /// Ends in good order that wait for groups still on their way.
    private var cleanEnds: [(model: Int, due: Instant)] = []

    /// How long groups may be on their way behind the end of their subscription: streams overtake each other.
    private static let graceOfEnd = Duration.milliseconds(50)

    init(_ session: LiteSession, _ kit: SessionModel, _ port: ModelPort) {
        self.session = session
        self.kit = kit
        self.port = port
    }

    // MARK: What the models ask for

    /// Does what the models ask for.
    func settle() {
        port.settle(perform)
    }

    private func perform(_ request: TransportRequest) {
        switch request {
        case .watch(let prefix):
            guard let path = try? BroadcastPath(prefix) else { return kit.announcementsEnded(under: prefix) }
            watched.append((session.requestAnnouncements(prefix: path), prefix))
        case .unwatch(let prefix):
            for entry in watched where entry.prefix == prefix { session.cancelAnnouncements(entry.request) }
            watched.removeAll { $0.prefix == prefix }
        case .subscribe(let id, let path, let track, let age, let priority):
            guard let path = try? BroadcastPath(path) else { return kit.subscriptionEnded(id, .sessionLost) }
            let options = SubscribeOptions(
                priority: priority, maxAge: UInt64(clamping: age.wholeNanoseconds / 1_000_000))
            let number = session.subscribe(broadcast: path, track: TrackName(track), options: options)
            models[number] = id
            subscriptions[id] = number
        case .unsubscribe(let id):
            cleanEnds.removeAll { $0.model == id }
            guard let number = subscriptions.removeValue(forKey: id) else { return }
            models[number] = nil
            session.unsubscribe(number, .finish)
        // The session is its owner's, and a viewer publishes nothing.
        case .connect, .close, .announce, .withdraw, .openTrack, .write, .finishTrack, .dropTrack, .catalog: return
        }
    }

    // MARK: What the session brings

    /// What the owner has to know of an event.
    enum News {
        case found(FoundBroadcast)
        case gone(String)
    }

    /// Takes an event of the session; gives what is new of broadcasts.
    func take(_ event: LiteEvent) -> News? {
        switch event {
        case .announced(let id, let announced, _):
            guard let prefix = watched.first(where: { $0.request == id })?.prefix else { return nil }
            return kit.announced(announced.path.text, under: prefix).map(News.found)
        case .unannounced(_, let path): return .gone(path.text)
        case .announcementsEnded(let id, _):
            guard let prefix = watched.first(where: { $0.request == id })?.prefix else { return nil }
            watched.removeAll { $0.request == id }
            kit.announcementsEnded(under: prefix)
        case .announceRequested(let id, _, _): session.answerAnnounce(id, active: [])
        case .subscribeAccepted(let id, _), .subscribeStart(let id, _):
            if let model = models[id] { kit.accepted(model) }
        case .subscriptionEnded(let id, let end): ended(id, UpstreamEnd(end))
        case .groupOpened(let group, let id, let sequence, _):
            guard let model = models[id] else { return nil }
            groups[group] = (model, sequence)
            kit.groupOpened(model, sequence)
        case .frame(let group, let index, let frame):
            guard let place = groups[group] else { return nil }
            kit.frame(place.model, place.sequence, index: index, frame.payload)
        case .groupEnded(let group, let end):
            guard let place = groups.removeValue(forKey: group) else { return nil }
            kit.groupEnded(place.model, place.sequence, UpstreamEnd(end))
        case .datagram(let id, let sequence, _, let payload):
            // A group of one frame that came in another way.
            guard let model = models[id] else { return nil }
            kit.groupOpened(model, sequence)
            kit.frame(model, sequence, index: 0, payload)
            kit.groupEnded(model, sequence, .clean)
        default: break
        }
        return nil
    }

    private func ended(_ id: SubscriptionID, _ end: UpstreamEnd) {
        guard let model = models[id] else { return }
        if end == .clean {
            cleanEnds.append((model, port.now.advanced(by: Self.graceOfEnd)))
        } else {
            models[id] = nil
            kit.subscriptionEnded(model, end)
        }
    }

    // MARK: Time

    /// When `advance` has something to do at the latest.
    var deadline: Instant? {
        cleanEnds.filter { end in !isOpen(end.model) }.map(\.due).min()
    }

    /// Ends what was waited for.
    func advance() {
        let due = cleanEnds.filter { end in port.now >= end.due && !isOpen(end.model) }
        cleanEnds.removeAll { end in due.contains { $0.model == end.model } }
        for end in due { kit.subscriptionEnded(end.model, .clean) }
    }

    private func isOpen(_ model: Int) -> Bool { groups.values.contains { $0.model == model } }
}

extension UpstreamEnd {
    init(_ end: StreamEnd) {
        switch end {
        case .finished: self = .clean
        case .reset(.code(let code)), .stopped(.code(let code)): self = .code(code)
        case .reset(.unmapped(let raw)), .stopped(.unmapped(let raw)): self = .code(raw)
        case .malformed(let what, _): self = .undecodable(what)
        case .cancelled: self = .local
        case .unsupported: self = .undecodable("not part of this version")
        case .sessionClosed: self = .sessionLost
        }
    }
}
