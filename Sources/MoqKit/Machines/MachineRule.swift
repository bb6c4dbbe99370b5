import MoqScenario

/// What one input leads to in one state.
public struct MachineRule: Equatable, Sendable {
    /// What comes of it.
    public enum Outcome: Equatable, Sendable {
        /// The object is in this state afterwards, which may be the one it was in.
        case move(to: String)
        /// The call gets the error of this name, and nothing changes.
        case refuse(String)
        /// Nothing happens, on purpose.
        case ignore
    }

    /// An event that is shown.
    public struct Emission: Equatable, Sendable {
        /// The event.
        public var event: String
        /// Fields of its payload, and what they are.
        public var payload: [(field: String, value: Operand)]

        public static func == (left: Self, right: Self) -> Bool {
            left.event == right.event && left.payload.count == right.payload.count
                && zip(left.payload, right.payload).allSatisfy { $0.field == $1.field && $0.value == $1.value }
        }
    }

    /// A change of what the object remembers.
    public struct Effect: Equatable, Sendable {
        /// How it changes.
        public enum Change: Equatable, Sendable {
            /// It becomes this.
            case become(Operand)
            /// A number grows or shrinks by this; a variable that remembers numbers gets one more.
            case add(Operand)
            /// A number shrinks by this, not below 0.
            case subtract(Int)
        }

        /// The variable.
        public var variable: String
        /// How it changes.
        public var change: Change
    }

    /// A value, or where it comes from.
    public enum Operand: Equatable, Sendable {
        /// This value.
        case literal(MachineValue)
        /// What an input brought, or what the object remembers.
        case name(String)

        /// The value; nil while it is not known.
        func value(_ lookUp: (String) -> MachineValue?) -> MachineValue? {
            switch self {
            case .literal(let value): value
            case .name(let name): lookUp(name)
            }
        }
    }

    /// The state in which it applies.
    public var from: String
    /// The input.
    public var input: String
    /// What has to hold, all of it.
    public var conditions: [MachineCondition]
    /// Whether it applies when no other rule of the state and the input does.
    public var isOtherwise: Bool
    /// What comes of it.
    public var outcome: Outcome
    /// What is shown, in this order.
    public var emissions: [Emission]
    /// What is remembered.
    public var effects: [Effect]
    /// Whether the source leaves open what happens: any rule that applies and is open is accepted.
    public var isOpen: Bool
    /// Where that is documented or was seen.
    public var source: String
    /// What is worth knowing about it.
    public var about: String?
    /// Where it stands.
    public var place: SourceLocation

    /// The state afterwards.
    public var to: String {
        if case .move(let state) = outcome { state } else { from }
    }

    /// Whether it moves, and is more than an answer to a call that changes nothing.
    public var isMove: Bool {
        if case .move = outcome { true } else { false }
    }

    /// What it is called in tallies of coverage: `idle --connect--> connecting`, with its conditions where it has some.
    public var key: String {
        let arrow =
            switch outcome {
            case .move(let state): "--> \(state)"
            case .refuse(let error): "--x \(error)"
            case .ignore: "--o"
            }
        return "\(from) --\(input)\(arrow)\(conditionText.map { " [\($0)]" } ?? "")"
    }

    /// Its conditions in words; nil when it has none.
    public var conditionText: String? {
        if isOtherwise { return "otherwise" }
        return conditions.isEmpty ? nil : conditions.map(\.description).joined(separator: ", ")
    }

    /// Whether it applies; nil while that depends on something that is not known. `isOtherwise` is not looked at.
    func applies(_ lookUp: (String) -> MachineValue?) -> Bool? {
        var isUnknown = false
        for condition in conditions {
            switch condition.holds(lookUp) {
            case false: return false
            case nil: isUnknown = true
            default: break
            }
        }
        return isUnknown ? nil : true
    }
}
