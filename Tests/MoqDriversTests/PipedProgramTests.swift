import Foundation
import MoqBase
import Testing

@testable import MoqDrivers

@Suite struct PipedProgramTests {
    /// A program that is read until it has ended, or printed so much.
    private func story(
        _ words: [String], environment: [(name: String, value: String)] = [], until enough: Int = .max,
        _ begin: (PipedProgram) -> Void = { _ in }
    ) throws -> (output: String, errors: String, exit: ChildProcess.Exit?) {
        let program = try PipedProgram(words: words, environment: environment)
        begin(program)
        var all = PipedProgram.Output()
        for _ in 0..<10_000 {
            let (printed, exit) = program.read()
            all.output += printed.output
            all.errors += printed.errors
            if exit != nil || all.output.count >= enough {
                return (String(decoding: all.output, as: UTF8.self), String(decoding: all.errors, as: UTF8.self), exit)
            }
            _ = program.process.wait(for: .milliseconds(1))
        }
        return ("it did not end", "", nil)
    }

    @Test func bothOutputsAndTheStatusAreTold() throws {
        let seen = try story(["sh", "-c", "echo out; echo err >&2; exit 3"])
        #expect(seen.output == "out\n")
        #expect(seen.errors == "err\n")
        #expect(seen.exit == .status(3))
    }

    @Test func wordsReachTheProgramAsTheyAre() throws {
        #expect(try story(["printf", "%s|", "a b", "$HOME", "*"]).output == "a b|$HOME|*|")
    }

    @Test func theEnvironmentIsAddedTo() throws {
        let seen = try story(["sh", "-c", "echo $MOQSPEC_URL $PATH"], environment: [("MOQSPEC_URL", "moqt://x")])
        #expect(seen.output.hasPrefix("moqt://x /"))
    }

    @Test func whatIsWrittenIsTakenAndItsEndIsSeen() throws {
        let seen = try story(["cat"]) { program in
            #expect(program.write(Array("one\n".utf8)))
            program.endInput()
            #expect(!program.write([0]))
        }
        #expect(seen.output == "one\n")
        #expect(seen.exit == .status(0))
    }

    @Test func aProgramThatDoesNotExistIsToldOf() {
        #expect(throws: ChildProcessError.self) { try PipedProgram(words: ["./no-such-program"]) }
        #expect(throws: ChildProcessError.self) { try PipedProgram(words: ["no-such-program-anywhere"]) }
    }

    @Test func aFileThatCannotBeExecutedIsToldOf() throws {
        let error = #expect(throws: ChildProcessError.self) { try PipedProgram(words: ["/etc/passwd"]) }
        #expect(error?.description.contains("/etc/passwd") == true)
    }

    @Test func aFloodWaitsUntilItIsRead() throws {
        let program = try PipedProgram(words: ["sh", "-c", "while :; do echo flood; done"])
        // So that the pipe is full.
        _ = program.process.wait(for: .milliseconds(200))
        #expect(program.read().printed.output.count <= PipedProgram.readAtOnce)
        program.process.kill()
        #expect(program.process.poll() == .signal(9))
    }

    @Test func aProgramThatIgnoresSIGTERMIsKilled() throws {
        let seen = try story(["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"], until: 5) { _ in }
        #expect(seen.exit == nil)
        let program = try PipedProgram(words: ["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"])
        while program.read().printed.output.isEmpty { _ = program.process.wait(for: .milliseconds(1)) }
        program.process.signal(15)
        #expect(program.process.wait(for: .milliseconds(50)) == nil)
        program.process.kill()
        #expect(program.process.poll() == .signal(9))
    }

    @Test func aProgramThatNobodyKeepsIsEnded() throws {
        var program: PipedProgram? = try PipedProgram(words: ["sleep", "100"])
        let process = try #require(program?.process.processID)
        program = nil
        // The process is gone, so that there is nothing to send a signal to.
        #expect(kill(process, 0) != 0)
    }
}

@Suite struct BoundedFileTests {
    @Test func whatIsBeyondTheBoundIsLeftOut() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("one/two.log").path
        let file = try #require(BoundedFile(path: path, limit: 12))
        for line in ["first", "second", "third"] { file.write(line: line) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "first\n... what follows is not kept: it is more than 12 bytes\n")
    }

    @Test func aPlaceThatCannotBeIsNoFile() {
        #expect(BoundedFile(path: "/dev/null/file") == nil)
    }
}
