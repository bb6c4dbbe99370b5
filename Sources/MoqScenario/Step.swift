/// One step of a scenario.
public struct Step: Equatable, Sendable {
    /// What it does.
    public var kind: StepKind
    /// The name that the author gave it, for `after`.
    public var name: String?
    /// Where it is written.
    public var location: SourceLocation
    /// Its line in the file, without indentation.
    public var source: String
    /// Those of the scenario's requirements that it puts to the test, its own or of the step around it; empty when it
    /// does not say.
    public var requirements: [String] = []
}

/// What a step does.
public indirect enum StepKind: Equatable, Sendable {
    /// A session actor does something.
    case session(actor: String, SessionAction)
    /// The application behind a client kit calls it.
    case client(actor: String, ClientCall)
    /// Something is done with an outside program.
    case program(actor: String, ProgramAction)
    /// Something is done to the relay under test.
    case relay(RelayAction)
    /// The link changes.
    case network(NetworkAction)
    /// Waits until something has happened.
    case expect(ExpectStep)
    /// From here on something must not happen.
    case never(NeverStep)
    /// Branches that run side by side; the step ends when all branches have. A branch that repeats for ever is
    /// stopped once the others have ended.
    case parallel([[Step]])
    /// Steps again and again.
    case `repeat`(RepeatStep)
    /// Steps that begin some time after another step ended.
    case after(AfterStep)
    /// Nothing for a while.
    case wait(Duration)
}

/// Waits until what it names has happened.
public struct ExpectStep: Equatable, Sendable {
    /// The actor that looks.
    public var actor: String
    /// What must have happened.
    public var condition: ExpectationTree
    /// How long it may take, counted from the beginning of the step.
    public var within: Duration
    /// How long it must then stay true; nil when once is enough.
    public var holds: Duration?
}

/// Something that must not happen.
public struct NeverStep: Equatable, Sendable {
    /// The actor that looks.
    public var actor: String
    /// What must not happen.
    public var condition: ExpectationTree
    /// How long it is forbidden, during which the scenario waits; nil for as long as the case lasts, without waiting.
    public var duration: Duration?
}

/// Steps that begin some time after another step ended.
public struct AfterStep: Equatable, Sendable {
    /// The name of the step from whose end the delay counts; nil for the step before this one.
    public var since: String?
    /// How long after it.
    public var delay: Duration
    /// What then happens.
    public var steps: [Step]
}
