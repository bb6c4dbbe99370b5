import MoqRunner
import MoqScenario
import Testing

@testable import MoqCommandLine

/// Lists of known failures held against cases, and as people use them.
@Suite struct KnownFailureListTests {
    private static let cases = Samples.loaded().suites.flatMap(\.cases)

    private static func text(_ cases: String, _ target: String = "{}", expires: String = "2027-01-31") -> String {
        """
        known:
          - cases: \(cases)
            target: \(target)
            message: "*"
            reason: so it is
            link: https://example.org/1
            expires: \(expires)
        """
    }

    private func complaints(
        _ text: String, for cases: [ScenarioCase] = cases, isPartial: Bool = false,
        today: String = "2026-11-30T10:00:00Z", release: String? = nil
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = try folder.write("known.yaml", text)
        let list = try KnownFailureList(path: path, requirements: nil)
        let plan = try list.plan(
            for: cases, of: Self.cases, isPartial: isPartial, registry: nil,
            target: KnownFailureList.Target(.embedded, release: release), today: today)
        return plan.lines.map { $0.replacing(folder.path, with: "") }
    }

    @Test func anEntryThatListsCasesIsTrueBeforeTheRun() throws {
        #expect(try complaints(Self.text("[errors.not-found, tag:codes, \"fetch.*\"]")).isEmpty)
    }

    @Test func aPatternThatMatchesNothingIsSaidUnlessItMayBeAboutOtherFiles() throws {
        let text = Self.text("[errors.*, errors.nope]")
        #expect(try complaints(text) == ["/known.yaml:2: no case matches `errors.nope`"])
        #expect(try complaints(text, isPartial: true).isEmpty)
        // Matched and not selected is nothing to complain of.
        #expect(try complaints(Self.text("fetch.*"), for: []).isEmpty)
        #expect(try complaints(Self.text("fetch.*", "{ version: 03 }")).count == 1)
    }

    @Test func anExpiredEntryIsSaidWhereItListsSomething() throws {
        let text = Self.text("fetch.*", expires: "2026-11-29")
        #expect(try complaints(text) == ["the entry at /known.yaml:2 expired on 2026-11-29: so it is"])
        #expect(try complaints(text, today: "2026-11-29T23:00:00Z").isEmpty)
        #expect(try complaints(text, for: []).isEmpty)
        let release = Self.text("fetch.*", expires: "{ release: 0.5 }")
        #expect(try complaints(release, release: "0.6").count == 1)
        #expect(try complaints(release, release: "0.4.18").isEmpty)
    }

    @Test func anEntryAboutAnotherRelayIsNotThisRunsAffair() throws {
        #expect(try complaints(Self.text("nope", "{ kind: url }")).isEmpty)
        #expect(try complaints(Self.text("nope", "{ relay: \"*.example*\" }")).isEmpty)
        #expect(try complaints(Self.text("nope", "{ relay: \"*embedded*\" }")).count == 1)
        #expect(try complaints(Self.text("nope", "{ release: \"0.4.*\" }"), release: "0.3.19").isEmpty)
    }

    @Test func aMistakeStandsAsInScenariosAndLintFindsIt() throws {
        let folder = try RequirementSamples.folder()
        try folder.write("known.yaml", Self.text("level:most").replacing("message", with: "mesage"))
        for words in [["lint", "--known", "known.yaml"], ["run", "--simulate", "--known", "known.yaml"]] {
            let outcome = try Program(words, in: folder.path).finish()
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("known.yaml:2:12: error: `most` is no level"), "\(outcome.errors)")
            #expect(outcome.errors.contains("did you mean `message`?"))
        }
    }

    @Test func theSummarySaysWhatIsNotTrueAndCoverageReadsTheResults() throws {
        let folder = try RequirementSamples.folder()
        try folder.write("known.yaml", Self.text("fetch.*"))
        let run = try Program.run(
            "run", "--simulate", "--known", "known.yaml", "--report", "json=r.json", "--filter", "fetch.*",
            "--transport", "quic", in: folder.path)
        #expect(run.status == 4, "\(run.output)\(run.errors)")
        #expect(run.output.contains("fetch.whole[version=06] passed, and known.yaml:2 lists it as a known failure"))
        let coverage = try Program.run(
            "coverage", "r.json", "--report", "markdown=c.md", "--report", "json=c.json", in: folder.path)
        #expect(coverage.status == 0, "\(coverage.errors)")
        #expect(coverage.output.contains("4 requirements = 2 held"), "\(coverage.output)")
        #expect(try folder.text("c.md").hasPrefix("# Coverage of requirements"))
        #expect(try folder.text("c.json").contains("moqspec-coverage"))
        let own = try Program.run("coverage", "--run", "--status", "held", "--detail", in: folder.path)
        #expect(own.status == 0 && own.output.contains("fetch.whole[version=06]"), "\(own.output)\(own.errors)")
        #expect(try Program.run("coverage", in: folder.path).status == 2)
    }
}
