/// What the rounds of a repeat are made from, with all that reading them takes.
struct RepeatTemplate: Equatable, Sendable {
    /// The steps as written, with the variables of the matrix filled in.
    var steps: YAMLNode
    /// The variable that holds the number of the round.
    var variable: String
    /// Whether the rounds differ at all.
    var usesVariable: Bool
    var text: SourceText
    var vocabulary: Vocabulary
    var actors: [ActorDefinition]
    var within: Duration
    var requirements: [String]
    var stepRequirements: [String]

    init(steps: YAMLNode, variable: String, context: ReadingContext) {
        self.steps = steps
        self.variable = variable
        usesVariable = VariableSubstitution.mentions(variable, in: steps)
        text = context.text
        vocabulary = context.vocabulary
        actors = context.actors
        within = context.within
        requirements = context.requirements
        stepRequirements = context.stepRequirements
    }

    func steps(round: Int, firstRound: [Step]) throws(RepeatError) -> [Step] {
        guard usesVariable, round != 0 else { return firstRound }
        let context = ReadingContext(text: text, vocabulary: vocabulary)
        context.actors = actors
        context.within = within
        context.requirements = requirements
        context.stepRequirements = stepRequirements
        let steps = read(round: round, context: context)
        guard context.sink.errorCount == 0 else {
            throw RepeatError(round: round, diagnostics: context.sink.sorted)
        }
        return steps
    }

    /// Reads the steps of a round; mistakes go to `context`.
    func read(round: Int, context: ReadingContext) -> [Step] {
        let substitution = VariableSubstitution(values: [MatrixVariable(name: variable, value: String(round))])
        return StepReader(context: context).steps(substitution.apply(to: steps), of: "repeat")
    }
}
