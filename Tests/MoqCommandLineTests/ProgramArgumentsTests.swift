import MoqRunner
import Testing

@testable import MoqCommandLine

@Suite struct ProgramArgumentsTests {
    private func commands(_ texts: String...) throws -> [ProgramCommand] {
        let words = ["run"] + texts.flatMap { ["--program", $0] }
        return try RunArguments(parsed(words)).programs
    }

    private func parsed(_ words: [String]) throws -> ParsedArguments {
        try FlagParser(.run).parse(Array(words.dropFirst()))
    }

    @Test func aCommandIsSplitAsAShellDoesIt() throws {
        #expect(
            try commands(#"them=py 'a b' "c \"d\" \n" e\ f {url} '' x'y'z $HOME"#)
                == [
                    ProgramCommand(
                        name: "them", words: ["py", "a b", #"c "d" \n"#, "e f", "{url}", "", "xyz", "$HOME"])
                ])
    }

    @Test(
        arguments: [
            ("them", "it is the name of a program and its command"), ("=x", "it is the name of a program"),
            ("them=", "there is no command"), ("them=''", "there is no command"), ("them=a 'b", "does not end"),
            ("them=a\\", "ends with a backslash"), ("them=a {urls}", "nothing is known as {urls}"),
            ("them=a x{arguments}", "are words of their own"),
        ])
    func whatIsNoCommandIsRefused(text: String, why: String) {
        let error = #expect(throws: UsageError.self) { try commands(text) }
        #expect(error?.description.contains(why) == true, "\(String(describing: error))")
    }

    @Test func bracesOfOthersAreLeftAlone() throws {
        #expect(try commands(#"them=jq '{"a": {}}' {Case}"#)[0].words == ["jq", #"{"a": {}}"#, "{Case}"])
    }

    @Test func oneProgramHasOneCommand() {
        #expect(throws: UsageError.self) { try commands("them=a", "them=b") }
    }

    @Test func aProgramThatNoScenarioHasIsRefused() throws {
        let command = try commands("them=a")
        #expect(throws: UsageError.self) { try ProgramArguments.check(command, against: []) }
    }
}
