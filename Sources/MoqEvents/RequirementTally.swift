/// How often one requirement was put to the test in a case, apart from the verdict of the whole case: by what watches
/// every session, and by steps that name it.
public struct RequirementTally: Sendable, Equatable {
    /// The id of the requirement.
    public var requirement: String
    /// How often it was seen to hold.
    public var held: Int
    /// How often it was seen broken.
    public var broken: Int

    /// A requirement with its counts, both at least 0.
    public init(requirement: String, held: Int, broken: Int) {
        self.requirement = requirement
        self.held = held
        self.broken = broken
    }
}

extension [RequirementTally] {
    /// Adds counts to those of the same requirement; one that is not there yet comes at the end.
    public mutating func add(_ tally: RequirementTally) {
        if let index = firstIndex(where: { $0.requirement == tally.requirement }) {
            self[index].held += tally.held
            self[index].broken += tally.broken
        } else {
            append(tally)
        }
    }
}
