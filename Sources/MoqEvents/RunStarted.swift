/// The first event of every stream.
public struct RunStarted: Sendable, Equatable {
    /// What is under test.
    public struct Target: Sendable, Equatable {
        /// How the relay came to be there.
        public enum Kind: String, Sendable, CaseIterable {
            /// The relay inside the harness.
            case embedded
            /// A relay that somebody else runs, reached by its URL.
            case url
            /// A relay that the harness started with a command.
            case command
        }

        /// A name for people, such as `embedded` or `moq-relay 0.12.3`.
        public var description: String
        /// How the relay came to be there.
        public var kind: Kind
        /// The URL or the address; a token in it is redacted when the event is written.
        public var address: String
        /// Its release, where whoever started the run said it.
        public var release: String?
        /// What the target is said to be able to do (`needs` of a scenario), in the order given.
        public var capabilities: [String]

        /// A target.
        public init(
            description: String, kind: Kind, address: String, capabilities: [String] = [], release: String? = nil
        ) {
            self.description = description
            self.kind = kind
            self.address = address
            self.capabilities = capabilities
            self.release = release
        }
    }

    /// Where time and packets come from.
    public enum World: String, Sendable, CaseIterable {
        /// UDP sockets and the machine's clock.
        case sockets
        /// A virtual network and a virtual clock, both from the seed.
        case simulated
    }

    /// The version of the stream's grammar.
    public var schema: Int
    /// The version of moqspec that wrote the stream.
    public var moqspecVersion: String
    /// The seed of the whole run; every case has its own, derived from it.
    public var seed: UInt64
    /// What is under test.
    public var target: Target
    /// Where time and packets come from.
    public var world: World
    /// How many cases may run side by side, at least 1.
    public var jobs: Int
    /// When the run began by the wall clock, ISO 8601 with zone (`2026-08-01T12:00:00Z`), or empty when not told.
    public var started: String
    /// How many cases were selected, when that is known at the start: what a run that is cut short did not reach is
    /// counted against it.
    public var selectedCases: Int?
    /// How many times every case is played, at most; 1 unless the run repeats itself.
    public var rounds: Int
    /// What the target is held to where the draft and running code differ: `draft` or `deployed`; nil when not told.
    public var profile: String?

    /// The seed of a round, from 1, of a run with a seed: every round has the next one.
    public static func seed(_ seed: UInt64, inRound round: Int) -> UInt64 { seed &+ UInt64(clamping: round - 1) }

    /// The beginning of a run.
    public init(
        moqspecVersion: String, seed: UInt64, target: Target, world: World, jobs: Int = 1, started: String = "",
        selectedCases: Int? = nil, rounds: Int = 1, profile: String? = nil, schema: Int = EventCodec.schemaVersion
    ) {
        self.moqspecVersion = moqspecVersion
        self.seed = seed
        self.target = target
        self.world = world
        self.jobs = jobs
        self.started = started
        self.selectedCases = selectedCases
        self.rounds = rounds
        self.profile = profile
        self.schema = schema
    }
}
