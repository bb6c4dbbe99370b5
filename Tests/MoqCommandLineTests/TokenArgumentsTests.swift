import MoqBase
import MoqTokens
import Testing

@testable import MoqCommandLine

@Suite struct TokenArgumentsTests {
    private let folder: TemporaryFolder
    private let key: JSONWebKey
    private let keyFile: String

    init() throws {
        folder = try TemporaryFolder()
        var random = SeededRandom(seed: 1)
        key = try JSONWebKey.generate(.es256, id: "k1", random: &random)
        keyFile = try folder.write("key.jwk", key.fileText + "\n")
    }

    private func options(_ words: String...) throws -> (token: String?, key: JSONWebKey?) {
        let options = try RunArguments(Samples.parsed(.run, ["--relay", "moqt://r:1/anon"] + words))
            .options(cases: [], seed: 1, keyLogPath: nil, moqspecVersion: "1", startedAt: "")
        return (options.token, options.tokenKey)
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message { _ = try RunArguments(Samples.parsed(.run, words)) }
    }

    @Test func tokenAndKeyReachTheRun() throws {
        #expect(try options().token == nil)
        #expect(try options("--token", "abc").token == "abc")
        #expect(try options("--token-file", try folder.write("token", "  abc\n")).token == "abc")
        #expect(try options("--token-key", keyFile).key == key)
        #expect(
            try options("--token-key", try folder.write("key.json", String(decoding: key.json, as: UTF8.self))).key
                == key)
    }

    @Test func mistakesAreToldWithoutTheToken() throws {
        let secret = "s3cr3t word"
        let long = String(repeating: "s3cr3t", count: 2000)
        for words in [["--token", secret], ["--token-file", try folder.write("t", secret)], ["--token", long]] {
            let told = try #require(Samples.message { _ = try RunArguments(Samples.parsed(.run, words)) })
            #expect(told.hasPrefix("--token"))
            #expect(!told.contains("s3cr3t"))
        }
        #expect(complaint("--token", "a", "--token-file", "b")?.contains("give one of them") == true)
        #expect(complaint("--token-file", "/nowhere/at/all")?.contains("--token-file /nowhere/at/all") == true)
        #expect(complaint("--token", "abc")?.contains("the embedded relay has a key of its own") == true)
        let broken = try folder.write("broken", "{\"alg\":\"HS256\",\"k\":\"s3cr3t\"}")
        let told = try #require(complaint("--token-key", broken))
        #expect(told == "--token-key \(broken): the key cannot be used: its `k` is no base64url")
    }

    @Test func theCommandThatRunsACaseAgainHoldsNoToken() throws {
        let arguments = try RunArguments(
            Samples.parsed(.run, ["--relay", "moqt://r:1/anon", "--token", "s3cr3t", "--token-key", keyFile]))
        let command = arguments.rerun(program: "moqspec", seed: 1).prefix
        #expect(!command.contains("s3cr3t"))
        #expect(command.contains("--token REDACTED --token-key \(keyFile)"))
    }

    @Test func aRelayWithAKeyOpensNothingUnlessToldSo() throws {
        func relay(_ words: String...) throws -> RelayArguments {
            try RelayArguments(Samples.parsed(.relay, words))
        }
        #expect(try relay().tokenKey == nil)
        #expect(try relay().publicPrefix?.text == "anon")
        let closed = try relay("--key", keyFile)
        #expect(closed.tokenKey == key)
        #expect(closed.publicPrefix == nil)
        #expect(try relay("--key", keyFile, "--public", "open").publicPrefix?.text == "open")
        #expect(Samples.message { _ = try RelayArguments(Samples.parsed(.relay, ["--key", "/none"])) } != nil)
    }

    @Test func aComplaintAboutAURLHoldsNoToken() throws {
        let outcome = try Program.run("run", "--relay", "nonsense?jwt=s3cr3t-value")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("jwt=REDACTED"))
        #expect(!(outcome.errors + outcome.output).contains("s3cr3t"))
    }
}
