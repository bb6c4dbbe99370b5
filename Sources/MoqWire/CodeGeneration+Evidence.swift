// How the generation of a relay is found out: from the number with which it refuses a subscription to a broadcast that
// nobody announces.

extension CodeGeneration {
    /// The generation whose relays refuse such a subscription with a number; nil when neither does.
    ///
    /// 54 is the second generation's "unroutable"; 30, and 13 before June 2026, the first's (moq-ffi 0.2.18 to 0.4.18,
    /// observed).
    public init?(refusalOfUnknown number: UInt64) {
        switch number {
        case 13, 30: self = .first
        case 51, 54: self = .second
        default: return nil
        }
    }

    /// The generation that the numbers of refusals speak for, and the evidence in words; nil when they tell nothing, or
    /// not one thing.
    public static func concluded(
        from numbers: [(version: Version, number: UInt64)]
    ) -> (generation: CodeGeneration?, evidence: String) {
        let seen = numbers.map { "\($0.number) on \($0.version)" }.joined(separator: ", ")
        let found = numbers.compactMap { CodeGeneration(refusalOfUnknown: $0.number) }
        guard let generation = found.first else {
            let what = numbers.isEmpty ? "it did not answer" : "it answered \(seen)"
            return (nil, "a subscription to an unknown broadcast does not tell: \(what)")
        }
        if found.contains(where: { $0 != generation }) {
            return (nil, "mixed evidence: a subscription to an unknown broadcast was refused with \(seen)")
        }
        return (generation, "a subscription to an unknown broadcast was refused with \(seen)")
    }
}
