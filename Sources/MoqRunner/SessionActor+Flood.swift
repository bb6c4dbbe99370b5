import MoqConformance
import MoqLite

/// How much is noted of one actor in a case, against a relay that never stops sending.
struct RecordBounds: Sendable {
    /// Announcements, requests, groups, datagrams and measurements, some 10 MB of them: many times what a scenario can
    /// look at.
    var records = 50_000
    /// Frames, 16 bytes each: a minute of the fastest relay observed.
    var frames = 2_000_000
}

// A relay that never stops sending: what an actor notes of it has a bound.
extension SessionActor {
    /// How much of what may be noted has been.
    struct Noted {
        var records = 0
        var frames = 0
        /// The relay sent more, and is listened to no longer.
        var isFlooded = false
    }

    /// Whether an event is to be taken. One too many ends the session, as a fault of the relay; of what waits behind
    /// it only the end is taken.
    func admits(_ event: LiteEvent, _ line: Line) -> Bool {
        if noted.isFlooded {
            if case .closed = event { return true }
            return false
        }
        switch event {
        case .announced, .unannounced, .groupOpened, .datagram, .subscribeDrop, .probe, .announceRequested,
            .subscribeRequested, .subscribeUpdated, .trackRequested, .fetchRequested:
            noted.records += 1
            if noted.records > scene.bounds.records { return end("\(scene.bounds.records) messages and groups", line) }
        case .frame, .fetchFrame:
            noted.frames += 1
            if noted.frames > scene.bounds.frames { return end("\(scene.bounds.frames) frames", line) }
        default:
            break
        }
        return true
    }

    private func end(_ limit: String, _ line: Line) -> Bool {
        noted.isFlooded = true
        scene.fault(
            name, "the relay floods the session: more than \(limit) in one case", expected: "at most \(limit)",
            actual: "it did not stop sending, so the session was closed", breaks: ["relay.nothing-invented"])
        line.session.close(code: scene.codes.numberToSend(for: .condition("internal"), on: .close), reason: "flooded")
        line.session.process(at: scene.driver.now)
        return false
    }
}
