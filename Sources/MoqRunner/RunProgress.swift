import MoqBase
import MoqDrivers

/// Which case comes next, and whether the run goes on: shared by the workers of a run.
final class RunProgress: @unchecked Sendable {
    // Sendable by its lock: every access to the state below holds it.
    private let lock = Lock()
    private var queue: [Int]
    private var stopReason: String?
    private var running = 0
    private var underWay: [Int: CaseWatch] = [:]
    private var abandoned: Set<Int> = []
    /// Cases that were handed out and have not ended.
    private var inHand: Set<Int> = []
    private let dependencies: CaseDependencies?

    /// What a worker does next.
    enum Turn: Equatable {
        /// Plays a case.
        case play(Int)
        /// Reports a case that is not played, with the reason.
        case block(Int, String)
        /// Asks again: what is left builds on cases that have not ended.
        case wait
        /// Ends: nothing is left, or the run was stopped.
        case done
    }

    init(_ order: [Int], dependencies: CaseDependencies? = nil) {
        queue = order.reversed()
        self.dependencies = dependencies
    }

    /// What to do next: the first case in the order whose turn it can be.
    func next() -> Turn {
        lock.locked {
            guard stopReason == nil, !queue.isEmpty else { return .done }
            for place in queue.indices.reversed() {
                let index = queue[place]
                switch dependencies?.readiness(of: index) ?? .ready {
                case .ready:
                    queue.remove(at: place)
                    inHand.insert(index)
                    return .play(index)
                case .blocked(let reason):
                    queue.remove(at: place)
                    inHand.insert(index)
                    return .block(index, reason)
                case .waits: break
                }
            }
            if !inHand.isEmpty { return .wait }
            // Nothing is under way that these could wait for.
            let index = queue.removeLast()
            inHand.insert(index)
            return .play(index)
        }
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

    /// A case begins, which counts as hanging when `watch` says so, whatever happens in it.
    func caseBegan(_ index: Int, _ watch: CaseWatch) {
        lock.locked { underWay[index] = watch }
    }

    /// A case ended; false when it was given up meanwhile, so that what came of it counts no more.
    func caseEnded(_ index: Int) -> Bool {
        lock.locked {
            underWay[index] = nil
            inHand.remove(index)
            return !abandoned.contains(index)
        }
    }

    /// Whether a case has had its time: its worker hangs.
    func isOverdue(at now: CaseWatch.Moment) -> Bool {
        lock.locked { underWay.values.contains { $0.isOverdue(at: now) } }
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
