/// One flag of a command: always long, in kebab case.
public struct Flag: Hashable, Sendable {
    /// The name without its two dashes.
    public var name: String
    /// What its value is, as the help shows it (`DURATION`); nil for a flag that is only there or not.
    public var value: String?
    /// Whether it may be given several times.
    public var isRepeatable: Bool
    /// What it does, for the help.
    public var help: String

    /// A flag.
    public init(_ name: String, _ value: String? = nil, isRepeatable: Bool = false, help: String) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }
}

/// A command and all that can be said to it: the one source of its parser, its help and its suggestions.
public struct CommandDescription: Hashable, Sendable {
    /// The word that selects it.
    public var name: String
    /// What it does, in one line.
    public var summary: String
    /// What follows the flags, as the help shows it (`[PATH...]`); nil when nothing may follow.
    public var operands: String?
    /// More about it, paragraph by paragraph.
    public var about: [String]
    /// Its flags, in the order of the help. `--help` is among them.
    public var flags: [Flag]
    /// Command lines that show how it is used, each with what it is for.
    public var examples: [Example]

    /// A command line that shows how a command is used.
    public struct Example: Hashable, Sendable {
        /// What follows `moqspec `.
        public var line: String
        /// What it is for.
        public var purpose: String
    }

    /// The flag of a name.
    public func flag(_ name: String) -> Flag? {
        flags.first { $0.name == name }
    }

    /// All commands, in the order of the help.
    public static let all: [CommandDescription] = [
        .run, .probe, .list, .explain, .lint, .schema, .machines, .trace, .coverage, .report, .new, .hops, .relay,
        .publish, .watch, .mutate,
    ]

    static let help = Flag("help", help: "Show this help.")
}
