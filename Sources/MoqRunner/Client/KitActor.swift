import MoqBase
import MoqConformance
import MoqEvents
import MoqKit
import MoqLite
import MoqScenario
import MoqTransport
import MoqWire

/// What stands behind an actor that is an application with a client kit: models that ask things of a session, and whose
/// steps and events the actor's record tells of.
protocol KitActor: AnyObject {
    var port: ModelPort { get }
    /// The actor that it is.
    var actor: SessionActor { get }
    var scene: Scene { get }
    /// The session that the models have at present: the actor's own, or one that took over from it.
    var link: SessionActor { get }
    var watch: MachineWatch { get set }
    /// The subscriptions of the link by the models' numbers, and the other way round.
    var subscriptions: [SubscriptionID: Int] { get set }
    var numbers: [Int: SubscriptionID] { get set }

    /// Does what the models ask for.
    func perform(_ request: TransportRequest)
    /// Takes a step that its machine defines into the record.
    func note(_ step: ModelStep)
    /// Takes what the models show into the record.
    func refreshRecord()
    /// A subscription came to nothing, as there is no session for it.
    func subscriptionIsLost(_ id: Int)
    /// Lets go of everything: the case is over.
    func rest()
}

extension KitActor {
    var name: String { actor.name }

    /// What the models ask for is done, and what they tell is noted. Gives whether there was anything of that.
    @discardableResult
    func settle() -> Bool {
        var hasNews = false
        port.settle { request in
            hasNews = true
            perform(request)
        }
        let steps = port.takeSteps()
        for step in steps {
            if let breach = watch.take(step) { fault(breach) }
            note(step)
        }
        for breach in watch.settle() { fault(breach) }
        let events = port.takeEvents()
        for event in events { note(event) }
        refreshRecord()
        return hasNews || !steps.isEmpty || !events.isEmpty
    }

    private func fault(_ breach: MachineWatch.Breach) {
        scene.fault(
            name, breach.headline, expected: breach.expected, actual: breach.actual, breaks: breach.requirements)
    }

    private func note(_ event: ModelEvent) {
        if actor.record.client?.events.count ?? 0 < ClientRecord.eventsKept {
            actor.record.client?.events.append(
                ClientRecord.Event(
                    name: event.name, fields: event.fields.map { .init(name: $0.name, value: $0.value) },
                    code: event["message"].flatMap(Self.code)))
        }
        let fields = event.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        scene.note(.check, name, "\(event.object): \(event.name) \(fields)")
    }

    /// The number behind `code=`.
    private static func code(in message: String) -> UInt64? {
        guard let range = message.firstRange(of: "code=") else { return nil }
        return UInt64(message[range.upperBound...].prefix { $0.isNumber })
    }

    // MARK: Announcements

    func unwatch(_ prefix: String) {
        for id in link.announcePrefixes.keys.sorted() where link.announcePrefixes[id] == prefix {
            link.announcePrefixes[id] = nil
            link.session?.cancelAnnouncements(id)
        }
    }

    /// Announces a broadcast that has no tracks yet; false where there is no session for it.
    @discardableResult
    func announce(_ name: String) -> Bool {
        guard let session = link.session, let path = scene.path(name) else { return false }
        let broadcast = PublishedBroadcast(name: name, path: path, hops: .empty, cost: RouteCost(), tracks: [])
        let isAgain = link.broadcasts.contains { $0.name == name && $0.isAnnounced }
        link.broadcasts.removeAll { $0.name == name }
        link.broadcasts.append(broadcast)
        link.modelAnnounces(broadcast, again: isAgain)
        for request in link.announceRequests where request.prefix.isPrefix(of: path) {
            session.announce(request.id, broadcast.announced)
        }
        scene.note(.announce, self.name, "publishes `\(name)`")
        return true
    }

    func withdraw(_ name: String) {
        if link.session != nil { try? link.unpublish(name) }
    }

    // MARK: Tracks

    /// A track of a broadcast that is published.
    func track(_ path: String, _ name: String) -> PublishedTrack? {
        link.broadcasts.last { $0.name == path }?.track(named: name)
    }

    func openTrack(_ path: String, _ name: String, _ wish: TrackWish) {
        guard let broadcast = link.broadcasts.last(where: { $0.name == path }) else { return }
        let info = TrackInfo(
            priority: wish.priority, maxAge: UInt64(clamping: wish.retention.wholeNanoseconds / 1_000_000),
            timescale: wish.timescale)
        broadcast.tracks.append(link.makeTrack(path, name, info))
    }

    /// Writes frames to the newest group of a track or to a new one, and tells which; nil where they were not written.
    @discardableResult
    func write(
        _ path: String, _ name: String, _ frames: [OutgoingFrame], startsGroup: Bool, endsGroup: Bool
    ) -> UInt64? {
        guard let track = track(path, name), !track.isOver else { return nil }
        do throws(RunnerError) {
            if startsGroup {
                for sequence in track.open.keys.sorted() { try link.finishGroup(sequence, of: track) }
            }
            let sequence = startsGroup ? track.nextGroup : track.open.keys.max() ?? track.nextGroup
            let group = try link.openGroup(sequence, of: track)
            for frame in frames {
                link.writeFrame(
                    to: group, of: track, size: frame.payload.count, content: frame.payload, timestamp: frame.timestamp)
            }
            if endsGroup { try link.finishGroup(sequence, of: track) }
            return sequence
        } catch {
            notWritten(name, error)
            return nil
        }
    }

    /// Write failures after the producer exists are only logged.
    func notWritten(_ name: String, _ error: RunnerError) {
        scene.note(.group, self.name, "cannot write to \(name): \(error.description)")
    }

    // MARK: Subscriptions

    func subscribe(_ id: Int, _ name: String, _ track: String, _ age: Duration, _ priority: UInt8) {
        guard let session = link.session, let path = scene.path(name) else { return subscriptionIsLost(id) }
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

    func unsubscribe(_ id: Int) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        subscriptions[number] = nil
        link.session?.unsubscribe(number, .finish)
    }
}

extension ClientRecord {
    /// More events than a scenario can look at; a player that stalls all the time gives a few a second.
    fileprivate static let eventsKept = 20_000
}
