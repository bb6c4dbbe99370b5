import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqWire

/// The models that run beside one case: they are told what its sessions do and see, and say what no legal order of it
/// explains.
///
/// Where sessions have paths of their own (`usesRoots`) all paths are those of the relay, from its top. Nothing is judged
/// in cases with outside programs, of which nobody knows what they do; with further relays, whose views run after each other by a time that no answer bounds; with tokens of sessions,
/// whose rights only the relay knows in the end; and in cases that have the whole namespace, where what others left
/// there shows, too, unless they have a relay of their own. docs/scenario-language.md says so to authors.
final class CaseModel {
    private(set) var announcements = AnnouncementModel()
    private(set) var catalogs = CatalogModel()
    /// Whether this case is judged.
    let isJudging: Bool
    /// Whether sessions have paths of their own, so that paths are told from the top of the relay.
    let usesRoots: Bool
    /// Capabilities that the relay lacks.
    private let lacking: Set<String>

    /// Publishers with more announcements than this may meet a limit of the relay: the rest may be told to nobody.
    private static let announcementsTold = 500
    /// Parts and bytes of a path, and hops, that every relay passes on.
    private static let partsTold = 30
    private static let bytesTold = 512
    private static let hopsTold = 16

    /// The models of a case; `hasOwnRelay` tells whether the relay serves nobody else, before and after.
    init(_ scenario: ScenarioCase, lacking: Set<String> = [], hasOwnRelay: Bool = false) {
        self.lacking = lacking
        var paths = scenario.actors.compactMap(\.path)
        for step in scenario.steps {
            _ = step.contains {
                if case .session(_, .connect(let connect)) = $0, let path = connect.path { paths.append(path) }
                return false
            }
        }
        usesRoots = !paths.isEmpty
        // What else can stand in a URL is for the relay to make sense of.
        let arePlain = paths.allSatisfy { path in !path.contains { "%?#".contains($0) } }
        let isForeign =
            !scenario.relays.isEmpty || scenario.actors.contains { $0.relay != nil || $0.token != nil }
        let isShared = scenario.isolation == .namespace && !(hasOwnRelay && usesRoots)
        let hasStrangers = scenario.actors.contains { $0.kind == .program }
        isJudging = !hasStrangers && !isForeign && arePlain && !isShared
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
            || (!route.version.isReleased && parts.contains { $0.hasPrefix(".") }) || route.mayBeForbidden
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

    /// Broadcasts have several names where roots differ: catalogs are judged where they have one.
    private var judgesCatalogs: Bool { isJudging && !usesRoots }

    func wroteCatalog(_ text: [UInt8], to track: TrackKey, group: UInt64, by session: PublisherSession) {
        if usesRoots { return }
        catalogs.wrote(text, to: track, group: group, by: session)
    }

    func sawCatalog(
        _ text: [UInt8], of track: TrackKey, group: UInt64, by actor: String, subscription: Int
    ) -> [ModelBreach] {
        judgesCatalogs
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
    /// Whether the session may lack the right to announce it: by its role, or outside what the relay serves to all.
    var mayBeForbidden = false

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

    private func route(_ broadcast: PublishedBroadcast, at path: String) -> PublishedRoute {
        let version = negotiated ?? .lite06
        var route = PublishedRoute(hops: broadcast.hops.ids, ownHop: hopID, relayHop: relayHop, version: version)
        let usual = scene.access.usualRoot?.text ?? ""
        let isOutside = scene.model.usesRoots && !usual.isEmpty && path != usual && !path.hasPrefix("\(usual)/")
        route.mayBeForbidden = isOutside || (definition.role == .subscriber && version.hasSetup)
        return route
    }

    /// A path of the session as the models call it: relative to the case, or from the top of the relay.
    private func modelPath(_ path: BroadcastPath) -> String? {
        guard scene.model.usesRoots else { return scene.relative(path) }
        let root = ownPath.map { try? BroadcastPath($0) } ?? scene.access.usualRoot
        return root.flatMap { $0.appending(path) }?.text
    }

    /// It announces a broadcast, for the first time or again.
    func modelAnnounces(_ broadcast: PublishedBroadcast, again: Bool) {
        guard let path = modelPath(broadcast.path) else { return }
        let breaches =
            again
            ? scene.model.reannounced(path, by: modelSession, route(broadcast, at: path))
            : scene.model.published(path, by: modelSession, route(broadcast, at: path))
        scene.take(breaches)
    }

    func modelWithdraws(_ broadcast: PublishedBroadcast) {
        guard let path = modelPath(broadcast.path) else { return }
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
        // A session that only publishes is told of nothing.
        if definition.role == .publisher, negotiated?.hasSetup == true { return }
        guard let prefix = modelPath(prefix) else { return }
        let own = negotiated.map(\.hasAnnounceIDs) == true ? hopID : 0
        watches[id] = scene.model.watchBegan(
            by: name, prefix: prefix, excluding: hop == 0 ? own : hop, version: negotiated)
    }

    func modelStopsWatching(_ id: AnnounceRequestID) {
        if let watch = watches.removeValue(forKey: id) { scene.model.watchEnded(watch) }
    }

    func modelSees(_ path: BroadcastPath, isUpdate: Bool, hops: [UInt64], on id: AnnounceRequestID) {
        guard let watch = watches[id], let path = modelPath(path) else { return }
        scene.take(scene.model.saw(path, isUpdate: isUpdate, hops: hops, version: negotiated, on: watch))
    }

    func modelSeesEnd(_ path: BroadcastPath, on id: AnnounceRequestID) {
        guard let watch = watches[id], let path = modelPath(path) else { return }
        scene.take(scene.model.sawEnd(path, on: watch))
    }
}
