import MoqScenario

/// One machine under one profile: what an object may do, as data.
public struct MachineDefinition: Equatable, Sendable {
    /// The machine's name, such as `session`.
    public var name: String
    /// The kind of object in traces and documentation, such as `Session`.
    public var object: String
    /// What it is about.
    public var about: String
    /// Whose behaviour it is.
    public var profile: MachineProfile
    /// Whether an object can be used once: nothing leads back to its initial state.
    public var isSingleUse: Bool
    /// The states, in the order of the file.
    public var states: [State]
    /// What can happen to it.
    public var inputs: [Input]
    /// What it shows.
    public var events: [Event]
    /// What it remembers.
    public var variables: [Variable]
    /// What it says to a call in a wrong state.
    public var errors: [DocumentedError]
    /// What leads to what, in the order of the file; a rule for several states is here once for each of them.
    public let rules: [MachineRule]
    /// What has to come before what of the objects that it belongs to.
    public let orders: [MachineOrder]
    /// The name of each rule in tallies of coverage (`MachineRule.key`), in their order: machines are asked for it at
    /// every step.
    let ruleKeys: [String]
    /// The positions of the rules by state and input.
    private let positions: [String: [String: [Int]]]

    /// A state.
    public struct State: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// What observers see it as, where that is the name of another state or none of this machine's.
        public var shown: String?
        /// What it means.
        public var about: String?
        /// Whether an object begins in it. Exactly one state is.
        public var isInitial: Bool
        /// Whether nothing leads out of it.
        public var isTerminal: Bool
        /// Whether an observer may never be shown it, because a newer state came before anybody looked.
        public var isConflated: Bool
    }

    /// Something that can happen to an object.
    public struct Input: Equatable, Sendable {
        /// Who makes it happen.
        public enum Kind: String, CaseIterable, Sendable {
            /// The application calls something.
            case call
            /// The network or the far side.
            case outside
            /// Another object of the same process, such as the session that this one belongs to.
            case inside
            /// Time.
            case timer
        }

        /// Its name.
        public var name: String
        /// Who makes it happen.
        public var kind: Kind
        /// What it means.
        public var about: String?
        /// How long a timer takes, where that is documented.
        public var after: Duration?
        /// What comes with it.
        public var parameters: [Parameter]
    }

    /// Something that an object shows.
    public struct Event: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// What it means.
        public var about: String?
        /// The fields of its payload that a definition may set.
        public var fields: [String]
        /// Whether an observer may miss it.
        public var isLossy: Bool
    }

    /// A value that comes with an input.
    public struct Parameter: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Which values it can have.
        public var type: ValueType
    }

    /// A value that an object remembers.
    public struct Variable: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Which values it can have.
        public var type: ValueType
        /// What it is at first.
        public var initial: MachineValue
    }

    /// Which values there are.
    public enum ValueType: Equatable, Sendable {
        /// True and false.
        case flag
        /// Whole numbers.
        case number
        /// Any text.
        case text
        /// One of these words.
        case words([String])
        /// Numbers that were seen.
        case numbers

        /// Whether a value is one of them.
        func has(_ value: MachineValue) -> Bool {
            switch (self, value) {
            case (.flag, .flag), (.number, .number), (.numbers, .numbers), (.text, .word): true
            case (.words(let words), .word(let word)): words.contains(word)
            default: false
            }
        }
    }

    /// What a call gets that comes in a wrong state.
    public struct DocumentedError: Equatable, Hashable, Sendable {
        /// Its name in the definition.
        public var name: String
        /// What the application is given, such as `SessionError.alreadyConnected`.
        public var says: String
    }

    /// The state of a name.
    public func state(_ name: String) -> State? { states.first { $0.name == name } }
    /// The input of a name.
    public func input(_ name: String) -> Input? { inputs.first { $0.name == name } }
    /// The event of a name.
    public func event(_ name: String) -> Event? { events.first { $0.name == name } }
    /// The error of a name.
    public func error(_ name: String) -> DocumentedError? { errors.first { $0.name == name } }
    /// The name of the state that an object begins in.
    public var initialState: String { states.first { $0.isInitial }?.name ?? "" }
    /// What an object remembers at first.
    public var initialVariables: MachineValues {
        var values = MachineValues()
        for variable in variables { values[variable.name] = variable.initial }
        return values
    }

    /// The positions of the rules of a state for an input.
    func ruleIndices(_ state: String, _ input: String) -> [Int] { positions[state]?[input] ?? [] }

    /// Whether there is an input of a name.
    func hasInput(_ name: String) -> Bool { inputs.contains { $0.name == name } }

    /// What a state is seen as.
    public func shown(_ state: String) -> String {
        guard let index = states.firstIndex(where: { $0.name == state }) else { return state }
        return states[index].shown ?? state
    }

    /// A definition of its parts.
    init(
        name: String, object: String, about: String, profile: MachineProfile, isSingleUse: Bool, states: [State],
        inputs: [Input], events: [Event], variables: [Variable], errors: [DocumentedError], rules: [MachineRule],
        orders: [MachineOrder] = []
    ) {
        self.name = name
        self.object = object
        self.about = about
        self.profile = profile
        self.isSingleUse = isSingleUse
        self.states = states
        self.inputs = inputs
        self.events = events
        self.variables = variables
        self.errors = errors
        self.rules = rules
        self.orders = orders
        ruleKeys = rules.map(\.key)
        var positions: [String: [String: [Int]]] = [:]
        for (index, rule) in rules.enumerated() {
            positions[rule.from, default: [:]][rule.input, default: []].append(index)
        }
        self.positions = positions
    }
}
