import Foundation
import MoqEvents
import MoqJSON

/// Programs outside of Swift that have their own opinion of what we write.
enum Tools {
    /// A tool that a test needs is not there, or failed. A test that cannot run has not passed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Result {
        let status: Int32
        let output: [UInt8]
        let errors: String
    }

    /// The package's directory.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs a program that is looked up in PATH and waits for its end; `missing` is the sentence when there is none.
    static func run(_ command: [String], missing: String) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        // Into files: a pipe that nobody empties would stop a program that says much.
        let output = try temporaryFile("")
        let errors = try temporaryFile("")
        defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        // What `env` says when there is no such program.
        guard process.terminationStatus != 127 else { throw Failure(description: missing) }
        return Result(
            status: process.terminationStatus, output: Array(try Data(contentsOf: output)),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// What the Python library junitparser reads in a document.
    static func junitparser(_ document: String) throws -> JSONValue {
        guard let python = ProcessInfo.processInfo.environment["MOQSPEC_PYTHON"], !python.isEmpty else {
            throw Failure(
                description: "MOQSPEC_PYTHON is not set: it must name a Python that has junitparser, so that an "
                    + "independent parser reads our JUnit (ci/test sets it up; by hand: python3 -m venv DIR, "
                    + "DIR/bin/pip install junitparser, export MOQSPEC_PYTHON=DIR/bin/python)")
        }
        let file = try temporaryFile(document)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = root.appending(path: "Tests/MoqReportTests/junitparser_check.py").path
        let result = try run(
            [python, script, file.path], missing: "MOQSPEC_PYTHON=\(python): there is no such program")
        guard result.status == 0 else {
            throw Failure(description: "junitparser could not read the document: \(result.errors)")
        }
        return try JSONValue(parsing: result.output)
    }

    static func temporaryFile(_ content: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "moqspec-\(UUID().uuidString)")
        try Data(content.utf8).write(to: file)
        return file
    }
}
