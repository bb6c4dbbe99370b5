import Testing

@testable import MoqScenario

/// The actors that are outside programs: what they take, and what is found wrong with its place.
@Suite struct ProgramTests {
    private func file(_ steps: String) -> String {
        """
        suite: tested
        about: Programs.
        scenarios:
          - id: tested.one
            title: One
            requirements: [test.one]
            actors:
              them: { kind: program, program: publisher, version: 05, transport: quic, token: none }
              viewer: session
            steps:
        \(steps)
        """
    }

    private func complaints(_ text: String) -> [String] {
        load(text, path: "tested.yaml").diagnostics.map(\.message)
    }

    private static let start = "      - them.start: { broadcast: live/studio, arguments: [--as, cmaf] }\n"
    private static let view = "      - viewer.expect: { announced: live/studio }\n"

    @Test func stepsAndExpectationsAreRead() {
        #expect(
            complaints(
                file(
                    Self.start + Self.view
                        + """
                              - them.expect: { line: ready, at_least: 2, within: 3s }
                              - them.expect: { line: { is: ready, stream: errors } }
                              - them.expect: { line: { matches: "got * packets", contains: "7", json: { kind: video, "error.code": null } } }
                              - them.expect: { line: { json: { frames: { at_least: 5 } } }, count: 1 }
                              - them.expect: { in_order: [ready, { json: { event: done } }], for: 1s }
                              - them.expect: { any_of: [{ exit: { signal: kill } }, { exit: 3 }, { running: true }] }
                              - them.tell: { line: go }
                              - them.end_input: {}
                              - them.signal: { name: stop }
                              - them.never: { line: failed }
                              - them.stop: { signal: int, grace: 2s }
                              - them.expect: { exit: any, running: false }
                        """)) == [])
    }

    @Test(
        arguments: [
            ("them.stat: {}", "`stat` is not a verb of `them`, which is a program"),
            ("them.start: { broadcst: a }", "unknown key `broadcst` in `them.start`"),
            ("them.expect: { exit: 300 }", "`exit` is `300`"),
            ("them.expect: { exit: kill }", "`exit` is the name of a signal"),
            ("them.expect: { exit: { status: 1, signal: kill } }", "`exit` has both `status` and `signal`"),
            ("them.expect: { line: { stream: errors } }", "`line` says nothing of the line"),
            ("them.expect: { line: { stream: input, is: a } }", "`stream` is `input`"),
            ("them.expect: { exit: 0, at_least: 2 }", "there is nothing here that `count`"),
            ("them.expect: {}", "`them.expect` names nothing"),
            ("them.stop: { signal: cont }", "`them.stop` waits for an end that the signal `cont` does not bring"),
            ("them.tell: { line: \"a\\nb\" }", "the `line` of `them.tell` is several lines"),
        ])
    func whatIsWrongIsToldOf(step: String, complaint: String) {
        let found = complaints(file(Self.start + Self.view + "      - \(step)\n"))
        #expect(found.contains { $0.contains(complaint) }, "\(found)")
    }

    @Test func whatWasNotStartedCannotBeStopped() {
        #expect(complaints(file(Self.view + "      - them.stop: {}\n")) == ["`them` is never started before this"])
        #expect(
            complaints(file(Self.view + "      - them.expect: { line: ready }\n"))
                == ["`them` is never started before this"])
    }

    @Test func aProgramHasTheNameOfItsActorUnlessItSaysAnother() throws {
        let text = file(Self.start + Self.view)
        let suite = try #require(load(text, path: "tested.yaml").suites.first)
        #expect(suite.cases.first?.actor(named: "them")?.programName == "publisher")
        let other = text.replacing("program: publisher, ", with: "")
        #expect(load(other, path: "tested.yaml").suites.first?.cases.first?.actor(named: "them")?.programName == "them")
    }
}
