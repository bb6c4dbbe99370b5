/// The command of an outside program, as a run was given it.
public struct ProgramCommand: Hashable, Sendable {
    /// What of a case stands in the place of `{name}` in the words of a command.
    public enum Detail: String, CaseIterable, Sendable {
        /// The URL of the relay, with the token in it where there is one.
        case url
        /// The path of the broadcast that the step names, as a client says it at that URL.
        case broadcast
        /// The path under which everything of the case is.
        case prefix
        /// The SHA-256 of the relay's certificate; empty where it is not known.
        case fingerprint
        /// A PEM file with what the relay's certificate is judged by; empty where there is none.
        case certificate
        /// The version of the case, `moq-lite-06`.
        case version
        /// The transport of the case.
        case transport
        /// The id of the case.
        case `case`
        /// What the step gives, one argument each; at the end of the command where it does not stand anywhere.
        case arguments

        /// As it stands in a command.
        public var text: String { "{\(rawValue)}" }
    }

    /// The folder for what programs print, where a run names none.
    public static let usualOutput = "reports/programs"

    /// The name by which scenarios know it.
    public var name: String
    /// The program and its arguments.
    public var words: [String]

    /// A command of its words, of which there is at least one.
    public init(name: String, words: [String]) {
        self.name = name
        self.words = words
    }

    /// The words for one start.
    func words(_ values: [Detail: String], arguments: [String]) -> [String] {
        var filled: [String] = []
        for word in words {
            guard word != Detail.arguments.text else {
                filled += arguments
                continue
            }
            filled.append(Self.fill(word, values))
        }
        return words.contains(Detail.arguments.text) ? filled : filled + arguments
    }

    /// A word with what stands in it, from left to right: what was put in is not looked at again.
    private static func fill(_ word: String, _ values: [Detail: String]) -> String {
        var filled = ""
        var rest = word[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            let inner = rest[open...].dropFirst()
            guard let close = inner.firstIndex(of: "}"), let name = Detail(rawValue: String(inner[..<close])),
                let value = values[name]
            else {
                filled += "{"
                rest = inner
                continue
            }
            filled += value
            rest = inner[close...].dropFirst()
        }
        return filled + rest
    }
}
