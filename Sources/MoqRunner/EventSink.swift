import MoqDrivers
import MoqEvents

/// Collects the events of several workers and hands them to one writer, in the order in which cases finish, or in the
/// order of the plan where a run must repeat to the letter.
final class EventSink: @unchecked Sendable {
    // Sendable by its lock: every access to the state below holds it.
    private let lock = Lock()
    private let write: (RunEvent) -> Void
    private let keepsOrder: Bool
    private var next = 0
    private var waiting: [Int: [RunEvent]] = [:]
    private var counted = Ledger()
    private var rounds = RoundTally()
    private let countsRounds: Bool

    init(keepsOrder: Bool, countsRounds: Bool = false, write: @escaping (RunEvent) -> Void) {
        self.keepsOrder = keepsOrder
        self.countsRounds = countsRounds
        self.write = write
    }

    /// Writes an event that belongs to no case.
    func emit(_ event: RunEvent) {
        lock.locked { write(event) }
    }

    /// A case begins. Where order is kept that is told with its end.
    func begin(_ event: CaseStarted) {
        if !keepsOrder { lock.locked { write(.caseStarted(event)) } }
    }

    /// All that a case has to tell, its end last.
    func finish(_ index: Int, _ started: CaseStarted, _ events: [RunEvent], _ verdict: Verdict) {
        lock.locked {
            counted.count(verdict)
            if countsRounds { rounds.count(started.idInAnyRound, verdict) }
            let events = started.round > 1 ? events.map { $0.inRound(started.round) } : events
            guard keepsOrder else {
                for event in events { write(event) }
                return
            }
            waiting[index] = [.caseStarted(started)] + events
            while let ready = waiting.removeValue(forKey: next) {
                for event in ready { write(event) }
                next += 1
            }
        }
    }

    /// Writes what waits for cases that will not come: the run was cut short.
    func flush() {
        lock.locked {
            for index in waiting.keys.sorted() {
                for event in waiting[index] ?? [] { write(event) }
            }
            waiting = [:]
        }
    }

    /// The verdicts so far, added up.
    var ledger: Ledger {
        lock.locked { counted }
    }

    /// What varied from round to round, in a sentence; nil when nothing did.
    var variation: String? {
        lock.locked { rounds.sentence }
    }
}
