import MoqBase
import MoqConformance
import MoqEvents
import MoqLite
import MoqWire

/// The end of a case: readers leave, publishers withdraw, sessions close, and the relay lets go of everything and
/// still answers. A case has ended only when that is so.
final class Settlement {
    private enum Phase {
        /// Outside programs are told to end.
        case dismissing
        /// Readers have left; their streams and those towards the publishers must end.
        case winding(until: Instant)
        /// The sessions are closed; the relay must forget the case.
        case releasing(until: Instant)
        /// The relay must answer.
        case proving(SessionActor.Fence?, until: Instant)
        case done
    }

    private var phase: Phase
    private let isOrderly: Bool
    private var patience: Duration
    /// What did not settle, as faults of the relay.
    private(set) var faults: [Scene.Fault] = []

    /// How long streams may take to end, and a relay to forget: far beyond a round trip, even on a slow link.
    private static let patience = Duration.seconds(5)
    /// How long a relay may take to notice that a session vanished: its idle limit is the session's own.
    private static let vanishPatience = Duration.seconds(8)
    /// How long outside programs may take to end.
    private static let programPatience = Duration.seconds(5)
    /// How long a relay may take to notice that a program is gone: clients of the original stack have idle limits of up
    /// to 30 s (moq-ffi 0.2.11 to 0.4.9, observed).
    private static let strangerPatience = Duration.seconds(35)
    /// How long a relay may take where packets are lost: the close of a session may have been one of them, and then
    /// the relay serves a session that is gone until its idle limit. That starts anew once, with the first thing that
    /// the relay says into the void, and a relay that keeps connections alive says something within the limit.
    private static let lossPatience = Line.idleTimeout * 2

    init(_ run: CaseRun, isOrderly: Bool) {
        self.isOrderly = isOrderly
        for actor in run.allActors {
            // An impaired link would only make the goodbye slow: what the scenario was about is over.
            if actor.link.current != nil { actor.setLink(.set(.init())) }
            actor.kit?.rest()
            actor.resumeReadingEverything()
            actor.leaveEverything()
        }
        for relay in run.relays { relay.calmLinks() }
        patience = run.patient(run.scenario.losesPackets ? Self.lossPatience : Self.patience)
        phase = run.programs.isEmpty ? .winding(until: run.now.advanced(by: patience)) : .dismissing
    }

    /// Goes on; true once settled.
    func advance(_ run: CaseRun) -> Bool {
        while true {
            switch phase {
            case .dismissing:
                let grace = run.patient(Self.programPatience)
                guard run.programs.map({ $0.dismiss(run.now, grace: grace) }).allSatisfy({ $0 }) else { return false }
                if run.programs.contains(where: \.mayHaveVanished) {
                    patience = max(patience, run.patient(Self.strangerPatience))
                }
                phase = .winding(until: run.now.advanced(by: patience))
            case .winding(let limit):
                let open = run.allActors.flatMap { actor in actor.unfinished.map { "\(actor.name): \($0)" } }
                guard open.isEmpty || run.now >= limit else {
                    run.wake(at: limit)
                    return false
                }
                if !open.isEmpty && isOrderly {
                    fault(
                        run, "streams stay open after their end", "every stream ended within \(patience.text)",
                        open, breaks: ["relay.nothing-left-open", "relay.release-upstream"])
                }
                let vanished = run.allActors.contains { $0.record.state == .vanished }
                for actor in run.allActors { actor.close(code: 0, reason: "") }
                let notice = max(vanished ? run.patient(Self.vanishPatience) : .zero, patience)
                phase = .releasing(until: run.now.advanced(by: notice + run.world.linger))
            case .releasing(let limit):
                // Relays beside the one under test go when they have let go: what they held it held for them.
                for relay in run.relays {
                    let held = relay.held(under: run.scene.prefix)
                    guard held == nil || run.now >= limit else {
                        run.wake(at: min(limit, run.now.advanced(by: .milliseconds(20))))
                        return false
                    }
                    if let held {
                        fault(
                            run, "a relay behind the one under test did not let go", "nothing left of the case", [held],
                            breaks: ["relay.chain-release"])
                    }
                    relay.leave()
                }
                var held: String?
                let isAnnounced = run.control.seesAnnouncements
                if !isAnnounced {
                    // The harness's own look at the announcements is something that the relay holds, too.
                    run.control.unwatch()
                    held = run.world.held(under: run.scene.prefix)
                }
                guard !isAnnounced && held == nil || run.now >= limit else {
                    // What the relay holds inside is looked at, not told: look again soon.
                    run.wake(at: min(limit, run.now.advanced(by: .milliseconds(20))))
                    return false
                }
                if let held = held ?? run.control.stillAnnounced {
                    fault(
                        run, "the relay did not let go of what the case had", "nothing left of the case", [held],
                        breaks: held.hasPrefix("the relay holds")
                            ? ["close.nothing-left", "relay.nothing-left-open"] : ["announce.end-on-disconnect"])
                }
                run.control.unwatch()
                phase = .proving(nil, until: run.now.advanced(by: run.patient(Self.patience)))
            case .proving(let fence, let limit):
                if fence?.isAnswered == true {
                    phase = .done
                } else if run.now >= limit || run.world.trouble() != nil {
                    let why = run.world.trouble() ?? "no answer in \(run.patient(Self.patience).text)"
                    fault(
                        run, "the relay no longer answers after the case", "an answer to a subscription", [why],
                        breaks: ["relay.isolation"], isCause: true)
                    phase = .done
                } else if fence?.isLost != false, run.control.isReady(reconnecting: true) {
                    phase = .proving(run.control.startFence(), until: limit)
                } else {
                    run.wake(at: limit)
                    return false
                }
            case .done:
                for actor in run.allActors { actor.detach() }
                return true
            }
        }
    }

    private func fault(
        _ run: CaseRun, _ headline: String, _ expected: String, _ seen: [String],
        breaks requirements: [String], isCause: Bool = false
    ) {
        run.note(.check, "relay", headline)
        faults.insert(
            Scene.Fault(
                actor: "relay", headline: headline, expected: expected, actual: seen.prefix(12).joined(separator: "; "),
                requirements: requirements, at: run.scene.start.duration(to: run.now)), at: isCause ? 0 : faults.count)
    }
}

extension SessionActor {
    /// Leaves every subscription and fetch that is still open, as a reader that is done does.
    func leaveEverything() {
        // A raw actor has nothing that it could leave in order.
        if rawLine != nil { close(code: 0, reason: "") }
        guard let session else { return }
        for (id, index) in subscriptions.sorted(by: { $0.value < $1.value })
        where record.subscriptions[index].end == nil {
            session.unsubscribe(id, .finish)
        }
        for id in fetches.keys.sorted() { session.cancelFetch(id) }
        for id in trackRequests.keys.sorted() { session.cancelTrack(id) }
    }

    /// What of its session has not ended although its time is over: whatever carries tracks, in either direction.
    var unfinished: [String] {
        guard let session else { return [] }
        return session.openStreams.compactMap { stream, purpose in
            switch purpose {
            case .subscription(let id):
                subscriptions[id].map { "\(stream), the subscription to \(record.subscriptions[$0].label)" }
                    ?? "\(stream)"
            case .incomingSubscription(let id):
                requests[id].map { "\(stream), the relay's subscription to \(record.requests[$0].track)" }
                    ?? "\(stream), \(purpose)"
            case .incomingGroup, .outgoingGroup, .trackRequest, .incomingTrack, .fetch, .incomingFetch, .undetermined:
                "\(stream), \(purpose)"
            case .session, .setup, .incomingSetup, .announceRequest, .incomingAnnounce, .probe, .incomingProbe, .goaway,
                .incomingGoaway, .raw:
                nil
            }
        }
    }
}
