import MoqReport
import MoqRunner
import MoqTransport
import MoqWire
import Testing

@testable import MoqCommandLine

@Suite struct RunArgumentsTests {
    private func arguments(_ words: String...) throws -> RunArguments {
        try RunArguments(Samples.parsed(.run, words))
    }

    private func complaint(_ words: String...) -> String? {
        Samples.message { _ = try RunArguments(Samples.parsed(.run, words)) }
    }

    private func options(_ arguments: RunArguments) -> RunOptions {
        arguments.options(cases: [], seed: 9, keyLogPath: "keys", moqspecVersion: "1", startedAt: "then")
    }

    @Test func withoutFlagsTheUsualIsDone() throws {
        let arguments = try arguments()
        let options = options(arguments)
        #expect(options.target == .embedded)
        #expect(options.trust == .systemRoots)
        #expect(options.jobs == 96)
        #expect(self.options(try self.arguments("--simulate")).jobs == 4)
        #expect(self.options(try self.arguments("--relay", "moqt://localhost:4443/anon")).jobs == 4)
        #expect(options.deadline == nil && options.caseDeadline == nil)
        #expect(options.connectTimeout == .seconds(5))
        #expect(options.generation == nil)
        #expect(!options.isSimulated && !options.isStrict)
        #expect(options.seed == 9 && options.keyLogPath == "keys")
        #expect(arguments.seed == nil)
        #expect(arguments.verbosity == .normal)
        #expect(arguments.reports.isEmpty)
    }

    @Test func everyFlagReachesItsOption() throws {
        let arguments = try arguments(
            "a", "--relay", "moqt://[::1]:4443/anon?jwt=x", "--tls-root", "ca.pem", "--tls-root", "b.pem", "--jobs",
            "8",
            "--timeout", "2min", "--case-timeout", "500ms", "--connect-timeout", "1s", "--patience", "3",
            "--generation", "first",
            "--with", "path-scoping", "--without", "takeover", "--without", "late-join@05,06", "--strict", "--seed",
            "77", "--verbose", "--no-color",
            "--report", "junit=j.xml", "--report", "events=-")
        let options = options(arguments)
        #expect(options.target == .url(try RelayURL("moqt://[::1]:4443/anon?jwt=x")))
        #expect(options.trust == .roots(["ca.pem", "b.pem"]))
        #expect(options.jobs == 8)
        #expect(options.deadline == .seconds(120))
        #expect(options.caseDeadline == .milliseconds(500))
        #expect(options.connectTimeout == .seconds(1))
        #expect(options.patience == 3)
        #expect(options.generation == .first)
        #expect(options.capabilitiesAdded == ["path-scoping"])
        #expect(options.capabilitiesRemoved == ["takeover", "late-join@05", "late-join@06"])
        #expect(options.isStrict)
        #expect(arguments.seed == 77)
        #expect(arguments.paths == ["a"])
        #expect(arguments.verbosity == .verbose && arguments.noColor)
        #expect(
            arguments.reports == [ReportRequest(kind: .junit, path: "j.xml"), ReportRequest(kind: .events, path: nil)])
    }

    @Test func aRelayCanBeStarted() throws {
        #expect(
            try arguments("--relay-command", "relay {port}").target
                == .command("relay {port}", path: "/anon", outputPath: "reports/relay.log"))
        #expect(
            try arguments("--relay-command", "r {port}", "--relay-path=/x", "--relay-output=o.log").target
                == .command("r {port}", path: "/x", outputPath: "o.log"))
        #expect(complaint("--relay-command", "relay")?.contains("no {port}") == true)
        #expect(complaint("--relay-path", "/x")?.contains("no --relay-command") == true)
        #expect(complaint("--relay-command", "r {port}", "--relay-path", "x")?.contains("slash") == true)
        #expect(complaint("--relay-command", "r {port}", "--relay", "embedded")?.contains("two relays") == true)
    }

    @Test func aFingerprintIsTakenAsToolsPrintIt() throws {
        let digits = String(repeating: "aB", count: 32)
        let pairs = Array(repeating: "AB", count: 32).joined(separator: ":")
        let words = ["--relay", "moqt://localhost:1", "--fingerprint", digits, "--fingerprint", pairs]
        let expected = String(repeating: "ab", count: 32)
        #expect(try RunArguments(Samples.parsed(.run, words)).trust == .fingerprints([expected, expected]))
        #expect(complaint("--relay", "moqt://localhost:1", "--fingerprint", "abc")?.contains("64 hexadecimal") == true)
    }

    @Test func whatDoesNotGoTogetherIsRefused() {
        #expect(complaint("--quiet", "--verbose")?.contains("contradict") == true)
        #expect(complaint("--simulate", "--relay", "moqt://localhost:1")?.contains("embedded") == true)
        #expect(complaint("--with", "takeover", "--without", "takeover")?.contains("contradict") == true)
        #expect(complaint("--without", "takeover@09")?.contains("`09` is no version") == true)
        #expect(complaint("--without", "takeovr@05")?.contains("takeover") == true)
        #expect(complaint("--with", "takeover@05")?.contains("only --without is about some versions") == true)
        #expect(
            complaint("--with", "takeovr") == "--with: `takeovr` is no capability; did you mean `takeover`?")
        #expect(complaint("--explain", "--report", "junit=x")?.contains("--explain runs nothing") == true)
        #expect(complaint("--profile", "drft")?.hasPrefix("--profile: `drft` is no profile") == true)
        #expect(complaint("--insecure")?.contains("embedded") == true)
        #expect(
            complaint("--relay", "moqt://localhost:1", "--insecure", "--tls-root", "x")?.contains("two ways") == true)
        #expect(complaint("--report", "junit=x", "--report", "json=x")?.contains("two reports") == true)
    }

    @Test func wrongValuesAreRefusedWithWhatWouldBeRight() {
        #expect(complaint("--jobs", "0") == "--jobs 0: it is a whole number from 1 to 256")
        #expect(complaint("--jobs", "x") == "--jobs x: it is a whole number from 1 to 256")
        #expect(complaint("--seed", "-1") == "--seed -1: it is a whole number from 0 to 18446744073709551615")
        #expect(complaint("--timeout", "5")?.hasSuffix("did you mean `5s`?") == true)
        #expect(complaint("--timeout", "0s") == "--timeout 0s: it must be more than nothing")
        #expect(complaint("--generation", "frist")?.hasSuffix("did you mean `first`?") == true)
        #expect(complaint("--with", "path-scopin")?.hasSuffix("did you mean `path-scoping`?") == true)
        #expect(complaint("--report", "juint=x")?.hasSuffix("did you mean junit?") == true)
        #expect(
            complaint("--relay", "embeded") == "--relay embeded: it is `embedded`, or a URL such as "
                + "moqt://localhost:4443/anon")
        #expect(
            complaint("--relay", "htps://localhost:4443/anon")
                == "--relay: `htps` is no scheme of a relay; known are moqt, moql, https, http, ws, wss, tcp, tls")
        #expect(complaint("--relay", "tcp://localhost")?.contains("names no port") == true)
        #expect(complaint("--relay", "ws://a:1", "--relay", "wss://a:2")?.contains("two URLs for websocket") == true)
        #expect(complaint("--relay", "ws://a:1", "--relay", "embedded")?.contains("name two relays") == true)
        #expect(complaint("--relay", "ws://a:1", "--tls")?.contains("wss://") == true)
        #expect(complaint("--compare-transports", "--transport", "auto")?.contains("contradict") == true)
    }

    @Test func theCommandForOneCaseHasTheSeedAndNotWhatSelectsCasesOrNamesFiles() throws {
        let arguments = try arguments(
            "some where", "--filter", "x", "--relay-command", "relay {port}", "--insecure", "--seed=5", "--quiet",
            "--report=junit=x", "--jobs=2")
        #expect(
            arguments.rerun(program: ".build/moqspec", seed: 12).prefix
                == ".build/moqspec run --relay-command 'relay {port}' --insecure --seed 12 'some where' --filter"
        )
    }
}
