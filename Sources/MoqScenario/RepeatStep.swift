/// Steps again and again. In its steps `${i}` (or the name given with `as`) is the number of the round, from 0.
public struct RepeatStep: Equatable, Sendable {
    /// How many rounds; nil for ever.
    public var times: Int?
    /// The time from the beginning of one round to the beginning of the next; nil for one right after the other. A
    /// round that takes longer delays the next.
    public var every: Duration?
    /// The steps of round 0.
    public var firstRound: [Step]
    /// What the other rounds are made from.
    let template: RepeatTemplate

    /// The steps of a round.
    public func steps(round: Int) throws(RepeatError) -> [Step] {
        try template.steps(round: round, firstRound: firstRound)
    }
}

/// A round of a repeat has a value that no check could foresee.
public struct RepeatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The round, from 0.
    public var round: Int
    /// What is wrong in it.
    public var diagnostics: [Diagnostic]

    public var description: String {
        "round \(round) of a repeat cannot be read: " + diagnostics.map(\.message).joined(separator: "; ")
    }
}
