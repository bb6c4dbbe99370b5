import MoqBase
import MoqDrivers

/// Which case comes next, and whether the run goes on: shared by the workers of a run.
final class RunProgress: @unchecked Sendable {
    // Sendable by its lock: every access to the state below holds it.
    private let lock = Lock()
    private var queue: [Int]
    private var stopReason: String?
    private var running = 0
    private var underWay: [Int: Instant] = [:]
    private var abandoned: Set<Int> = []

    init(_ order: [Int]) {
        queue = order.reversed()
    }

    /// The next case to play, or nil when there is none or the run was stopped.
    func next() -> Int? {
        lock.locked { stopReason == nil ? queue.popLast() : nil }
    }

    /// Begins no further case, and lets those under way play on to their end.
    func beginNoMore() {
        lock.locked { queue = [] }
    }

    /// Begins no further case, and lets those under way end at once.
    func stop(_ reason: String) {
        lock.locked { if stopReason == nil { stopReason = reason } }
    }

    /// Why the run was stopped, if it was.
    var stopped: String? {
        lock.locked { stopReason }
    }

    /// The cases that were not begun.
    var remaining: [Int] {
        lock.locked { queue.reversed() }
    }

    func workerBegan() { lock.locked { running += 1 } }
    func workerEnded() { lock.locked { running -= 1 } }

    /// Whether a worker is still at it.
    var isRunning: Bool {
        lock.locked { running > 0 }
    }

    /// A case begins, which must have ended by `deadline` of the process's clock whatever happens in it.
    func caseBegan(_ index: Int, deadline: Instant) {
        lock.locked { underWay[index] = deadline }
    }

    /// A case ended; false when it was given up meanwhile, so that what came of it counts no more.
    func caseEnded(_ index: Int) -> Bool {
        lock.locked {
            underWay[index] = nil
            return !abandoned.contains(index)
        }
    }

    /// Whether a case is past its deadline: its worker hangs.
    func isOverdue(at now: Instant) -> Bool {
        lock.locked { underWay.values.contains { $0 < now } }
    }

    /// Gives up the cases under way, and says which they were.
    func abandon() -> [Int] {
        lock.locked {
            let given = underWay.keys.sorted()
            abandoned.formUnion(given)
            return given
        }
    }
}
