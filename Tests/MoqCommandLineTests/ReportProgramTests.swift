import Foundation
import Testing

/// `moqspec report` and `moqspec new`, as people use them: on what runs have written.
@Suite struct ReportProgramTests {
    private static let scenarios = """
        suite: quick
        about: Over at once.
        defaults: { matrix: { version: [moq-lite-05, moq-lite-06], transport: quic } }
        scenarios:
          - id: quick.announced
            title: A watcher is told of a broadcast
            requirements: [a.b]
            actors: { camera: session, viewer: session }
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.expect: { announced: game }
          - id: quick.wrong
            title: A watcher is told of what nobody published
            requirements: [a.b]
            actors: { camera: session, viewer: session }
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.expect: { announced: "other \\"game\\"", within: 100ms }
        """

    /// A folder in which each scenario was run by itself and recorded.
    private func shards() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("scenarios/quick.yaml", Self.scenarios)
        for (name, status) in [("announced", Int32(0)), ("wrong", 1)] {
            let outcome = try Program.run(
                "run", "--simulate", "--seed", "7", "--filter", "quick.\(name)", "--report", "events=\(name).jsonl",
                "--report", "json=\(name).json", in: folder.path)
            #expect(outcome.status == status, "\(outcome)")
        }
        return folder
    }

    @Test func shardsBecomeOneReport() throws {
        let folder = try shards()
        let outcome = try Program.run(
            "report", "merge", "announced.jsonl", "wrong.jsonl", "--report", "junit=all.xml", "--report",
            "json=all.json", "--report", "events=all.jsonl", in: folder.path)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.output.contains("4 cases = 2 passed + 2 failed"), "\(outcome.output)")
        let junit = try folder.text("all.xml")
        #expect(junit.contains("quick.announced[") && junit.contains("quick.wrong["))
        let document = try JSONSerialization.jsonObject(with: Data(folder.text("all.json").utf8))
        let cases = (document as? [String: Any])?["cases"] as? [[String: Any]]
        #expect(cases?.count == 4)
        // What was merged is a recording like any other.
        let again = try Program.run("report", "merge", "all.jsonl", "--quiet", in: folder.path)
        #expect(again.status == 1)
        #expect(again.output.contains("4 cases = 2 passed + 2 failed"))
        let good = try Program.run("report", "merge", "announced.jsonl", in: folder.path)
        #expect(good.status == 0, "\(good)")
    }

    @Test func aCaseCanBeInOneShardOnly() throws {
        let folder = try shards()
        try folder.write("copy.jsonl", folder.text("announced.jsonl"))
        let twice = try Program.run("report", "merge", "announced.jsonl", "copy.jsonl", in: folder.path)
        #expect(twice.status == 2)
        #expect(twice.errors.contains("is in announced.jsonl as well"), "\(twice.errors)")
        let same = try Program.run("report", "merge", "announced.jsonl", "announced.jsonl", in: folder.path)
        #expect(same.status == 2)
        let results = try Program.run("report", "merge", "wrong.json", in: folder.path)
        #expect(results.status == 2)
        #expect(results.errors.contains("--report events=PATH"), "\(results.errors)")
    }

    @Test func aShardThatDiedIsNoGoodRun() throws {
        let folder = try shards()
        let lines = try folder.text("announced.jsonl").split(separator: "\n")
        let begun = lines.prefix { !$0.contains("caseFinished") }
        try folder.write("died.jsonl", begun.joined(separator: "\n") + "\n")
        let outcome = try Program.run("report", "merge", "died.jsonl", in: folder.path)
        #expect(outcome.status == 3, "\(outcome)")
    }

    @Test(arguments: ["wrong.json", "wrong.jsonl"])
    func failuresBecomeAListThatLintAsksToFillIn(_ recording: String) throws {
        let folder = try shards()
        let made = try Program.run("report", "known", recording, "--output", "known.yaml", in: folder.path)
        #expect(made.status == 0, "\(made)")
        let text = try folder.text("known.yaml")
        // Both cases of the scenario fail alike.
        #expect(text.contains("- \"quick.wrong\"\n"), "\(text)")
        let empty = try Program.run("lint", "--known", "known.yaml", in: folder.path)
        #expect(empty.status == 2)
        for word in ["reason", "link", "expires"] { #expect(empty.errors.contains("`\(word)`"), "\(empty.errors)") }
        let filled = text.replacing("reason:", with: "reason: It is wrong")
            .replacing("link:", with: "link: https://relay.example/7")
            .replacing("expires:", with: "expires: 2999-01-31")
        try folder.write("known.yaml", filled)
        let run = try Program.run("run", "--simulate", "--known", "known.yaml", in: folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("4 cases = 2 passed + 2 known"), "\(run.output)")
    }

    @Test func whatPassedMakesAnEmptyList() throws {
        let folder = try shards()
        let outcome = try Program.run("report", "known", "announced.json", in: folder.path)
        #expect(outcome.output == "known: []\n")
    }

    @Test func aNewFileLintsAndPasses() throws {
        let folder = try TemporaryFolder()
        let made = try Program.run("new", "scenarios/My things.yaml", in: folder.path)
        #expect(made.status == 0, "\(made)")
        #expect(try folder.text("scenarios/My things.yaml").contains("suite: my-things\n"))
        let lint = try Program.run("lint", "--strict", in: folder.path)
        #expect(lint.status == 0, "\(lint)")
        let run = try Program.run("run", "--simulate", "--moq-version", "06", in: folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("1 case = 1 passed"), "\(run.output)")
        let again = try Program.run("new", "scenarios/My things.yaml", in: folder.path)
        #expect(again.status == 2)
        #expect(again.errors.contains("left alone"))
        for name in ["7.yaml", "words.txt"] {
            #expect(try Program.run("new", name, in: folder.path).status == 2)
        }
    }

    @Test func aRegistryMayStandElsewhere() throws {
        let folder = try TemporaryFolder()
        let registry = """
            area: AREA
            about: Ours.
            requirements:
              - id: AREA.b
                says: A watcher is told.
                level: must
                binds: relay
                source: { peer: "our relay" }
                checked: scenario
            """
        try folder.write("mine/requirements/c.yaml", registry.replacing("AREA", with: "c"))
        try folder.write("other/rows/a.yaml", registry.replacing("AREA", with: "a"))
        try folder.write("mine/quick.yaml", Self.scenarios.replacing("[a.b]", with: "[a.b, c.b]"))
        let alone = try Program.run("lint", "mine", in: folder.path)
        #expect(alone.status == 2, "\(alone)")
        #expect(alone.output.contains("a.b"))
        let both = try Program.run("lint", "--strict", "mine", "--registry", "other/rows", in: folder.path)
        #expect(both.status == 0, "\(both)")
        #expect(both.output.contains("2 requirements"))
        let run = try Program.run(
            "run", "--simulate", "mine", "--registry", "other/rows", "--report", "json=r.json", "--filter",
            "quick.announced", in: folder.path)
        #expect(run.status == 0, "\(run)")
        let coverage = try Program.run(
            "coverage", "r.json", "--scenarios", "mine", "--registry", "other/rows", "--detail", in: folder.path)
        #expect(coverage.output.contains("a.b") && coverage.output.contains("c.b"), "\(coverage)")
        let explained = try Program.run("explain", "a.b", "mine", "--registry", "other/rows", in: folder.path)
        #expect(explained.output.contains("quick.announced"), "\(explained)")
    }

    @Test func whatAListLeavesOutIsCounted() throws {
        let folder = try shards()
        let all = try Program.run("list", in: folder.path)
        #expect(all.output.hasSuffix("1 suite, 2 scenarios, 4 cases\n"), "\(all.output)")
        let some = try Program.run("list", "--filter", "quick.wrong", "--moq-version", "06", in: folder.path)
        #expect(some.output.contains("1 suite, 1 scenario, 1 case\nnot selected: 1 more scenario and 3 more cases"))
    }
}
