import MoqBase
import MoqConformance
import MoqScenario
import MoqWire

/// The end of the steps: nothing is under way any more, so what everybody sees must be what the models say.
///
/// Where all agree at once nothing is asked. Otherwise every session asks the relay something, and what still differs
/// after the answers, and after a while, is a fault of the relay.
final class RestCheck {
    private var fences: [(actor: SessionActor, fence: SessionActor.Fence)] = []
    private var deadline: Instant?

    /// How long views may take to become equal: far beyond a round trip, even on a slow link.
    private static let patience = Duration.seconds(5)

    /// Goes on; true once there is nothing more to find out.
    func advance(_ run: CaseRun) -> Bool {
        guard run.scene.model.isJudging else { return true }
        guard let deadline else {
            guard !breaches(run, isServed: \.isConnected).isEmpty else { return true }
            fences = run.actors.filter { $0.isConnected && $0.rawLine == nil }.map { ($0, $0.startFence()) }
            deadline = run.now.advanced(by: run.patient(Self.patience))
            return false
        }
        let isServed = { [fences] (actor: SessionActor) in
            actor.isConnected && fences.contains { $0.actor === actor && $0.fence.isAnswered }
        }
        let isAnswered = fences.allSatisfy { $0.fence.isAnswered || $0.fence.isLost }
        if isAnswered, breaches(run, isServed: isServed).isEmpty { return true }
        guard run.now >= deadline else {
            run.wake(at: deadline)
            return false
        }
        run.scene.take(breaches(run, isServed: isServed))
        return true
    }

    private func breaches(_ run: CaseRun, isServed: (SessionActor) -> Bool) -> [ModelBreach] {
        let served = run.actors.filter { $0.rawLine == nil && isServed($0) }
        // To a publisher whom the relay does not ask nobody listens.
        let asked = Set(served.filter { !$0.announceRequests.isEmpty }.map(\.modelSession))
        let read = Set(served.filter { !$0.isPaused }.flatMap(\.watches.values))
        return run.scene.model.disagreements(serving: asked.contains, reading: read.contains)
            + served.flatMap { $0.catalogBreaches(served) }
    }
}

extension SessionActor {
    /// What of the catalogs that it reads is not the newest, where it must be: it reads on without any wishes, and its
    /// only publisher serves it.
    fileprivate func catalogBreaches(_ served: [SessionActor]) -> [ModelBreach] {
        guard !isPaused, !scene.model.usesRoots else { return [] }
        return subscriptions.values.sorted().compactMap { index in
            let subscription = record.subscriptions[index]
            let key = TrackKey(broadcast: subscription.broadcast, track: subscription.track)
            guard scene.model.catalogs.isCatalog(key), subscription.end == nil, !pausedSubscriptions.contains(index),
                !cutSubscriptions.contains(index), wantsTheNewest(index), isOfTheLastInstance(index),
                let publisher = Self.publisher(of: subscription, among: served)
            else { return nil }
            guard scene.model.servesLateViewers || !subscription.catalogs.isEmpty else { return nil }
            return scene.model.catalogs.disagreement(
                of: name, subscription: index, on: key, servedBy: publisher.modelSession)
        }
    }

    private func wantsTheNewest(_ index: Int) -> Bool {
        guard let options = subscriptionOptions[index] else { return false }
        return options.groupStart == nil && options.groupEnd == nil && options.frameStart == 0
            && options.frameEnd == nil
    }

    /// Whether nobody has begun or ended its broadcast since: it could be served from what was there before.
    private func isOfTheLastInstance(_ index: Int) -> Bool {
        guard let path = scene.path(record.subscriptions[index].broadcast).flatMap(scene.relative) else { return false }
        return (subscriptionMoments[index] ?? 0) >= scene.model.announcements.lastChange(of: path)
    }

    /// The actor from which a subscription is served, where only one comes into question and the newest that it wrote
    /// is a catalog.
    private static func publisher(of subscription: SubscriptionRecord, among served: [SessionActor]) -> SessionActor? {
        let publishers = served.filter { actor in
            actor.broadcasts.contains { $0.name == subscription.broadcast }
        }
        guard publishers.count == 1, let actor = publishers.first,
            let broadcast = actor.broadcasts.first(where: { $0.name == subscription.broadcast }), broadcast.isAnnounced,
            let track = broadcast.track(named: subscription.track), track.policy == .serve, !track.isOver,
            track.open.isEmpty
        else { return nil }
        let key = TrackKey(broadcast: subscription.broadcast, track: subscription.track)
        let isRead = actor.record.requests.contains {
            $0.kind == .subscribe && $0.end == nil && $0.broadcast == key.broadcast && $0.track == key.track
        }
        guard isRead, track.store.latest == actor.scene.model.catalogs.newestGroup(of: key, by: actor.modelSession)
        else { return nil }
        return actor
    }
}
