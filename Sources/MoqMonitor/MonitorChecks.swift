/// How often each rule had something to judge, and how often it was broken.
public struct MonitorChecks: Hashable, Sendable {
    /// What became of one rule.
    public struct Count: Hashable, Sendable {
        /// How often it held.
        public var held = 0
        /// How often it was broken.
        public var broken = 0
    }

    private var counts = [Count](repeating: Count(), count: MonitorRule.allCases.count)

    /// Nothing judged.
    public init() {}

    /// What became of a rule.
    public subscript(rule: MonitorRule) -> Count { counts[rule.rawValue] }

    /// The rules that had something to judge, by their ids.
    public var judged: [(rule: MonitorRule, count: Count)] {
        let rules = MonitorRule.allCases.filter { self[$0] != Count() }
        return rules.map { (rule: $0, count: self[$0]) }.sorted { $0.rule.id < $1.rule.id }
    }

    mutating func held(_ rule: MonitorRule, times: Int = 1) { counts[rule.rawValue].held += times }

    mutating func broken(_ rule: MonitorRule) { counts[rule.rawValue].broken += 1 }

    /// Adds what became of the rules in another session.
    public mutating func add(_ other: MonitorChecks) {
        for index in counts.indices {
            counts[index].held += other.counts[index].held
            counts[index].broken += other.counts[index].broken
        }
    }
}
