/// How often one transition of a state machine of a client was taken in a case.
public struct TransitionTally: Sendable, Equatable {
    /// The machine, such as `session`.
    public var machine: String
    /// Whose behaviour it is, such as `ios`.
    public var profile: String
    /// The transition, such as `idle --connect--> connecting`.
    public var transition: String
    /// How often it was taken, at least 1.
    public var taken: Int

    /// A transition with its count.
    public init(machine: String, profile: String, transition: String, taken: Int) {
        self.machine = machine
        self.profile = profile
        self.transition = transition
        self.taken = taken
    }
}
