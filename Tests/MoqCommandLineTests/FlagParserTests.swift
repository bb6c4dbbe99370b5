import Testing

@testable import MoqCommandLine

@Suite struct FlagParserTests {
    private func run(_ words: String...) throws -> ParsedArguments {
        try Samples.parsed(.run, words)
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message { _ = try Samples.parsed(.run, words) }
    }

    @Test func aValueFollowsItsFlagOrIsAttachedToIt() throws {
        #expect(try run("--jobs", "3").value(of: "jobs") == "3")
        #expect(try run("--jobs=3").value(of: "jobs") == "3")
        #expect(try run("--report=junit=a=b").value(of: "report") == "junit=a=b")
        #expect(try run("--report", "junit=-").value(of: "report") == "junit=-")
    }

    @Test func flagsAndOperandsKeepTheirOrder() throws {
        let parsed = try run("b", "--filter", "x", "a", "--strict", "--filter=y")
        #expect(parsed.operands == ["b", "a"])
        #expect(parsed.values(of: "filter") == ["x", "y"])
        #expect(parsed.has("strict"))
        #expect(!parsed.has("quiet"))
    }

    @Test func whatFollowsTwoDashesIsAnOperand() throws {
        let parsed = try run("--strict", "--", "--jobs", "-x")
        #expect(parsed.operands == ["--jobs", "-x"])
        #expect(parsed.flags.map(\.name) == ["strict"])
    }

    @Test func anUnknownFlagIsRefusedWithTheNearestOne() {
        #expect(complaint("--filer", "x") == "`--filer` is no flag of moqspec run; did you mean `--filter`?")
        #expect(complaint("--zzzzzz") == "`--zzzzzz` is no flag of moqspec run")
    }

    @Test func namesAreNotShortened() {
        #expect(complaint("--filt", "x") == "`--filt` is no flag of moqspec run; did you mean `--filter`?")
        #expect(complaint("-j", "3") == "`-j` is no flag of moqspec run; did you mean `--jobs`?")
        #expect(complaint("-strict") == "`-strict` is no flag of moqspec run; did you mean `--strict`?")
    }

    @Test func aMissingValueIsNoticed() {
        #expect(complaint("--jobs") == "--jobs needs a value: --jobs N")
        #expect(complaint("--jobs", "--strict") == "--jobs needs a value: --jobs N, and `--strict` is a flag")
    }

    @Test func aValueTooManyIsNoticed() {
        #expect(complaint("--strict=yes") == "--strict takes no value, and it was given `yes`")
        #expect(complaint("--jobs=1", "--jobs=2") == "--jobs is given twice; it can be given once")
    }

    @Test func aCommandWithoutOperandsTakesNone() {
        let text = Samples.message { _ = try Samples.parsed(.relay, ["4443"]) }
        #expect(text == "moqspec relay takes flags only, and `4443` is none")
    }
}
