/// What came of an input.
public enum MachineOutcome: Equatable, Sendable {
    /// The object moved, perhaps to the state it was in.
    case moved(Transition)
    /// Nothing happened, as is documented.
    case ignored(Transition)
    /// The call got an error, as is documented; nothing changed.
    case refused(Transition, MachineDefinition.DocumentedError)
    /// There is no rule for it.
    case undefined(UndefinedStep)

    /// The transition, of whatever kind; nil when there is no rule.
    public var transition: Transition? {
        switch self {
        case .moved(let transition), .ignored(let transition), .refused(let transition, _): transition
        case .undefined: nil
        }
    }
}

/// One step that a definition has a rule for.
public struct Transition: Equatable, Sendable {
    /// The machine.
    public var machine: String
    /// Whose behaviour it is.
    public var profile: MachineProfile
    /// The position of the rule in the definition.
    public var index: Int
    /// The rule's name in tallies of coverage.
    public var key: String
    /// The state before.
    public var from: String
    /// The state afterwards.
    public var to: String
    /// What happened.
    public var input: String
    /// What is shown, in this order.
    public var events: [EmittedEvent]
    /// Whether the source leaves open what happens.
    public var isOpen: Bool
}

/// An event that an object shows.
public struct EmittedEvent: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// The fields that the definition sets.
    public var payload: MachineValues
}

/// An input that no rule is there for.
public struct UndefinedStep: Equatable, Sendable, CustomStringConvertible {
    /// What is missing.
    public enum Reason: Equatable, Sendable {
        /// The machine has no such input.
        case noInput
        /// No rule applies in the state.
        case noRule
        /// The value of this name decides, and it did not come with the input.
        case missing(String)
    }

    /// The machine.
    public var machine: String
    /// Whose behaviour it is.
    public var profile: MachineProfile
    /// The state the object was in.
    public var state: String
    /// What happened.
    public var input: String
    /// What came with it.
    public var values: MachineValues
    /// What is missing.
    public var reason: Reason
    /// The inputs that there are rules for in the state.
    public var known: [String]

    public var description: String {
        let with = values.entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        let what = "`\(input)`\(with.isEmpty ? "" : " (\(with))")"
        let machine = "the machine `\(machine)` (\(profile.rawValue))"
        switch reason {
        case .noInput: return "\(machine) has no input `\(input)`"
        case .missing(let name): return "\(machine) needs to know `\(name)` to tell what \(what) leads to in `\(state)`"
        case .noRule:
            let legal = known.isEmpty ? "nothing is" : known.joined(separator: ", ")
            return "\(machine) does not define \(what) in `\(state)`; defined there: \(legal)"
        }
    }
}
