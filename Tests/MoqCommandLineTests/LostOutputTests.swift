import Foundation
import Glibc
import Testing

@testable import MoqCommandLine

/// What commands make of output that does not arrive: a full disk, a closed standard output, a pipe that nobody reads.
@Suite struct LostOutputTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("scenarios/quick.yaml", Samples.quickSuite)
        try folder.write("log.txt", "I/Session( 12): state: Connecting\nI/Session( 12): state: Connected\n")
        try folder.write(
            "trace.jsonl",
            """
            {"format":"moqspec-trace","version":1,"profile":"ios"}
            {"object":"s","machine":"session","to":"connecting"}
            """)
        return folder
    }

    @Test(
        arguments: [
            "--help", "--version", "run --help", "machines", "machines session", "machines --report markdown=-",
            "machines --report markdown=/dev/full", "list", "list --json", "list --faults", "list --explain", "lint",
            "schema --machines", "explain quick.announced", "trace check trace.jsonl",
            "trace check trace.jsonl --report json=/dev/full", "trace convert log.txt", "run --simulate",
            "run --simulate --report json=-", "run --explain", "new mine.yaml", "relay --bind 127.0.0.256",
        ])
    func whatFindsNoRoomIsLost(_ line: String) throws {
        let folder = try folder()
        let words = line.split(separator: " ").map(String.init)
        let outcome = try Program(words, in: folder.path, redirection: ">/dev/full").finish()
        if words[0] == "relay" {
            // What is wrong with the command line goes before.
            #expect(outcome.status == 2, "\(outcome)")
        } else {
            #expect(outcome.status == 3, "\(line): \(outcome)")
            #expect(outcome.errors.contains("No space left on device"), "\(line): \(outcome)")
        }
    }

    @Test func aClosedStandardOutputIsNoPlaceForWords() throws {
        let folder = try folder()
        let outcome = try Program(
            ["run", "--simulate", "--report", "junit=junit.xml"], in: folder.path, redirection: ">&-"
        ).finish()
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.errors.contains("standard output: Bad file descriptor"))
        // The file that is opened first has not the number of standard output.
        #expect(try folder.text("junit.xml").hasPrefix("<?xml"))
    }

    @Test func whoeverHasReadEnoughIsNoLoss() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let standard = try OutputFile(creating: "/dev/fd/\(ends[1])", flag: "--x")
        close(ends[0])
        close(ends[1])
        let output = CommandOutput(standard: standard, errors: .standardError())
        output.standard.line("one")
        #expect(output.standard.isReaderGone)
        #expect(output.loss == nil)
        #expect(output.code(1) == 1)
    }

    @Test func whatIsLostComesBehindSignalsAndMistakes() throws {
        let output = CommandOutput(
            standard: try OutputFile(creating: "/dev/full", flag: "--x"), errors: .standardError())
        output.standard.line("one")
        #expect(output.loss == "/dev/full: No space left on device")
        #expect([0, 1, 2, 3, 4, 5, 6, 124, 130, 143].map(output.code) == [3, 3, 2, 3, 3, 3, 3, 124, 130, 143])
    }

    @Test func aPipeWhoseReaderDoesNotReadIsGivenUp() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let file = try OutputFile(creating: "/dev/fd/\(ends[1])", flag: "--save", patience: .zero)
        // More than a pipe takes.
        file.write([UInt8](repeating: 0, count: 2 << 20))
        #expect(file.problem == "/dev/fd/\(ends[1]): nobody has read from it for 0 s")
    }

    @Test func whatIsReplacedStaysUntilThereIsSomethingElse() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", "a longer text")
        _ = try OutputFile(replacing: "\(folder.path)/old", flag: "--save")
        #expect(try folder.text("old") == "a longer text")
        try OutputFile(replacing: "\(folder.path)/old", flag: "--save").line("short")
        #expect(try folder.text("old") == "short\n")
        _ = try OutputFile(replacing: "\(folder.path)/new", flag: "--save")
        #expect(InputFile.isAbsent("\(folder.path)/new"))
        try OutputFile(replacing: "\(folder.path)/new", flag: "--save").line("made")
        #expect(try folder.text("new") == "made\n")
        #expect(
            Samples.message { _ = try OutputFile(replacing: folder.path, flag: "--save") }
                == "--save: \(folder.path) cannot be written: Is a directory")
    }

    @Test func watchLeavesARecordingAloneWhenNothingComes() throws {
        let folder = try TemporaryFolder()
        try folder.write("old.mp4", "what was recorded")
        let outcome = try Program.run(
            "watch", "--relay", "tcp://127.0.0.1:1/anon", "--save", "old.mp4", "--trace", "new.jsonl", in: folder.path)
        #expect(outcome.status == 3, "\(outcome)")
        #expect(try folder.text("old.mp4") == "what was recorded")
        #expect(InputFile.isAbsent("\(folder.path)/new.jsonl"))
    }
}
