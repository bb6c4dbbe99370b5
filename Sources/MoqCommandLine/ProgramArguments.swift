import MoqBase
import MoqRunner
import MoqScenario

/// The flags `--program`: commands of outside programs.
public enum ProgramArguments {
    /// The commands that were given.
    static func commands(_ arguments: ParsedArguments) throws(UsageError) -> [ProgramCommand] {
        var commands: [ProgramCommand] = []
        for text in arguments.values(of: "program") {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex,
                text[..<sign].allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) })
            else {
                throw UsageError(
                    "--program \(text): it is the name of a program and its command, such as "
                        + "publisher='python3 publish.py {url} {broadcast}'")
            }
            let name = String(text[..<sign])
            guard !commands.contains(where: { $0.name == name }) else {
                throw UsageError("--program \(name): there are two commands for it; give one")
            }
            let words = try words(String(text[sign...].dropFirst()), of: name)
            guard words.first?.isEmpty == false else { throw UsageError("--program \(name): there is no command") }
            for word in words { try checkDetails(word, of: name) }
            commands.append(ProgramCommand(name: name, words: words))
        }
        return commands
    }

    /// Refuses commands for programs that no scenario has.
    public static func check(_ commands: [ProgramCommand], against suites: [Suite]) throws(UsageError) {
        guard !commands.isEmpty else { return }
        var known: [String] = []
        for actor in suites.flatMap(\.cases).flatMap(\.actors)
        where actor.kind == .program && !known.contains(actor.programName) {
            known.append(actor.programName)
        }
        for command in commands where !known.contains(command.name) {
            let question = NearestWord.of(command.name, among: known).map { "; did you mean `\($0)`?" } ?? ""
            throw UsageError("--program \(command.name): no scenario here has a program of that name\(question)")
        }
    }

    /// The words of a command as a shell splits them: at blanks that no quote or backslash protects. Nothing else means
    /// anything here.
    static func words(_ text: String, of name: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                // Inside double quotes a backslash protects what means something there.
                if quote != nil, !"\"\\".contains(character) { word = (word ?? "") + "\\" }
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote != nil {
                word = (word ?? "") + String(character)
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw UsageError("--program \(name): the quote \(quote) does not end") }
        if isEscaped { throw UsageError("--program \(name): the command ends with a backslash") }
        if let word { words.append(word) }
        return words
    }

    private static func checkDetails(_ word: String, of name: String) throws(UsageError) {
        let known = ProgramCommand.Detail.allCases
        var rest = word[...]
        while let open = rest.firstIndex(of: "{") {
            rest = rest[open...].dropFirst()
            guard let close = rest.firstIndex(of: "}") else { return }
            let inner = rest[..<close]
            // Braces around anything but a name, as in JSON, are the program's own.
            guard !inner.isEmpty, inner.allSatisfy({ $0.isLowercase || $0 == "_" }) else { continue }
            guard known.contains(where: { $0.rawValue == inner }) else {
                throw UsageError(
                    "--program \(name): nothing is known as {\(inner)}; there are \(known.map(\.text).joined(separator: ", "))"
                )
            }
            if inner == ProgramCommand.Detail.arguments.rawValue, word != ProgramCommand.Detail.arguments.text {
                throw UsageError("--program \(name): {arguments} are words of their own, and cannot stand in `\(word)`")
            }
        }
    }
}
