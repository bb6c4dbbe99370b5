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
    /// The round in which it is played, from 1: a run may play every case several times.
    public private(set) var round = 1

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

    /// The case's id without the round: what the same case has in common in all rounds.
    public var idInAnyRound: String {
        round == 1 ? caseID : String(caseID.dropLast(Self.suffix(round).count))
    }

    /// The same case as it is played in a round; the id of all but the first says which.
    public func played(in round: Int) -> CaseStarted {
        var copy = self
        copy.caseID = idInAnyRound + Self.suffix(round)
        copy.round = round
        return copy
    }

    /// As it was written to a stream, with the round in its id already. A round that the id does not say is none.
    func read(in round: Int) -> CaseStarted {
        var copy = self
        if round > 1, caseID.hasSuffix(Self.suffix(round)) { copy.round = round }
        return copy
    }

    static func suffix(_ round: Int) -> String {
        round == 1 ? "" : "#\(round)"
    }
}
