/// One scenario file, checked.
public struct Suite: Equatable, Sendable {
    /// The suite's id, unique among the files of one load.
    public var id: String
    /// What the suite is about, in a sentence.
    public var about: String
    /// The path of the file, as given to the loader.
    public var file: String
    /// The scenarios, in the order of the file.
    public var scenarios: [Scenario]

    /// The cases of all scenarios, in the order of the file.
    public var cases: [ScenarioCase] { scenarios.flatMap(\.cases) }
}

/// One scenario: what all of its cases share, and the cases.
public struct Scenario: Equatable, Sendable {
    /// Stable id, unique among the files of one load.
    public var id: String
    /// What is checked, in one line.
    public var title: String
    /// More about it, where the title is not enough.
    public var about: String?
    /// Ids of the requirements that it checks.
    public var requirements: [String]
    /// Words for selecting scenarios.
    public var tags: [String]
    /// Where the scenario begins.
    public var location: SourceLocation
    /// One per combination of the matrix, in the order in which the variables are written; the last varies fastest.
    public var cases: [ScenarioCase]
}

/// Whether a case shares the relay's namespace with others.
public enum Isolation: String, CaseIterable, Equatable, Sendable {
    /// The case has a path of its own, and runs beside others.
    case path
    /// The case needs the whole namespace, and runs alone.
    case namespace
}

/// The value of one variable of the matrix in one case.
public struct MatrixVariable: Equatable, Sendable {
    /// The variable, as used in `${name}`.
    public var name: String
    /// Its value in this case.
    public var value: String
}

/// One scenario with one combination of its matrix: what the interpreter runs.
public struct ScenarioCase: Equatable, Sendable {
    /// Stable id: the scenario's id and the combination, as `errors.not-found[version=06]`. The version is written
    /// without `moq-lite-`, the transport only when it is not native QUIC.
    public var id: String
    /// Id of the suite.
    public var suite: String
    /// Id of the scenario.
    public var scenario: String
    /// What is checked, in one line.
    public var title: String
    /// Ids of the requirements that it checks.
    public var requirements: [String]
    /// Capabilities without which the case is skipped.
    public var needs: [String]
    /// Words for selecting.
    public var tags: [String]
    /// The protocol version (`moq-lite-06`) that actors use unless they name their own.
    public var version: String
    /// The transport that actors dial unless they name their own: `quic`, `webtransport`, `websocket`, `tcp`, or `auto`
    /// for a race.
    public var transport: String
    /// The other variables of the matrix.
    public var variables: [MatrixVariable]
    /// Relays of the harness's own beside the one under test, in the order in which they are declared.
    public var relays: [FurtherRelay] = []
    /// The actors, in the order in which they are declared. `relay` and `network` are among them only if declared.
    public var actors: [ActorDefinition]
    /// What happens, from top to bottom.
    public var steps: [Step]
    /// The link of every actor that does not name its own; nil for a perfect one.
    public var network: NetworkConditions?
    /// Seed of the case's randomness where the scenario fixes it (`network.seed`).
    public var seed: UInt64?
    /// What must really have happened for the verdict to count.
    public var reached: [Reached]
    /// Whether it may run beside others.
    public var isolation: Isolation
    /// The deadline of the whole case: as written, or enough for every step to use its own.
    public var timeout: Duration
    /// The error conditions that actors raise or expect by name, each once.
    public var conditions: [String] = []
    /// Ids of scenarios of the same file whose cases with the same variables must not have failed for this one to say
    /// anything.
    public var buildsOn: [String] = []
    /// Where the scenario begins.
    public var location: SourceLocation
    /// Why this combination is left out by who selects cases; nil when it is not.
    public var exclusion: String?

    /// The id of the same case on whatever transport: what all of them have in common.
    public var idOnAnyTransport: String {
        transport == "quic" ? id : id.replacing(",transport=\(transport)", with: "", maxReplacements: 1)
    }

    /// The same case over another transport.
    public func over(_ transport: String) -> ScenarioCase {
        var other = self
        other.id = idOnAnyTransport
        // The version always stands before it.
        if transport != "quic", let end = other.id.firstIndex(where: { $0 == "," || $0 == "]" }) {
            other.id.insert(contentsOf: ",transport=\(transport)", at: end)
        }
        other.transport = transport
        return other
    }

    /// The definition of an actor.
    public func actor(named name: String) -> ActorDefinition? {
        actors.first { $0.name == name }
    }
}
