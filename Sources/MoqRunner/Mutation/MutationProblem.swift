/// Why faults could not be played: the machine, not the relay.
public struct MutationProblem: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for people.
    public let description: String
}
