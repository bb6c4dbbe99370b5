import Foundation
import MoqConformance
import MoqDrivers
import MoqEvents
import MoqScenario
import Testing

@testable import MoqRunner

/// Cases with outside programs: small ones of a shell.
@Suite struct ProgramTests {
    /// A run of one case over sockets, in which `them` is a shell with this script.
    private func run(
        _ script: String?, _ steps: String, isSimulated: Bool = false, token: String? = nil,
        onEvent: @escaping (RunEvent) -> Void = { _ in }
    ) throws -> TestRun {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let indented = steps.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        return try TestRun.of(
            """
            - id: tested.one
              title: A program
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { them: program, viewer: session }
              steps:
                - viewer.connect: {}
            \(indented)
            """,
            change: { options in
                options.isSimulated = isSimulated
                options.programOutput = folder.path
                if let script {
                    options.programs = [
                        ProgramCommand(name: "them", words: ["sh", "-c", script, "{url}", "{broadcast}", "{version}"])
                    ]
                }
            }, onEvent: onEvent)
    }

    /// The process of the program, as the timeline tells it.
    private func process(in run: TestRun) throws -> Int32 {
        let text = run.events.lazy.compactMap { event -> String? in
            guard case .trace(let entry) = event, entry.text.hasPrefix("started as process ") else { return nil }
            return entry.text
        }.first
        let number = text?.dropFirst("started as process ".count).prefix { $0.isNumber }
        return try #require(number.flatMap { Int32($0) })
    }

    @Test func aProgramIsToldOfTheRelayAndOfItsBroadcast() throws {
        let run = try run(
            "echo $0 $1 $2 $3; echo $MOQSPEC_TRANSPORT >&2",
            """
            - them.start: { broadcast: live/studio, arguments: [more] }
            - them.expect: { line: { matches: "moqt://127.0.0.1:*/anon c*/live/studio moq-lite-05 more" } }
            - them.expect: { line: { is: quic, stream: errors } }
            - them.expect: { exit: 0 }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }

    @Test func aProgramThatWaitsIsToldAndStopped() throws {
        let run = try run(
            "trap 'echo bye; exit 0' TERM; read x; echo \"{\\\"got\\\":\\\"$x\\\",\\\"of\\\":[1,2,3]}\"; while :; do sleep 0.01; done",
            """
            - them.start: {}
            - them.expect: { running: true }
            - them.never: { line: got, for: 50ms }
            - them.tell: { line: hello }
            - them.expect: { line: { json: { got: hello, of: { at_least: 3 } } }, count: 1 }
            - them.stop: {}
            - them.expect: { in_order: [got, bye], exit: 0 }
            """)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }

    @Test func aProgramMayBeStartedAgain() throws {
        let run = try run(
            "echo $1",
            """
            - them.start: { broadcast: one }
            - them.expect: { line: one, exit: 0 }
            - them.start: { broadcast: two }
            - them.expect: { line: two, exit: 0 }
            - them.expect: { line: one, within: 100ms }
            """)
        // What the first one printed does not count for the second.
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.findings.first?.place?.line == 15, "\(run.story)")
    }

    @Test func aProgramThatCrashesFailsTheCaseUnlessAStepExpectsIt() throws {
        let unnoticed = try run(
            "kill -SEGV $$", "- them.start: {}\n- viewer.never: { announced: any-thing, for: 300ms }")
        #expect(unnoticed.verdicts == [.fail], "\(unnoticed.story)")
        #expect(unnoticed.story.contains("ended by signal 11"), "\(unnoticed.story)")
        let expected = try run("exit 3", "- them.start: {}\n- them.expect: { exit: 3 }")
        #expect(expected.verdicts == [.pass], "\(expected.story)")
        let other = try run("exit 3", "- them.start: {}\n- them.expect: { exit: { signal: kill } }")
        #expect(other.verdicts == [.fail], "\(other.story)")
    }

    @Test func whatAProgramMustNotPrintFailsTheCase() throws {
        let run = try run(
            "sleep 0.1; echo failed; sleep 10",
            "- them.start: {}\n- them.never: { line: failed }\n- viewer.never: { announced: any-thing, for: 500ms }")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.story.contains("what must not happen did"), "\(run.story)")
    }

    @Test func aProgramThatIsNotFoundIsAnErrorAndNoFailureOfTheRelay() throws {
        let run = try TestRun.of(
            """
            - id: tested.one
              title: A program
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { them: program, viewer: session }
              steps:
                - viewer.connect: {}
                - them.start: {}
            """
        ) {
            $0.isSimulated = false
            $0.programs = [ProgramCommand(name: "them", words: ["./no-such-program", "{url}"])]
        }
        #expect(run.verdicts == [.error], "\(run.story)")
        #expect(run.story.contains("cannot start `./no-such-program`: No such file"), "\(run.story)")
    }

    @Test func aProgramThatIsDeafToItsSignalIsKilledAndFailsTheStep() throws {
        let run = try run(
            "trap '' TERM; echo deaf; while :; do sleep 0.01; done",
            "- them.start: {}\n- them.expect: { line: deaf }\n- them.stop: { grace: 200ms }")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.story.contains("was killed"), "\(run.story)")
        #expect(kill(try process(in: run), 0) != 0)
    }

    @Test func aProgramIsEndedWithItsCase() throws {
        let run = try run(
            "trap '' INT; sleep 100",
            "- them.start: {}\n- them.expect: { line: nothing, within: 100ms }")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(kill(try process(in: run), 0) != 0)
    }

    @Test func aFloodIsBoundedAndWhatCameLastIsKept() throws {
        let run = try run(
            "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo last; sleep 10",
            """
            - them.start: {}
            - them.expect: { line: { is: last }, within: 30s }
            - them.expect: { line: { is: line 0 } }
            - them.expect: { line: { is: line 19999 } }
            - them.expect: { line: { is: line 5000 }, within: 50ms }
            """)
        // It was printed, and is neither among the first nor among the last.
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.story.contains("between were not kept"), "\(run.story)")
        #expect(run.findings.first?.place?.line == 15, "\(run.story)")
    }

    @Test func aCaseWithoutItsProgramOrInVirtualTimeIsSkipped() throws {
        let missing = try run(nil, "- them.start: {}\n- them.expect: { exit: 0 }")
        #expect(missing.verdicts == [.skip])
        #expect(missing.story.contains("--program them=COMMAND"), "\(missing.story)")
        let simulated = try run("exit 0", "- them.start: {}\n- them.expect: { exit: 0 }", isSimulated: true)
        #expect(simulated.verdicts == [.skip])
        #expect(simulated.story.contains("simulated time"), "\(simulated.story)")
    }

    @Test func whatWasDoneToAProgramThatHasEndedFails() throws {
        let run = try run("exit 0", "- them.start: {}\n- them.expect: { exit: 0 }\n- them.stop: {}")
        #expect(run.verdicts == [.fail], "\(run.story)")
        #expect(run.story.contains("has ended before"), "\(run.story)")
        let twice = try self.run("sleep 10", "- them.start: {}\n- them.start: {}")
        #expect(twice.verdicts == [.error], "\(twice.story)")
    }

    @Test func noTokenOfWhatAProgramPrintsIsTold() throws {
        let run = try run(
            "echo url?jwt=abcdef123; echo Bearer abcdef123; exit 1",
            "- them.start: {}\n- them.expect: { exit: 0 }")
        let told = run.events.compactMap { if case .trace(let entry) = $0.published() { entry.text } else { nil } }
        #expect(told.contains("printed: url?jwt=REDACTED"), "\(told)")
        #expect(!told.contains { $0.contains("abcdef123") })
    }
}

@Suite struct ProgramCommandTests {
    @Test func whatStandsInACommandIsPutInOnce() {
        let command = ProgramCommand(name: "x", words: ["run", "a{url}b", "{arguments}", "{\"json\":1}", "{broadcast"])
        #expect(
            command.words([.url: "{broadcast}", .broadcast: "no"], arguments: ["1 2", "{url}"])
                == ["run", "a{broadcast}b", "1 2", "{url}", "{\"json\":1}", "{broadcast"])
        #expect(ProgramCommand(name: "x", words: ["run"]).words([:], arguments: ["1"]) == ["run", "1"])
    }

    @Test func linesAreMadeOfPieces() {
        var lines = LineAssembly()
        #expect(lines.take(Array("one\ntw".utf8)) == ["one"])
        #expect(lines.take(Array("o\r\n\nthree".utf8)) == ["two", ""])
        #expect(lines.rest == "three")
        #expect(lines.rest == nil)
        let long = lines.take([UInt8](repeating: 65, count: LineAssembly.longest + 5) + [10])
        #expect(long.first?.utf8.count == LineAssembly.longest + "…".utf8.count)
    }

    @Test func membersOfALineAreTexts() {
        let fields = ProgramRecord.fields(of: #"{"a":{"b":null,"c":[1,2]},"d":true,"e":1.5,"f":"x"}"#)
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["a.b=null", "a.c=2", "d=true", "e=1.5", "f=x"])
        #expect(ProgramRecord.fields(of: "{broken").isEmpty)
        #expect(ProgramRecord.fields(of: "plain").isEmpty)
    }
}
