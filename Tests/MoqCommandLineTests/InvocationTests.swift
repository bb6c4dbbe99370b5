import Testing

@testable import MoqCommandLine

@Suite struct InvocationTests {
    @Test func theFirstWordSelectsTheCommand() throws {
        guard case .command(let command, let arguments) = try Invocation(["lint", "--strict", "x"]) else {
            Issue.record("no command")
            return
        }
        #expect(command.name == "lint")
        #expect(arguments.operands == ["x"])
    }

    @Test func helpIsGivenWhereverItIsAskedFor() throws {
        #expect(try Invocation(["--help"]) == .help(nil))
        #expect(try Invocation(["help"]) == .help(nil))
        #expect(try Invocation(["help", "relay"]) == .help(.relay))
        #expect(try Invocation(["run", "--nonsense", "--help"]) == .help(.run))
        #expect(try Invocation(["--version"]) == .version)
    }

    @Test func helpBehindTwoDashesIsAnOperand() throws {
        guard case .command(_, let arguments) = try Invocation(["run", "--", "--help"]) else {
            Issue.record("no command")
            return
        }
        #expect(arguments.operands == ["--help"])
    }

    @Test func anUnknownCommandIsRefusedWithTheNearestOne() {
        #expect(
            Samples.message { _ = try Invocation(["rnu"]) }
                == "`rnu` is no command; did you mean `run`?")
        #expect(
            Samples.message { _ = try Invocation([]) }
                == "a command is missing (run, probe, list, explain, lint, schema, machines, trace, coverage, report, "
                + "new, hops, relay, publish, watch, mutate)"
        )
        #expect(
            Samples.message { _ = try Invocation(["-version"]) }
                == "`-version` is no flag of moqspec; did you mean `--version`?")
    }

    @Test(arguments: CommandDescription.all) func theHelpOfACommandNamesAllOfItsFlags(_ command: CommandDescription) {
        let text = HelpText.text(command)
        for flag in command.flags { #expect(text.contains("--\(flag.name)"), "\(flag.name)") }
        #expect(command.flag("help") != nil)
        for example in command.examples {
            let words = example.line.split(separator: " ").map { String($0.filter { $0 != "'" }) }
            #expect(words.first == command.name)
        }
    }

    @Test func helpFitsATerminal() {
        let texts = CommandDescription.all.map { HelpText.text($0) } + [HelpText.general(version: "1")]
        for line in texts.joined(separator: "\n").split(separator: "\n") where !line.hasPrefix("  moqspec ") {
            #expect(line.count <= HelpText.width, "\(line)")
        }
    }

    @Test func wordsAreWrappedAtTheWidthAndNotBefore() {
        #expect(HelpText.wrapped("aa bb cc", to: 5) == ["aa bb", "cc"])
        #expect(HelpText.wrapped("aaaaaaaa b", to: 5) == ["aaaaaaaa", "b"])
    }
}
