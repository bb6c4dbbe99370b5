import Testing

@testable import MoqCommandLine

@Suite struct ExplanationTests {
    private func text(_ id: String) throws -> String {
        let folder = try RequirementSamples.folder()
        let loaded = try LoadedScenarios(["\(folder.path)/scenarios"])
        return try Explanation(id, in: loaded).text.replacing("\(folder.path)/", with: "")
    }

    @Test func ofARequirementItSaysWhereItComesFromAndHowItIsChecked() throws {
        #expect(
            try text("fetch.answer") == """
                fetch.answer  (requirement)

                  A fetch is answered with frames | nothing else.

                  level       must
                  binds       relay
                  versions    05 and later
                  transports  quic, webtransport
                  source      moq-lite-06, FETCH; seen with moq-ffi 0.4.18
                  checked     in every session, by the monitor, and by scenarios
                  stands at   scenarios/requirements/fetch.yaml:4:5

                1 scenario that checks it:
                  fetch.whole
                    A group is fetched

                To run it alone:
                  moqspec run --filter fetch.whole
                """)
    }

    @Test func ofOneThatDiffersItNamesTheOther() throws {
        let text = try text("fetch.late")
        #expect(
            text.contains(
                "This is the profile `deployed`; the other is `fetch.early`:\n  A fetch that comes late is refused."))
        #expect(text.hasSuffix("No scenario names it."))
        #expect(try self.text("fetch.early").contains("  checked     no: nobody can tell\n"))
        #expect(try self.text("a.b").contains("3 scenarios that check it:\n"))
    }

    @Test func ofAScenarioItSaysWhatItChecks() throws {
        let text = try text("fetch.whole")
        #expect(text.hasPrefix("fetch.whole  (scenario)\n\n  A group is fetched\n"))
        #expect(
            text.contains("  stands at  scenarios/fetch.yaml:4:5\n  actors     camera (session), viewer (session)\n"))
        #expect(
            text.contains(
                "  fetch.answer  (must; moq-lite-06, FETCH; seen with moq-ffi 0.4.18)\n    A fetch is answered"))
        #expect(text.contains("2 cases:\n  fetch.whole[version=06]\n"))
        #expect(text.hasSuffix("To run it alone:\n  moqspec run --filter fetch.whole"))
    }

    @Test func ofACaseItSaysHowJustThatIsRun() throws {
        let text = try text("errors.not-found[version=05]")
        #expect(text.hasPrefix("errors.not-found[version=05]  (case of scenario errors.not-found)\n"))
        #expect(text.contains("1 case:\n  errors.not-found[version=05]\n"))
        #expect(text.hasSuffix("moqspec run --filter 'errors.not-found[version=05]'"))
    }

    @Test func theCommandNamesThePathsThatWereGiven() throws {
        let folder = try RequirementSamples.folder()
        let path = "\(folder.path)/scenarios"
        let text = try Explanation("fetch.whole", in: LoadedScenarios([path]), paths: ["my scenarios"]).text
        #expect(text.hasSuffix("moqspec run 'my scenarios' --filter fetch.whole"))
    }

    @Test func anUnknownIdComesWithTheNearestOne() {
        #expect(
            Samples.message { _ = try text("fetch.anser") }
                == "`fetch.anser` is neither a requirement nor a scenario; did you mean `fetch.answer`?")
        #expect(
            Samples.message { _ = try text("fetch") }?.contains("`moqspec list --requirements --filter 'fetch.*'`")
                == true)
        #expect(Samples.message { _ = try text("fetch.wholle") }?.hasSuffix("did you mean `fetch.whole`?") == true)
    }
}
