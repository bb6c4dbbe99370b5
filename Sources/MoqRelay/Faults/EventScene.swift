import MoqBase
import MoqLite

/// Where an event stands that a fault looks at.
struct EventScene {
    /// The session that reports it.
    let session: RelaySession
    /// The relay.
    let core: RelayCore
    /// What the fault remembers of the relay.
    let memory: FaultMemory

    /// How often this session was counted under a key, this time included.
    func count(_ key: String) -> Int { memory.count("\(key) of session \(session.number)") }

    /// Lets the event reach the relay later, if its session is still there.
    func hold(_ event: LiteEvent, for wait: Duration) {
        core.faultyEvents?.hold(event, session, until: core.now.advanced(by: wait), core)
    }
}

/// What stands between the sessions of a faulty relay and its core.
final class FaultyEvents {
    private let change: (LiteEvent, EventScene) -> [LiteEvent]
    private let memory: FaultMemory
    private var held: [HeldEvent] = []

    /// Nil where the fault leaves events alone.
    init?(_ fault: RelayFault?, _ memory: FaultMemory) {
        guard case .events(let change) = fault?.means else { return nil }
        self.change = change
        self.memory = memory
    }

    /// What reaches the core in place of an event.
    func pass(_ event: LiteEvent, _ session: RelaySession, _ core: RelayCore) -> [LiteEvent] {
        change(event, EventScene(session: session, core: core, memory: memory))
    }

    func hold(_ event: LiteEvent, _ session: RelaySession, until due: Instant, _ core: RelayCore) {
        let held = HeldEvent(event, session, until: due, core)
        self.held.append(held)
        core.timers.schedule(held, at: due)
    }

    fileprivate func release(_ event: HeldEvent) {
        held.removeAll { $0 === event }
    }
}

/// An event that a faulty relay takes late.
private final class HeldEvent: Timed {
    var queuedFor: Instant?
    private let event: LiteEvent
    private let session: RelaySession
    private let until: Instant
    private unowned let core: RelayCore

    init(_ event: LiteEvent, _ session: RelaySession, until: Instant, _ core: RelayCore) {
        self.event = event
        self.session = session
        self.until = until
        self.core = core
    }

    func due(at now: Instant) {
        guard until <= now else { return core.timers.schedule(self, at: until) }
        core.faultyEvents?.release(self)
        if !session.isClosed { core.handle(event, session, at: now) }
    }
}
