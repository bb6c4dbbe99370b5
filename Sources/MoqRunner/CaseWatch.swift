import MoqBase
import MoqDrivers

/// When a case counts as one that hangs, by the clocks of the process: no verdict about a relay comes of it.
///
/// The clock alone would accuse a case on a machine that hardly lets it run: the process must also have used the
/// processor meanwhile. Where it has not, it may be starved, or wait for what never comes; the two look alike, and only
/// a much longer time tells.
struct CaseWatch: Equatable {
    /// What the clocks of the process show.
    struct Moment: Equatable {
        var clock: Instant
        var processorTime: Duration

        static var now: Moment { Moment(clock: ProcessClock.monotonic, processorTime: ProcessClock.processTime) }
    }

    private let began: Moment
    /// How long the case may take on a machine that has time for it.
    let patience: Duration

    /// Of a processor that is the process's own, it gets far more than this part.
    private static let leastShare = 16
    /// How many times as long a process may take that does not run.
    private static let longest = 8

    init(began: Moment, patience: Duration) {
        self.began = began
        self.patience = patience
    }

    /// Whether the case has had its time.
    func isOverdue(at now: Moment) -> Bool {
        let passed = began.clock.duration(to: now.clock)
        guard passed > patience else { return false }
        let used = now.processorTime - began.processorTime
        return used * Self.leastShare > patience || passed > patience * Self.longest
    }

    /// The same case with more time.
    func extended(by more: Duration) -> CaseWatch { CaseWatch(began: began, patience: patience + more) }
}
