import Testing

@testable import MoqCommandLine

/// The commands about requirements, as people run them.
@Suite struct RequirementProgramTests {
    @Test func thePageIsWrittenToAFileAndTheTableToStandardOutput() throws {
        let folder = try RequirementSamples.folder()
        let page = try Program.run("list", "--requirements", "--report", "markdown=docs/r.md", in: folder.path)
        #expect(page.status == 0 && page.output.isEmpty)
        #expect(try folder.text("docs/r.md") == RequirementPage(RequirementSamples.registry()).markdown)
        let table = try Program.run("list", "--requirements", "--filter", "a.*", in: folder.path)
        #expect(table.status == 0 && table.output.contains("a.b") && !table.output.contains("fetch.answer"))
        #expect(try Program.run("list", "--requirements", "--cases", in: folder.path).status == 2)
    }

    @Test func explainAndLintKnowTheRegistry() throws {
        let folder = try RequirementSamples.folder()
        let explained = try Program.run("explain", "fetch.answer", in: folder.path)
        #expect(explained.status == 0 && explained.output.contains("moqspec run --filter fetch.whole"))
        #expect(try Program.run("explain", in: folder.path).status == 2)
        let lint = try Program.run("lint", in: folder.path)
        #expect(lint.status == 0 && lint.output.contains("4 requirements: 1 warning"))
        #expect(try Program.run("lint", "scenarios/errors.yaml", in: folder.path).output.contains("4 requirements"))
    }
}
