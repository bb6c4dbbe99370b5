import Foundation
import Glibc

/// The built program, run as a person or a pipeline runs it. One that hangs is killed after a minute.
final class Program {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var pending = ""

    /// What came of a run that is over.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Starts the program. `redirection` is the shell's: where its output goes in place of a pipe.
    init(_ arguments: [String], in folder: String? = nil, redirection: String = "") throws {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Threads of the test have signals blocked, which a child inherits; `timeout` could not pass them on.
        process.arguments =
            ["--default-signal", "sh", "-c", "exec timeout 60 \"$0\" \"$@\" \(redirection)"]
            + [tests.appendingPathComponent("moqspec").path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        try process.run()
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., in folder: String? = nil) throws -> Outcome {
        try Program(arguments, in: folder).finish()
    }

    /// Reads standard output up to a line that holds a text; nil when it ends before.
    func line(holding text: String) -> String? {
        while true {
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending = String(pending[pending.index(after: end)...])
                if line.contains(text) { return line }
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            pending += String(decoding: data, as: UTF8.self)
        }
    }

    /// Sends a signal; `timeout` passes it on.
    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the end. What is said on standard error must fit into a pipe.
    func finish() -> Outcome {
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: pending + String(decoding: rest, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}
