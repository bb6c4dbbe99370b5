import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqWire

/// The models that run beside one case: they are told what its sessions do and see, and say what no legal order of it
/// explains.
///
/// Nothing is judged in cases with further relays, or with sessions that have a path, a token or a role of their own: what such
/// a session publishes or sees is not what its paths say. Nor in cases that have the whole namespace: what others left
/// there shows, too.
final class CaseModel {
    private(set) var announcements = AnnouncementModel()
    private(set) var catalogs = CatalogModel()
    /// Whether this case is judged.
    let isJudging: Bool
    /// Capabilities that the relay lacks.
    private let lacking: Set<String>

    /// Publishers with more announcements than this may meet a limit of the relay: the rest may be told to nobody.
    private static let announcementsTold = 500
    /// Parts and bytes of a path, and hops, that every relay passes on.
    private static let partsTold = 30
    private static let bytesTold = 512
    private static let hopsTold = 16

    init(_ scenario: ScenarioCase, lacking: Set<String> = []) {
        self.lacking = lacking
        let hasOwnRoots = scenario.actors.contains {
            $0.path != nil || $0.relay != nil || $0.token != nil || $0.role != nil
        }
        let movesRoot = scenario.steps.contains { step in
            step.contains { if case .session(_, .connect(let connect)) = $0 { connect.path != nil } else { false } }
        }
        isJudging =
            scenario.relays.isEmpty && !hasOwnRoots && !movesRoot && scenario.isolation != .namespace
    }

    /// The present moment of the case: it grows with everything that happens.
    var moment: Int { announcements.moment }

    // MARK: Publishers

    func published(_ path: String, by session: PublisherSession, _ route: PublishedRoute) -> [ModelBreach] {
        guard isJudging else { return [] }
        let count = published[session, default: 0] + 1
        published[session] = count
        return announcements.published(
            path, by: session, firstHop: route.identity, hops: route.hops + [route.ownHop],
            mayBeHidden: mayBeHidden(path, route) || count > Self.announcementsTold)
    }

    func reannounced(_ path: String, by session: PublisherSession, _ route: PublishedRoute) -> [ModelBreach] {
        guard isJudging else { return [] }
        return announcements.reannounced(
            path, by: session, firstHop: route.identity, hops: route.hops + [route.ownHop],
            canEnd: !route.version.announcementsCanChange,
            mayBeHidden: mayBeHidden(path, route))
    }

    func withdrew(_ path: String, by session: PublisherSession) -> [ModelBreach] {
        isJudging ? announcements.withdrew(path, by: session) : []
    }

    func sessionEnded(_ session: PublisherSession) -> [ModelBreach] {
        isJudging ? announcements.sessionEnded(session) : []
    }

    func proved(_ session: PublisherSession, asOf moment: Int) {
        announcements.proved(session, asOf: moment)
    }

    func wroteBytes(_ bytes: [UInt8], on session: PublisherSession) {
        if isJudging { announcements.wroteBytes(bytes, on: session) }
    }

    private var published: [PublisherSession: Int] = [:]

    /// Whether a relay may tell nobody of it: longer paths and lists of hops than all take, a hop twice, and from 07 on
    /// what is hidden.
    private func mayBeHidden(_ path: String, _ route: PublishedRoute) -> Bool {
        let parts = path.split(separator: "/")
        return parts.count > Self.partsTold || path.utf8.count > Self.bytesTold || route.hops.count > Self.hopsTold
            || Set(route.hops).count < route.hops.count || route.hops.contains(route.ownHop)
            || route.relayHop.map(route.hops.contains) == true
            || (!route.version.isReleased && parts.contains { $0.hasPrefix(".") })
    }

    // MARK: Watchers

    func watchBegan(by actor: String, prefix: String, excluding hop: UInt64, version: Version?) -> Int? {
        guard isJudging else { return nil }
        return announcements.watchBegan(
            by: actor, prefix: prefix, excluding: hop, changesEnd: version?.announcementsCanChange == false,
            lacksReplayedEnds: lacking.contains("replayed-end"))
    }

    func watchEnded(_ watch: Int) {
        announcements.watchEnded(watch)
    }

    /// A watcher was told that a path is live. Hops count where the version tells them, and where a relay tells
    /// publishers apart by them.
    func saw(_ path: String, isUpdate: Bool, hops: [UInt64], version: Version?, on watch: Int) -> [ModelBreach] {
        let tellsApart = version?.hasHopIDs == true && !lacking.contains("takeover")
        let first = tellsApart ? hops.first.flatMap { $0 == 0 ? nil : $0 } : nil
        return announcements.saw(path, isUpdate: isUpdate, firstHop: first, on: watch)
    }

    func sawEnd(_ path: String, on watch: Int) -> [ModelBreach] {
        announcements.sawEnd(path, on: watch)
    }

    /// What of the announcements does not agree at rest.
    func disagreements(
        serving: (PublisherSession) -> Bool, reading: (Int) -> Bool
    ) -> [ModelBreach] {
        isJudging ? announcements.disagreements(serving: serving, reading: reading) : []
    }

    // MARK: Catalogs

    func wroteCatalog(_ text: [UInt8], to track: TrackKey, group: UInt64, by session: PublisherSession) {
        catalogs.wrote(text, to: track, group: group, by: session)
    }

    func sawCatalog(
        _ text: [UInt8], of track: TrackKey, group: UInt64, by actor: String, subscription: Int
    ) -> [ModelBreach] {
        isJudging
            ? catalogs.saw(text, of: track, group: group, by: actor, subscription: subscription) : []
    }

    /// Whether a subscription that comes late is served from the newest group.
    var servesLateViewers: Bool { !lacking.contains("late-join") }
}

/// How a publisher announces: what tells one content from another.
struct PublishedRoute {
    var hops: [UInt64]
    var ownHop: UInt64
    /// The relay's hop, as far as it has said it.
    var relayHop: UInt64?
    var version: Version

    /// The first hop, which names the content; nil where the version says none.
    var identity: UInt64? {
        guard version.hasHopIDs else { return nil }
        let first = hops.first ?? ownHop
        return first == 0 ? nil : first
    }
}

// What a session tells the models.
extension SessionActor {
    /// Its present session.
    var modelSession: PublisherSession { PublisherSession(actor: name, incarnation: incarnation) }

    private func route(_ broadcast: PublishedBroadcast) -> PublishedRoute {
        PublishedRoute(hops: broadcast.hops.ids, ownHop: hopID, relayHop: relayHop, version: negotiated ?? .lite06)
    }

    /// It announces a broadcast, for the first time or again.
    func modelAnnounces(_ broadcast: PublishedBroadcast, again: Bool) {
        guard let path = scene.relative(broadcast.path) else { return }
        let breaches =
            again
            ? scene.model.reannounced(path, by: modelSession, route(broadcast))
            : scene.model.published(path, by: modelSession, route(broadcast))
        scene.take(breaches)
    }

    func modelWithdraws(_ broadcast: PublishedBroadcast) {
        guard let path = scene.relative(broadcast.path) else { return }
        scene.take(scene.model.withdrew(path, by: modelSession))
    }

    /// Its session is over, in whichever way.
    func modelEnds() {
        guard incarnation > 0 else { return }
        for id in watches.keys.sorted() { modelStopsWatching(id) }
        scene.take(scene.model.sessionEnded(modelSession))
    }

    /// It asks for announcements but for routes with a hop: on 06 its own, which its SETUP has told.
    func modelWatches(_ id: AnnounceRequestID, _ prefix: BroadcastPath, excluding hop: UInt64) {
        guard let prefix = scene.relative(prefix) else { return }
        let own = negotiated.map(\.hasAnnounceIDs) == true ? hopID : 0
        watches[id] = scene.model.watchBegan(
            by: name, prefix: prefix, excluding: hop == 0 ? own : hop, version: negotiated)
    }

    func modelStopsWatching(_ id: AnnounceRequestID) {
        if let watch = watches.removeValue(forKey: id) { scene.model.watchEnded(watch) }
    }

    func modelSees(_ path: String, isUpdate: Bool, hops: [UInt64], on id: AnnounceRequestID) {
        guard let watch = watches[id] else { return }
        scene.take(scene.model.saw(path, isUpdate: isUpdate, hops: hops, version: negotiated, on: watch))
    }

    func modelSeesEnd(_ path: String, on id: AnnounceRequestID) {
        guard let watch = watches[id] else { return }
        scene.take(scene.model.sawEnd(path, on: watch))
    }
}
