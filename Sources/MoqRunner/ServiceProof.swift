import MoqBase
import MoqConformance
import MoqLite
import MoqScenario
import MoqWire

/// A proof that the relay takes new sessions and serves them: one publishes, another subscribes, a frame passes.
final class ServiceProof {
    private let publisher: SessionActor
    private let viewer: SessionActor
    private let broadcast: String
    private let deadline: Instant
    private var result: Bool?
    private var isPublished = false
    private var isSubscribed = false
    private var isWritten = false

    /// How long the whole of it may take.
    private static let patience = Duration.seconds(5)

    init(number: Int, _ run: CaseRun) {
        // No leading dot: such broadcasts are hidden by relays from 0.4.9 on (observed).
        broadcast = "proof-\(number)"
        publisher = SessionActor(.session(named: "proof-publisher-\(number)"), scene: run.scene)
        viewer = SessionActor(.session(named: "proof-viewer-\(number)"), scene: run.scene)
        deadline = run.now.advanced(by: run.patient(Self.patience))
        do {
            try publisher.connect()
            try viewer.connect()
        } catch {
            run.note(.check, "relay", "the proof that the relay serves could not begin: \(error)")
            result = false
        }
        run.addHelper(publisher)
        run.addHelper(viewer)
    }

    /// Whether it served; nil while that is open.
    func outcome(_ run: CaseRun) -> Bool? {
        if result == nil {
            advance(run)
            if result == nil {
                if run.now >= deadline { result = false } else { run.wake(at: deadline) }
            }
            if result != nil { end() }
        }
        return result
    }

    private func advance(_ run: CaseRun) {
        for actor in [publisher, viewer] {
            if case .closed = actor.record.state { result = false }
        }
        guard result == nil, publisher.isConnected, viewer.isConnected, let session = publisher.session else { return }
        if !isPublished {
            isPublished = true
            guard let path = run.scene.path(broadcast) else {
                result = false
                return
            }
            let entry = PublishedBroadcast(
                name: broadcast, path: path, hops: .empty, cost: RouteCost(),
                tracks: [publisher.makeTrack(broadcast, "alive", TrackInfo(nil))])
            publisher.broadcasts.append(entry)
            publisher.modelAnnounces(entry, again: false)
            for request in publisher.announceRequests where request.prefix.isPrefix(of: path) {
                session.announce(request.id, entry.announced)
            }
        }
        if !isSubscribed, viewer.record.active.contains(broadcast) {
            isSubscribed = true
            viewer.subscribePlainly(broadcast, "alive")
        }
        if isSubscribed, !isWritten, publisher.record.requests.contains(where: { $0.kind == .subscribe }) {
            isWritten = true
            guard let track = try? publisher.publishedTrack(TrackReference(broadcast: broadcast, named: "alive")),
                let group = try? publisher.openGroup(0, of: track)
            else {
                result = false
                return
            }
            publisher.writeFrame(to: group, of: track, size: 64, content: nil, timestamp: nil)
            do { try publisher.finishGroup(0, of: track) } catch { result = false }
            publisher.pump()
        }
        if viewer.record.subscriptions.last?.groups.contains(where: \.isComplete) == true { result = true }
    }

    private func end() {
        viewer.close(code: 0, reason: "")
        publisher.close(code: 0, reason: "")
    }
}
