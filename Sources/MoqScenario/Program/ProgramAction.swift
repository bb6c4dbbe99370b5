/// What a step does with an outside program.
public enum ProgramAction: Equatable, Sendable {
    /// Starts it.
    case start(StartProgramAction)
    /// Writes a line to its standard input.
    case tell(line: String)
    /// Ends its standard input.
    case endInput
    /// Sends it a signal, and does not wait.
    case signal(RelaySignal)
    /// Sends it a signal, and waits until it has ended.
    case stop(StopProgramAction)
}

/// How an outside program is started: its command is given with the run.
public struct StartProgramAction: Equatable, Sendable {
    /// The broadcast that it is about, relative to the case's path; nil for none.
    public var broadcast: String?
    /// Further arguments, one by one.
    public var arguments: [String]
}

/// How an outside program is ended.
public struct StopProgramAction: Equatable, Sendable {
    /// The signal that tells it.
    public var signal: RelaySignal
    /// How long it may take before it is killed, and the step fails.
    public var grace: Duration

    /// The grace where a step names none: what a client of the original stack needs to close its sessions many times
    /// over.
    static let usualGrace = Duration.seconds(5)
}

/// What can be seen of an outside program.
public enum ProgramExpectation: Equatable, Sendable {
    /// It runs, or does not.
    case running(Bool)
    /// It has ended so.
    case exit(ProgramExit)
    /// It printed such a line since it was started.
    case line(ProgramLinePattern)
    /// It printed such lines since it was started, in this order, whatever stood between them.
    case lines([ProgramLinePattern])
}

/// How a program ends.
public enum ProgramExit: Equatable, Sendable {
    /// In whatever way.
    case any
    /// With this exit status.
    case status(Int32)
    /// By this signal.
    case signal(RelaySignal)
}

/// A line that a program prints. What is nil may be anything.
public struct ProgramLinePattern: Equatable, Sendable {
    /// Which of its outputs.
    public enum Stream: String, CaseIterable, Equatable, Sendable {
        /// Standard output.
        case output
        /// Standard error.
        case errors
    }

    /// A member of the JSON object that the line is, by its name; dots lead into objects.
    public struct Field: Equatable, Sendable {
        /// What it is compared with.
        public enum Value: Equatable, Sendable {
            /// A text, a number, `true`, `false` or `null`, as it is written.
            case text(String)
            /// A number, or how many elements a list has.
            case count(CountExpectation)
        }
        /// Its name.
        public var name: String
        /// What it is.
        public var value: Value
    }

    /// Where it is printed.
    public var stream = Stream.output
    /// The whole line.
    public var whole: String?
    /// A part of it.
    public var part: String?
    /// A pattern for the whole of it, in which `*` stands for anything.
    public var pattern: String?
    /// Members of the JSON object that it is.
    public var fields: [Field] = []
}
