import Foundation
import MoqEvents
import MoqKit
import Testing

@testable import MoqCommandLine

/// The commands about machines and traces, as people run them.
@Suite struct MachineProgramTests {
    private static let header = "{\"format\":\"moqspec-trace\",\"version\":1,\"profile\":\"ios\"}\n"

    private func states(_ states: String...) -> String {
        Self.header + states.map { "{\"object\":\"s\",\"machine\":\"session\",\"to\":\"\($0)\"}\n" }.joined()
    }

    @Test func machinesAreListedAndShownInEveryForm() throws {
        let list = try Program.run("machines")
        #expect(list.status == 0 && list.output.contains("track-subscription"))
        let table = try Program.run("machines", "session", "--profile", "ios")
        #expect(table.status == 0 && table.output.contains("already_connected") && !table.output.contains("android"))
        let mermaid = try Program.run("machines", "player", "--mermaid", "--profile=android")
        #expect(mermaid.output.hasPrefix("%% player (android)\nstateDiagram-v2\n"))
        let json = try Program.run("machines", "moqom-token", "--json")
        #expect(json.output.contains("\"format\": \"moqspec-machines\""))
        let wrong = try Program.run("machines", "sesion")
        #expect(wrong.status == 2 && wrong.errors.contains("did you mean `session`?"))
        #expect(try Program.run("machines", "session", "--profile", "moqom").status == 2)
        #expect(
            try Program.run("schema", "--machines").output == String(decoding: MachineSchema.bytes(), as: UTF8.self))
    }

    @Test func aTraceIsAcceptedOrItsFirstIllegalStepIsShown() throws {
        let folder = try TemporaryFolder()
        try folder.write("good.jsonl", states("connecting", "connected", "error", "closed"))
        let good = try Program.run(
            "trace", "check", "good.jsonl", "--machine", "session", "--coverage", in: folder.path)
        #expect(good.status == 0 && good.output.contains("accepted  s  session (ios)  4 lines, then in closed"))
        #expect(good.output.contains("idle --connect--> connecting"))
        try folder.write("bad.jsonl", states("connecting", "idle"))
        let bad = try Program.run(
            "trace", "check", "bad.jsonl", "--report", "junit=out/t.xml", "--report", "json=t.json", in: folder.path)
        #expect(bad.status == 1 && bad.output.contains("bad.jsonl:3: state `idle`"))
        #expect(bad.output.contains("1 object = 0 accepted + 1 with an illegal step"))
        #expect(try folder.text("out/t.xml").contains("failures=\"1\""))
        #expect(try folder.text("t.json").contains("\"an illegal step\""))
        try folder.write("empty.jsonl", Self.header)
        #expect(try Program.run("trace", "check", "empty.jsonl", in: folder.path).status == 5)
        try folder.write("no.jsonl", "hello\n")
        let no = try Program.run("trace", "check", "no.jsonl", in: folder.path)
        #expect(no.status == 2 && no.errors.hasPrefix("no.jsonl: line 1: a trace begins with"))
        #expect(try Program.run("trace", "chek", "no.jsonl", in: folder.path).errors.contains("did you mean `check`?"))
    }

    @Test func aLogIsConvertedAndThenChecked() throws {
        let folder = try TemporaryFolder()
        try folder.write("log.txt", "I/Session( 12): state: Connecting\nI/Session( 12): state: Connected\nnoise\n")
        let made = try Program.run(
            "trace", "convert", "log.txt", "--profile", "android", "--output", "t.jsonl", in: folder.path)
        #expect(made.status == 0 && made.errors.contains("3 lines of log: 2 observations, 1 lines with nothing"))
        #expect(try Program.run("trace", "check", "t.jsonl", in: folder.path).status == 0)
        try folder.write("noise.txt", "noise\n")
        #expect(try Program.run("trace", "convert", "noise.txt", in: folder.path).status == 2)
    }

    @Test func lintChecksMachinesAndCommandsTakeThemFromFiles() throws {
        let folder = try TemporaryFolder()
        let text = """
            machine: lamp
            object: Lamp
            about: A lamp.
            source: here
            profiles: ios
            states: { off: { initial: true }, on: Light. }
            inputs: { press: { kind: call } }
            transitions:
              - { from: off, on: press, to: on }
              - { from: on, on: press, to: off }

            """
        try folder.write("machines/lamp.yaml", text)
        let lint = try Program.run("lint", "machines", in: folder.path)
        #expect(lint.status == 0 && lint.output.contains("1 machine"), "\(lint.errors)")
        let shown = try Program.run("machines", "lamp", "--definitions", "machines", in: folder.path)
        #expect(shown.status == 0 && shown.output.contains("Lamp, profile ios"))
        try folder.write("machines/lamp.yaml", text.replacing("to: off }", with: "to: of }"))
        let wrong = try Program.run("lint", "machines", in: folder.path)
        #expect(wrong.status == 2 && wrong.output.contains("machines/lamp.yaml:10:32: error: there is no state `of`"))
        #expect(try Program.run("machines", "--definitions", "machines", in: folder.path).status == 2)
    }

    @Test func coverageCountsTransitionsOfAllRuns() throws {
        var run = RunEvidence(RunResults(), source: "r.json")
        let taken = TransitionTally(
            machine: "session", profile: "ios", transition: "idle --connect--> connecting", taken: 2)
        run.cases = [
            CaseEvidence(
                caseID: "c", scenario: "s", verdict: .pass, version: "", transport: "", requirements: [], checked: [],
                transitions: [taken], findings: [], place: FilePlace(file: "f"))
        ]
        let coverage = Coverage([run, run], registry: RequirementSamples.registry(), suites: [])
        #expect(coverage.transitions.taken("session", .ios, "idle --connect--> connecting") == 4)
        #expect(CoverageText(coverage).text.contains("transitions of machines\n  machine  profile  taken"))
        #expect(CoverageText(coverage, hasDetail: true).text.contains("session (ios)  idle --connect--> connecting  4"))
        #expect(CoverageMarkdown(coverage).text.contains("| session | ios | 1 |"))
        #expect(String(decoding: CoverageJSON(coverage).bytes(), as: UTF8.self).contains("\"taken\": 4"))
    }
}
