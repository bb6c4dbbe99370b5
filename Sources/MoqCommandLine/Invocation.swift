import MoqBase

/// What a command line asks for.
public enum Invocation: Equatable, Sendable {
    /// Help about a command, or about all.
    case help(CommandDescription?)
    /// The version of moqspec.
    case version
    /// A command with its flags.
    case command(CommandDescription, ParsedArguments)

    /// Reads the words after the program's name.
    public init(_ words: [String]) throws(UsageError) {
        guard let first = words.first else {
            throw UsageError("a command is missing (\(Self.names.joined(separator: ", ")))")
        }
        switch first {
        case "--help": self = .help(nil)
        case "--version": self = .version
        case "help":
            guard let topic = words.dropFirst().first else {
                self = .help(nil)
                return
            }
            self = .help(try Self.command(topic))
        default:
            let command = try Self.command(first)
            let words = Array(words.dropFirst())
            if words.prefix(while: { $0 != "--" }).contains("--help") {
                self = .help(command)
            } else {
                self = .command(command, try FlagParser(command).parse(words))
            }
        }
    }

    private static let names = CommandDescription.all.map(\.name)

    private static func command(_ word: String) throws(UsageError) -> CommandDescription {
        if let command = CommandDescription.all.first(where: { $0.name == word }) { return command }
        if word.hasPrefix("-") {
            let general = ["--help", "--version"]
            let candidate = word == "-h" ? "--help" : "-\(word)"
            let meant = general.contains(candidate) ? candidate : NearestWord.of(word, among: general)
            let question = meant.map { "; did you mean `\($0)`?" } ?? "; flags follow the command, as in moqspec run"
            throw UsageError("`\(word)` is no flag of moqspec\(question)")
        }
        throw .unknown("command", word, among: names)
    }
}
