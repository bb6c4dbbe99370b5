/// A case begins: one scenario with one value for each variable of its matrix.
public struct CaseStarted: Sendable, Equatable {
    /// Unique within the run; every later event of the case carries it.
    public var caseID: String
    /// The suite that the scenario stands in.
    public var suite: String
    /// The scenario's stable id.
    public var scenario: String
    /// What the scenario says in one line.
    public var title: String
    /// Where the scenario begins in its file.
    public var place: FilePlace
    /// The scenario's tags.
    public var tags: [String]
    /// Ids of the requirements that the scenario checks.
    public var requirements: [String]
    /// The values of the matrix, such as version and transport, in the matrix's order.
    public var variables: NamedValues
    /// The seed of this case.
    public var seed: UInt64
    /// Which worker runs it, from 0.
    public var worker: Int

    /// The beginning of a case.
    public init(
        caseID: String, suite: String, scenario: String, title: String, place: FilePlace, tags: [String] = [],
        requirements: [String] = [], variables: NamedValues = [:], seed: UInt64 = 0, worker: Int = 0
    ) {
        self.caseID = caseID
        self.suite = suite
        self.scenario = scenario
        self.title = title
        self.place = place
        self.tags = tags
        self.requirements = requirements
        self.variables = variables
        self.seed = seed
        self.worker = worker
    }

    /// The scenario's id and the values of its variables: what reports call the case.
    public var name: String {
        variables.isEmpty ? scenario : "\(scenario) [\(variables.map(\.value).joined(separator: " "))]"
    }
}
