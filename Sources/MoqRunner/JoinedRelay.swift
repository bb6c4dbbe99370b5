import MoqBase
import MoqDrivers
import MoqLite
import MoqRelay
import MoqScenario
import MoqWire

/// A relay of the harness's own beside the one under test, for one case, with its sessions to other relays.
final class JoinedRelay {
    let name: String
    /// Where it is.
    let access: TargetAccess
    private let relay: EmbeddedRelay
    private let driver: any Driver
    private var links: [Link] = []
    /// Whether it has closed its sessions and given its sockets back.
    private(set) var hasLeft = false

    /// A session that it began to another relay.
    private struct Link {
        var other: String
        var line: Line
        var session: RelaySession
    }

    /// Starts the relay, and begins its sessions to those that it joins; `others` says where they are.
    init(
        _ definition: FurtherRelay, scene: Scene, settings: EmbeddedRelaySettings, others: [String: TargetAccess]
    ) throws(RunnerError) {
        name = definition.name
        driver = scene.driver
        (relay, access) = try settings.makeFurtherRelay(definition, seed: scene.seed, driver: driver)
        let versionName = definition.version ?? scene.scenario.version
        guard let version = Version(name: versionName) else { throw .unusable("`\(versionName)` cannot be spoken") }
        let transportName = definition.transport ?? scene.scenario.transport
        guard let transport = TransportChoice(name: transportName) else {
            throw .unusable("`\(transportName)` cannot be dialled")
        }
        let generation = relay.core.configuration.generation
        let root = (try? BroadcastPath(EmbeddedRelaySettings.path)) ?? .empty
        for other in definition.joins {
            guard let access = others[other] else { throw .unusable("there is no relay `\(other)`") }
            let seed = scene.seed ^ StableHash.of("\(scene.scenario.id)/\(name)>\(other)")
            let wish = Line.Wish(
                transport: transport, versions: [version], hopID: relay.core.configuration.hopID, seed: seed,
                generation: generation, cost: definition.cost)
            let line = try Line(wish, access: access, driver: driver)
            if let conditions = definition.link { line.connection.setLink(LinkConditions(conditions)) }
            guard let session = relay.core.join(line.session, root: root, below: scene.prefix, at: driver.now) else {
                throw .unusable("the relay `\(name)` has no room for a session to `\(other)`")
            }
            links.append(Link(other: other, line: line, session: session))
            scene.note(.relay, name, "joins \(other) over \(transport), offering \(version)")
        }
    }

    /// Takes what happened on its sessions to others since the last turn.
    func process(at now: Instant) {
        for link in links where link.line.isAttached {
            link.line.connection.advance(to: now)
            relay.process(joined: link.session, at: now)
        }
    }

    /// Whether all of its sessions are up; nil when one has ended.
    var isJoined: Bool? {
        if links.contains(where: { $0.session.isClosed }) { return nil }
        return links.allSatisfy { $0.session.isAdmitted }
    }

    /// The sessions that are not up, in words.
    var missing: String {
        links.filter { !$0.session.isAdmitted }.map { "`\(name)` has no session to `\($0.other)`" }
            .joined(separator: ", ")
    }

    /// What it holds under a path below its root, apart from its sessions to others, in words; nil when nothing.
    func held(under prefix: BroadcastPath) -> String? {
        guard !hasLeft, let root = try? BroadcastPath(EmbeddedRelaySettings.path), let path = root.appending(prefix)
        else { return nil }
        var snapshot = relay.snapshot(under: path)
        // Other relays ask it for announcements as long as they are joined.
        snapshot.sessions = 0
        snapshot.watchers = 0
        return snapshot.isEmpty ? nil : "the relay `\(name)` holds \(snapshot)"
    }

    /// Makes its links perfect, so that its goodbye is heard.
    func calmLinks() {
        for link in links { link.line.connection.setLink(.perfect) }
    }

    /// Ends its sessions and everything that it has.
    func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        relay.shutdown(reason: "the case is over", at: driver.now)
        for link in links {
            link.line.session.process(at: driver.now)
            link.line.detach()
        }
        driver.unbind(relay)
        if let route = access.routes.first { driver.stopListening(at: route.address) }
    }
}
