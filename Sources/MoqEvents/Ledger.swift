/// How many cases ended how. It adds up: every selected case is in exactly one entry.
public struct Ledger: Sendable, Equatable, CustomStringConvertible {
    /// Cases that passed without a warning.
    public var pass = 0
    /// Cases that passed with a warning.
    public var warn = 0
    /// Cases in which the target does not conform.
    public var fail = 0
    /// Cases that failed as the list of known failures says.
    public var known = 0
    /// Cases whose needs the target does not meet.
    public var skip = 0
    /// Cases that build on one that failed.
    public var blocked = 0
    /// Cases that did not reach what they had to.
    public var vacuous = 0
    /// Cases that the wire of the target's generation cannot show.
    public var notTestable = 0
    /// Cases in which the harness or the environment went wrong.
    public var error = 0
    /// Cases that were selected and never began, because the run was cut short.
    public var notStarted = 0

    /// An empty ledger.
    public init() {}

    /// Counts these verdicts.
    public init(_ verdicts: some Sequence<Verdict>) {
        for verdict in verdicts { count(verdict) }
    }

    /// Counts one more case.
    public mutating func count(_ verdict: Verdict) {
        self[verdict] += 1
    }

    /// Adds the cases of another ledger.
    public static func += (left: inout Ledger, right: Ledger) {
        for verdict in Verdict.allCases { left[verdict] += right[verdict] }
        left.notStarted += right.notStarted
    }

    /// How many cases ended with a verdict.
    public subscript(verdict: Verdict) -> Int {
        get { self[keyPath: Self.entry(of: verdict)] }
        set { self[keyPath: Self.entry(of: verdict)] = newValue }
    }

    /// Passed cases, with or without a warning.
    public var passed: Int { pass + warn }

    /// All selected cases: the sum of all entries.
    public var all: Int {
        passed + fail + known + skip + blocked + vacuous + notTestable + error + notStarted
    }

    /// Whether a case failed, went wrong, or was vacuous.
    public var hasTrouble: Bool { Verdict.allCases.contains { $0.isTrouble && self[$0] > 0 } }

    /// Cases that had something to say about the target.
    public var checked: Int { pass + warn + fail + known }

    /// The line that every summary begins with, such as `12 cases = 10 passed (1 with warnings) + 2 failed`.
    public var description: String {
        let entries: [(Int, String)] = [
            (fail, "failed"), (known, "known"), (skip, "skipped"), (blocked, "blocked"), (vacuous, "vacuous"),
            (notTestable, "not testable"), (error, error == 1 ? "error" : "errors"), (notStarted, "not started"),
        ]
        let warnings = warn == 0 ? "" : " (\(warn) with warnings)"
        let parts = ["\(passed) passed\(warnings)"] + entries.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(all) \(all == 1 ? "case" : "cases") = \(parts.joined(separator: " + "))"
    }

    private static func entry(of verdict: Verdict) -> WritableKeyPath<Ledger, Int> {
        switch verdict {
        case .pass: \.pass
        case .fail: \.fail
        case .warn: \.warn
        case .error: \.error
        case .skip: \.skip
        case .blocked: \.blocked
        case .notTestable: \.notTestable
        case .vacuous: \.vacuous
        case .known: \.known
        }
    }
}
