import MoqScenario

/// An order between the steps of an object and those of an object that it belongs to, such as its session.
public struct MachineOrder: Equatable, Sendable {
    /// Which way round it is.
    public enum Kind: String, CaseIterable, Sendable {
        /// Only after the owner has been in one of the states.
        case after
        /// Until the owner is in one of the states.
        case until
    }

    /// Which way round.
    public var kind: Kind
    /// The machine of the owner.
    public var owner: String
    /// The states of the owner that count, any of them.
    public var ownerStates: [String]
    /// The states of the object that it is about: steps that lead to them, or that stay in them. None is any step.
    public var states: [String]
    /// Where the object has gone, once the owner is in its states, before a trace may end. None is nowhere in particular.
    public var then: [String]
    /// Where it is documented or was seen.
    public var source: String
    /// What is worth knowing.
    public var about: String?
    /// Where it is defined.
    public var place: SourceLocation

    /// What it says, for people: about an object of its machine.
    public var text: String {
        let owners = Self.either(ownerStates)
        switch kind {
        case .after:
            let what = states.isEmpty ? "no step" : "not in \(Self.either(states))"
            return "\(what) before its `\(owner)` has been \(owners)"
        case .until:
            let what = states.isEmpty ? "no step" : "no step in \(Self.either(states))"
            return "\(what) once its `\(owner)` is \(owners)"
                + (then.isEmpty ? "" : "; it ends in \(Self.either(then))")
        }
    }

    /// Names of which one is meant.
    static func either(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " or ") }
}
