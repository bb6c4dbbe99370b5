import Foundation
import Testing

@testable import MoqCommandLine

/// Every command line that a page shows is one that this release understands.
@Suite struct DocumentedCommandTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The pages, each with the command lines in its blocks of code.
    private static func lines() throws -> [(page: String, line: String)] {
        var pages = ["README.md", "scenarios/README.md", "scenarios/requirements/README.md"]
        let docs = root.appending(path: "docs")
        pages += try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }.sorted()
            .map { "docs/\($0)" }
        return try pages.flatMap { page in
            var isInside = false
            var found: [(String, String)] = []
            let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") { isInside.toggle() }
                if isInside, line.hasPrefix("moqspec ") { found.append((page, String(line))) }
            }
            return found
        }
    }

    /// The words of a line, as a shell takes it apart; nil for a line that shows a form and no command.
    private static func words(_ line: String) -> [String]? {
        let command = line.components(separatedBy: "  ")[0].components(separatedBy: " #")[0]
        guard !command.contains("["), !command.contains("..."), !command.contains("|"),
            !command.contains("COMMAND")
        else { return nil }
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in command + " " {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return Array(words.dropFirst())
    }

    @Test func commandsOfPagesAreUnderstood() throws {
        var count = 0
        for (page, line) in try Self.lines() {
            guard let words = Self.words(line), words.first?.hasPrefix("moqspec") != true else { continue }
            count += 1
            let problem = Samples.message { _ = try Invocation(words) }
            #expect(problem == nil, "\(page): \(line)")
        }
        // Something was looked at.
        #expect(count > 40)
    }

    @Test func examplesOfTheHelpAreUnderstood() {
        for command in CommandDescription.all {
            for example in command.examples {
                guard let words = Self.words("moqspec \(example.line)") else { continue }
                let problem = Samples.message { _ = try Invocation(words) }
                #expect(problem == nil, "\(example.line)")
            }
        }
    }
}
