import Foundation
import MoqBase
import MoqEvents
import MoqReport
import MoqScenario
import MoqTokens
import MoqWire
import Testing

@testable import MoqRunner

struct TokenTests {
    private let key: JSONWebKey
    private let mint: TokenMint
    private let prefix: BroadcastPath

    init() throws {
        key = try TokenMint.freshKey(seed: 1)
        mint = TokenMint(key: key, epoch: .seconds(1000))
        prefix = try BroadcastPath("c1")
    }

    private func claims(_ token: TokenDefinition, path: String = "/anon?x=1", at now: Instant = .origin) throws
        -> TokenClaims
    {
        let request = try mint.request(path, for: .own(.minted(token), prefix: prefix), at: now)
        #expect(RequestToken.path(of: request) == RequestToken.path(of: path))
        return try key.verify(try #require(RequestToken.token(of: request)), at: .zero)
    }

    @Test func aTokenSpeaksOfThePathsOfItsCase() throws {
        var token = TokenDefinition()
        #expect(
            try claims(token) == TokenClaims(root: "/anon", publish: ["c1"], subscribe: ["c1"], issued: 1000))
        token.publish = .prefixes(["a", "b/c"])
        token.subscribe = .none
        token.expires = .after(.milliseconds(1500))
        let now = Instant.origin.advanced(by: .milliseconds(100))
        #expect(
            try claims(token, at: now)
                == TokenClaims(root: "/anon", publish: ["c1/a", "c1/b/c"], expires: 1002, issued: 1000))
        token.expires = .before(.seconds(60))
        #expect(try claims(token).expires == 940)
    }

    @Test func withARootOfItsOwnItIsTakenAsItStands() throws {
        var token = TokenDefinition()
        token.root = "/room"
        token.publish = .prefixes(["a"])
        #expect(try claims(token) == TokenClaims(root: "/room", publish: ["a"], subscribe: [""], issued: 1000))
    }

    @Test func badTokensAreBadInTheWayThatIsAskedFor() throws {
        func problem(_ change: (inout TokenDefinition) -> Void) throws -> TokenError? {
            var token = TokenDefinition()
            change(&token)
            let request = try mint.request("/", for: .own(.minted(token), prefix: prefix), at: .origin)
            let text = try #require(RequestToken.token(of: request))
            do {
                _ = try key.verify(text, at: .seconds(1000))
                return nil
            } catch { return error }
        }
        #expect(try problem { _ in } == nil)
        #expect(try problem { $0.key = .wrong } == .wrongSignature)
        #expect(try problem { $0.algorithm = .wrong } == .wrongAlgorithm(key: .hs256))
        #expect(try problem { $0.algorithm = .none } == .wrongAlgorithm(key: .hs256))
        #expect(try problem { $0.expires = .before(.seconds(1)) } == .expired(ago: .seconds(1)))
    }

    @Test func sessionsThatSayNothingGetWhatTheRunGives() throws {
        var external = TokenMint(key: key, mintsForAll: true)
        let minted = try external.request("/anon", for: .usual, at: .origin)
        #expect(
            try key.verify(try #require(RequestToken.token(of: minted)), at: .zero)
                == TokenClaims(root: "/anon", publish: [""], subscribe: [""]))
        #expect(try external.request("/anon?jwt=own", for: .usual, at: .origin) == "/anon?jwt=own")
        external.usual = "given"
        #expect(try external.request("/anon?jwt=own", for: .usual, at: .origin) == "/anon?jwt=given")
        #expect(try external.request("/anon?jwt=own", for: .own(.none, prefix: prefix), at: .origin) == "/anon")
        #expect(try mint.request("/anon", for: .usual, at: .origin) == "/anon")
        #expect(throws: RunnerError.self) {
            try TokenMint().request("/", for: .own(.minted(TokenDefinition()), prefix: prefix), at: .origin)
        }
    }

    @Test func withoutAKeyACaseWithATokenIsSkippedAndSaysWhy() throws {
        let vocabulary = Vocabulary(conditions: [], capabilities: [], versions: [Version.lite06.description])
        let yaml = "suite: tested\nabout: A test.\nscenarios:\n" + Self.refused
        let loaded = SuiteLoader(vocabulary: vocabulary).load([
            ScenarioFile(path: "tested.yaml", bytes: Array(yaml.utf8))
        ])
        let scenario = try #require(loaded.suites.first?.cases.first)
        var findings = TargetFindings(
            receptions: [.init(transport: .one(.quic), versions: [.lite06])], evidence: "")
        let reason = "the key with which the relay verifies tokens is not known (--token-key FILE gives it)"
        #expect(findings.reasonToSkip(scenario) == reason)
        findings.hasTokenKey = true
        #expect(findings.reasonToSkip(scenario) == nil)
    }

    private static let refused = """
        - id: tested.refused
          title: A guest with a bad token is let in
          requirements: [a.b]
          matrix: { version: 06 }
          actors: { guest: { kind: session, path: /private, token: { key: wrong } } }
          steps:
            - guest.connect: {}
        """

    /// A case that fails with a token in its hands, and everything that is written of it.
    @Test func noTokenGetsIntoAnythingThatIsWritten() throws {
        let token = try key.sign(TokenClaims(root: "elsewhere", publish: [""]))
        let run = try TestRun.of(Self.refused + "\n" + Self.hostile(token)) { $0.seed = 1 }
        #expect(run.verdicts.count == 2 && run.verdicts.allSatisfy { $0 != .pass }, "\(run.story)")
        var results = RunResults()
        var console = ConsoleReport(
            ConsoleReport.Options(
                verbosity: .verbose, rerun: Rerun(prefix: "moqspec run --relay 'moqt://r/?jwt=\(token)' --filter")))
        var written: [String] = []
        for event in run.events {
            results.apply(event)
            written.append(String(decoding: EventCodec.encode(event), as: UTF8.self))
            written += console.lines(for: event)
        }
        written += console.linesAtStop()
        let rerun = Rerun(prefix: "moqspec run --relay 'moqt://r/?jwt=\(token)' --filter")
        written.append(String(decoding: JSONReport(results, rerun: rerun).bytes(), as: UTF8.self))
        written.append(JUnitReport(results, rerun: rerun).text())
        let bytes = Array(token.utf8)
        let body = String(token.dropFirst(4).dropLast(4))
        for text in written {
            #expect(!text.contains(body))
            #expect(!text.lowercased().contains(Hex.text(bytes.dropFirst(4).dropLast(4))))
            for cut in 0..<3 {
                #expect(!text.contains(Data(bytes.dropFirst(3 + cut).dropLast(6)).base64EncodedString().dropLast(4)))
            }
        }
        // What stands beside a token is told.
        #expect(written.contains { $0.contains("jwt=REDACTED") })
    }

    /// A session that shows a token to everybody who writes anything down.
    private static func hostile(_ token: String) -> String {
        let hexadecimal = Hex.text(Array("/x?jwt=\(token)".utf8))
        let base64 = Data("/x?jwt=\(token)".utf8).base64EncodedString()
        return """
            - id: tested.hostile
              title: A viewer asks for what is named after a token /x?jwt=\(token)
              requirements: [a.b]
              matrix: { version: 06 }
              actors: { viewer: { kind: session, path: "/anon/x?jwt=\(token)" }, camera: session }
              steps:
                - camera.publish: { broadcast: "\(token)", tracks: ["\(base64)"] }
                - viewer.connect: { expect: { refused: not_found } }
                - viewer.expect: { announced: "\(hexadecimal)", within: 100ms }
            """
    }
}
