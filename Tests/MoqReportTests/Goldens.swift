import Foundation
import Testing

/// Texts that have been read and found good (the directory of the same name).
enum Goldens {
    /// Holds a text against a golden one. When they differ the new text is left in a file, to be read, compared and,
    /// if it is better, copied over the old one.
    static func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let golden = Tools.root.appending(path: "Tests/MoqReportTests/Goldens/\(name)")
        let expected = try String(contentsOf: golden, encoding: .utf8)
        guard text != expected else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "new-\(name)")
        try Data(text.utf8).write(to: file)
        let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
        let line = lines.first { $0 != $1 }.map { "first difference: \($0), and not \($1)" } ?? "one is longer"
        Issue.record(
            "\(name) is not what it was (\(line)); diff \(golden.path) \(file.path)", sourceLocation: sourceLocation)
    }
}
