/// What the rounds of a repeat are made from.
struct RepeatTemplate: Equatable, Sendable {
    /// The steps as written, with the variables of the matrix filled in.
    var nodes: [YAMLNode]
    /// The variable that holds the number of the round.
    var variable: String

    func steps(round: Int, firstRound: [Step]) throws(RepeatError) -> [Step] {
        firstRound
    }
}
