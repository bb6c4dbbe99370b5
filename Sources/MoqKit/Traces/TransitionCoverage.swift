/// Which transitions of which machines were taken, and how often.
public struct TransitionCoverage: Equatable, Sendable {
    /// One transition of one machine under one profile.
    public struct Row: Equatable, Sendable {
        /// The machine.
        public var machine: String
        /// Whose behaviour it is.
        public var profile: MachineProfile
        /// The transition (`MachineRule.key`).
        public var key: String
        /// How often it was taken.
        public var taken: Int
    }

    /// How much of one machine was taken.
    public struct Total: Equatable, Sendable {
        /// The machine.
        public var machine: String
        /// Whose behaviour it is.
        public var profile: MachineProfile
        /// How many of its transitions were taken.
        public var taken: Int
        /// How many it has.
        public var all: Int
    }

    /// What was taken, by machine, profile and transition; in that order when read with `rows`.
    private var counts: [Key: Int] = [:]

    private struct Key: Hashable {
        var machine: String
        var profile: MachineProfile
        var key: String
    }

    /// Nothing.
    public init() {}

    /// Whether nothing was taken.
    public var isEmpty: Bool { counts.isEmpty }

    /// Counts an outcome; one that is undefined counts for nothing.
    public mutating func add(_ outcome: MachineOutcome) {
        guard let step = outcome.transition else { return }
        add(machine: step.machine, profile: step.profile, key: step.key)
    }

    /// Counts a transition.
    public mutating func add(machine: String, profile: MachineProfile, key: String, times: Int = 1) {
        counts[Key(machine: machine, profile: profile, key: key), default: 0] += times
    }

    /// Counts what another has counted.
    public mutating func add(_ other: TransitionCoverage) {
        for (key, count) in other.counts { counts[key, default: 0] += count }
    }

    /// What was taken, in the order of machines, profiles and transitions.
    public var rows: [Row] {
        counts.map { Row(machine: $0.key.machine, profile: $0.key.profile, key: $0.key.key, taken: $0.value) }
            .sorted { ($0.machine, $0.profile.rawValue, $0.key) < ($1.machine, $1.profile.rawValue, $1.key) }
    }

    /// How often a transition was taken.
    public func taken(_ machine: String, _ profile: MachineProfile, _ key: String) -> Int {
        counts[Key(machine: machine, profile: profile, key: key)] ?? 0
    }

    /// How much was taken of each machine of which something was, in the order of the library.
    public func totals(of library: MachineLibrary) -> [Total] {
        library.definitions.compactMap { definition in
            let keys = Self.keys(of: definition)
            let taken = keys.count { self.taken(definition.name, definition.profile, $0) > 0 }
            guard taken > 0 else { return nil }
            return Total(machine: definition.name, profile: definition.profile, taken: taken, all: keys.count)
        }
    }

    /// The transitions of a machine, each once, in the order of the definition.
    public static func keys(of definition: MachineDefinition) -> [String] {
        var keys: [String] = []
        var seen: Set<String> = []
        for rule in definition.rules where seen.insert(rule.key).inserted { keys.append(rule.key) }
        return keys
    }
}
