/// What `--help` prints, made from the descriptions of the commands.
public enum HelpText {
    /// The width that lines are broken to: the usual width of a terminal.
    static let width = 80
    /// Where the explanations begin.
    static let column = 26

    /// The help about all commands.
    public static func general(version: String) -> String {
        var lines = ["moqspec \(version): conformance and interop tests for moq-lite relays", ""]
        lines += ["usage: moqspec COMMAND [FLAG...]", "", "commands:"]
        for command in CommandDescription.all { lines += entry(command.name, command.summary) }
        lines += ["", "flags:"]
        lines += entry("--help", "Show this help; moqspec COMMAND --help shows that of a command.")
        lines += entry("--version", "Show the version.")
        lines += ["", "exit status:"]
        for status in statuses { lines += entry(status.0, status.1, column: 12) }
        return lines.joined(separator: "\n")
    }

    /// The help about one command.
    public static func text(_ command: CommandDescription) -> String {
        let operands = command.operands.map { " \($0)" } ?? ""
        var lines = ["usage: moqspec \(command.name) [FLAG...]\(operands)", "", command.summary]
        for paragraph in command.about { lines += [""] + wrapped(paragraph, to: width) }
        lines += ["", "flags:"]
        for flag in command.flags {
            let name = "--\(flag.name)" + (flag.value.map { " \($0)" } ?? "")
            lines += entry(name, flag.help + (flag.isRepeatable ? " Repeatable." : ""))
        }
        if !command.examples.isEmpty { lines += ["", "examples:"] }
        for example in command.examples { lines += ["  moqspec \(example.line)"] + indented(example.purpose, by: 6) }
        return lines.joined(separator: "\n")
    }

    private static let statuses = [
        ("0", "everything holds, and at least one case ran"),
        ("1", "the relay does not conform"),
        ("2", "the command line, a pattern or a scenario file is wrong; nothing ran"),
        ("3", "the relay or the environment could not be used"),
        ("4", "the list of known failures is not true any more"),
        ("5", "nothing was checked, or a case did not reach what it had to"),
        ("6", "a case did not end in the same way in every round of --repeat"),
        ("124", "the deadline of the run passed; what had finished is reported"),
        ("130, 143", "interrupted (SIGINT, SIGTERM); what had finished is reported"),
    ]

    private static func entry(_ name: String, _ text: String, column: Int = column) -> [String] {
        var lines = indented(text, by: column)
        if name.count + 4 <= column, let first = lines.first {
            let head = "  \(name)"
            lines[0] = head + first.dropFirst(head.count)
            return lines
        }
        return ["  \(name)"] + lines
    }

    private static func indented(_ text: String, by count: Int) -> [String] {
        wrapped(text, to: width - count).map { String(repeating: " ", count: count) + $0 }
    }

    /// The text in lines of at most `width` characters, unless a word is longer.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
