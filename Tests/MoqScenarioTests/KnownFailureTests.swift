import MoqBase
import Testing

@testable import MoqScenario

/// Lists of known failures, right and wrong.
@Suite struct KnownFailureTests {
    private func read(_ text: String) -> KnownFailureReading {
        KnownFailureReader(vocabulary: words).read(ScenarioFile(path: "known.yaml", bytes: Array(text.utf8))) {
            $0 == "bad" ? "the pattern is bad" : nil
        }
    }

    private static let whole = """
        known:
          - cases: [fetch.late, "fetch.x[version=06]"]
            target: { relay: "*moq-relay*", kind: command, release: "0.4.*", version: 05.., transport: quic }
            condition: not_found
            message: "*else happened*"
            requirement: fetch.answer
            reason: Groups that are gone are refused with another code
            link: https://example.org/issues/7
            expires: 2027-01-31
        """

    @Test func anEntryIsReadWhole() throws {
        let reading = read(Self.whole)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer.text(reading.diagnostics))")
        let entry = try #require(reading.entries.first)
        #expect(entry.cases.map(\.pattern) == ["fetch.late", "fetch.x[version=06]"])
        #expect(entry.cases.map(\.location.column) == [13, 25])
        #expect(entry.target.versions == ["moq-lite-05", "moq-lite-06"])
        #expect(entry.target.transports == ["quic"] && entry.target.kind == "command")
        #expect(entry.expiry == .date("2027-01-31"))
    }

    @Test func aFailureHasToBeTheOneThatIsRecorded() throws {
        let entry = try #require(read(Self.whole).entries.first)
        let headline = "viewer: something else happened"
        let right = "reset with 51 (not_found)"
        #expect(entry.isAbout(headline: headline, actual: right, requirements: ["fetch.answer", "q"]))
        #expect(!entry.isAbout(headline: headline, actual: right, requirements: ["q"]))
        #expect(!entry.isAbout(headline: "viewer: it did not happen", actual: right, requirements: ["fetch.answer"]))
        #expect(!entry.isAbout(headline: headline, actual: "not_found_at_all", requirements: ["fetch.answer"]))
        #expect(!entry.isAbout(headline: headline, actual: nil, requirements: ["fetch.answer"]))
    }

    @Test func codesOfApplicationsAreConditionsTooOneOrAll() throws {
        func entry(_ condition: String) throws -> KnownFailure {
            try #require(
                read(Self.whole.replacing("condition: not_found", with: "condition: \(condition)")).entries.first)
        }
        func isAbout(_ condition: String, _ actual: String) throws -> Bool {
            try entry(condition).isAbout(
                headline: "viewer: something else happened", actual: actual, requirements: ["fetch.answer"])
        }
        #expect(try isAbout("app(7)", "reset with 71 (app(7))"))
        #expect(try !isAbout("app(7)", "reset with 141 (app(77))"))
        #expect(try isAbout("app(n)", "reset with 141 (app(77))"))
        #expect(try !isAbout("app(n)", "reset with 51 (not_found)"))
        let wrong = read(Self.whole.replacing("condition: not_found", with: "condition: app(70000)"))
        #expect(wrong.entries.isEmpty && wrong.hasErrors)
    }

    @Test func anEntryStandsUntilItsDayIsOver() throws {
        let entry = try #require(read(Self.whole).entries.first)
        #expect(!entry.isExpired(on: "2027-01-31T23:59:59Z", release: nil))
        #expect(entry.isExpired(on: "2027-02-01T00:00:00Z", release: nil))
        #expect(!entry.isExpired(on: "2026-12-31", release: "9.9"))
    }

    @Test func anEntryStandsUntilARelease() throws {
        let text = Self.whole.replacing("2027-01-31", with: "{ release: 0.4.10 }")
        let entry = try #require(read(text).entries.first)
        #expect(!entry.isExpired(on: "2099-01-01", release: nil))
        #expect(!entry.isExpired(on: "2099-01-01", release: "0.4.9"))
        #expect(entry.isExpired(on: "2000-01-01", release: "0.4.10"))
        #expect(entry.isExpired(on: "2000-01-01", release: "0.5"))
    }

    @Test func mistakesHaveTheirPlaces() {
        let text = """
            known:
              - cases: [bad]
                condition: not_fuond
                reason: So it is
                link: issue 7
                expires: 2027-13-01
              - cases: fetch.late
                reson: So it is
                link: https://example.org/issues/7
                expires: 2027-01-31
            """
        let messages = read(text).diagnostics.map { "\($0.location.line):\($0.location.column) \($0.message)" }
        #expect(
            messages == [
                "2:13 the pattern is bad",
                "3:16 `condition` is `not_fuond`, which is not a condition",
                "5:11 `link` is `issue 7`",
                "6:14 `expires` is `2027-13-01`",
                "7:5 the entry takes any failure for the known one",
                "8:5 unknown key `reson` in the known failure",
            ])
        #expect(read("known: {}").hasErrors)
        #expect(read("knwon: []").hasErrors)
        #expect(read("known: []").diagnostics.isEmpty)
        #expect(read("known: [").hasErrors)
    }
}
