import MoqBase
import MoqTransport
import MoqWire

/// An answer of the relay that is due.
struct Expectation {
    /// What is broken when it does not come.
    var rule: MonitorRule
    /// The stream that anything of the relay on is the answer; nil for one of the session.
    var stream: StreamID?
    /// The path that the question was about, for questions that only its absence makes judgeable.
    var path: BroadcastPath?
    /// What was asked, and what did not come.
    var words: String
    /// When it was asked.
    var madeAt: Instant
    /// How many times as long as usual it may take.
    var patience = 1
    /// Whether only what is waited for will do, and not any word on the stream.
    var isExplicit = false
    /// Whether it has been granted the time of a path that may be dead.
    var isProlonged = false

    var due: Instant {
        let usual = isProlonged ? MonitorLimits.promptnessOfSilentPath : MonitorLimits.promptness
        return madeAt.advanced(by: usual * patience)
    }
}

/// The answers that are due.
struct ExpectationList {
    private var waiting: [Expectation] = []
    private(set) var nextDue: Instant?

    mutating func add(_ expectation: Expectation) {
        guard waiting.count < MonitorLimits.expectations else { return }
        waiting.append(expectation)
        nextDue = min(nextDue ?? expectation.due, expectation.due)
    }

    /// The relay said something on a stream. Returns the rules that held.
    mutating func answered(_ stream: StreamID) -> [MonitorRule] {
        take { $0.stream == stream && !$0.isExplicit }
    }

    /// A stream is over: nothing more is waited for on it.
    mutating func drop(_ stream: StreamID) { _ = take { $0.stream == stream } }

    /// What a rule waits for has come. Returns the rule, if it was waited for.
    mutating func fulfil(_ rule: MonitorRule, on stream: StreamID?) -> [MonitorRule] {
        take { $0.rule == rule && $0.stream == stream }
    }

    /// Forgets the questions about paths that something is true of.
    mutating func forget(where isLive: (BroadcastPath) -> Bool) {
        _ = take { $0.path.map(isLive) ?? false }
    }

    private mutating func take(_ isMeant: (Expectation) -> Bool) -> [MonitorRule] {
        guard waiting.contains(where: isMeant) else { return [] }
        var rules: [MonitorRule] = []
        waiting.removeAll { expectation in
            guard isMeant(expectation) else { return false }
            rules.append(expectation.rule)
            return true
        }
        if waiting.isEmpty { nextDue = nil }
        return rules
    }

    /// Takes out what is overdue, in the order in which it was asked. What may be late because the path is dead is
    /// given more time.
    mutating func takeOverdue(at now: Instant, lastHeard: Instant) -> [Expectation] {
        var overdue: [Expectation] = []
        var kept: [Expectation] = []
        for var expectation in waiting {
            if expectation.due <= now, !expectation.isProlonged {
                expectation.isProlonged = lastHeard < expectation.madeAt.advanced(by: MonitorLimits.proofOfPath)
            }
            if expectation.due <= now { overdue.append(expectation) } else { kept.append(expectation) }
        }
        waiting = kept
        nextDue = kept.map(\.due).min()
        return overdue
    }
}
