import MoqBase

/// What was said to a command, before anything of it is understood.
public struct ParsedArguments: Equatable, Sendable {
    /// One flag as it was given.
    public struct Given: Equatable, Sendable {
        /// The name without its dashes.
        public var name: String
        /// Its value; nil for a flag that takes none.
        public var value: String?
    }

    /// The flags, in the order given.
    public var flags: [Given]
    /// What is no flag, in the order given.
    public var operands: [String]

    /// Whether a flag was given.
    public func has(_ name: String) -> Bool {
        flags.contains { $0.name == name }
    }

    /// The value of a flag that may be given once.
    public func value(of name: String) -> String? {
        flags.first { $0.name == name }?.value
    }

    /// The values of a flag, in the order given.
    public func values(of name: String) -> [String] {
        flags.filter { $0.name == name }.compactMap(\.value)
    }
}

/// Splits the words after a command into flags and operands.
///
/// `--flag value` and `--flag=value` mean the same; names are never shortened; `--` ends the flags.
public struct FlagParser {
    private let command: CommandDescription

    /// A parser for the flags of a command.
    public init(_ command: CommandDescription) {
        self.command = command
    }

    /// Takes the words apart.
    public func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var result = ParsedArguments(flags: [], operands: [])
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                for operand in words[index...] { try add(operand, to: &result) }
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                try add(word, to: &result)
                continue
            }
            let (flag, attached) = try flag(in: word)
            guard flag.isRepeatable || !result.has(flag.name) else {
                throw UsageError("--\(flag.name) is given twice; it can be given once")
            }
            var value = attached
            if let kind = flag.value, attached == nil {
                guard index < words.count, !words[index].hasPrefix("--") else {
                    let next = index < words.count ? ", and `\(words[index])` is a flag" : ""
                    throw UsageError("--\(flag.name) needs a value: --\(flag.name) \(kind)\(next)")
                }
                value = words[index]
                index += 1
            }
            if let value, flag.value == nil {
                throw UsageError("--\(flag.name) takes no value, and it was given `\(value)`")
            }
            result.flags.append(ParsedArguments.Given(name: flag.name, value: value))
        }
        return result
    }

    private func add(_ operand: String, to result: inout ParsedArguments) throws(UsageError) {
        guard command.operands != nil else {
            throw UsageError("moqspec \(command.name) takes flags only, and `\(operand)` is none")
        }
        guard !operand.isEmpty else { throw UsageError("an empty word is no path") }
        result.operands.append(operand)
    }

    /// The flag that a word names, and the value that is attached to it.
    private func flag(in word: String) throws(UsageError) -> (Flag, String?) {
        let sign = word.firstIndex(of: "=")
        let dashed = sign.map { String(word[..<$0]) } ?? word
        let value = sign.map { String(word[word.index(after: $0)...]) }
        let name = String(dashed.drop { $0 == "-" })
        guard dashed.hasPrefix("--"), let flag = command.flag(name) else {
            // A word with one dash may be a whole name (`-jobs`) or its first letter (`-j`).
            let letter = command.flags.first { name.count == 1 && $0.name.hasPrefix(name) }?.name
            let exact = command.flag(name)?.name
            let meant = exact ?? letter ?? NearestWord.of(name, among: command.flags.map(\.name))
            let question = meant.map { "; did you mean `--\($0)`?" } ?? ""
            throw UsageError("`\(dashed)` is no flag of moqspec \(command.name)\(question)")
        }
        return (flag, value)
    }
}
