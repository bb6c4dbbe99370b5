import MoqBase
import Testing

@testable import MoqScenario

/// Files that would cost more than they are worth, and files that make no sense at all.
@Suite struct BoundsTests {
    private func messages(_ text: String) -> [String] {
        load(text).diagnostics.map(\.message)
    }

    @Test func aliasesThatExplodeAreRefused() {
        var text = "suite: s\nx-0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...8 {
            let alias = "*a\(level - 1)"
            text += "x-\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]\n"
        }
        #expect(messages(text) == ["the file stands for more than 100000 values here"])
    }

    @Test func anAliasInsideItsOwnAnchorIsRefused() {
        #expect(messages("suite: &a { b: *a }\n") == ["the alias `*a` stands inside what it stands for"])
    }

    @Test func deepNestingIsRefused() {
        let text = "suite: " + String(repeating: "[", count: 100_000)
        #expect(messages(text) == ["this is nested more than 64 levels deep"])
    }

    @Test func aHugeFileIsRefusedUnread() {
        #expect(messages(String(repeating: "#", count: 1 << 20) + "x") == ["the file has 1048577 bytes"])
    }

    @Test func moreFindingsThanAnybodyReadsAreLeftOut() {
        let steps = (0..<300).map { "- camera.nothing\($0): {}" }.joined(separator: "\n")
        let result = load(suite(steps: steps))
        #expect(result.diagnostics.count == 201)
        #expect(result.diagnostics.last?.message.hasPrefix("there are more than 200 findings") == true)
    }

    @Test func aMatrixThatExplodesIsRefused() {
        let values = (0..<40).map(String.init).joined(separator: ", ")
        let more = "network: {}\n    tags: [a]"
        let text = suite(steps: "- camera.connect: {}", more: more)
            .replacing("version: 06", with: "a: [\(values)], b: [\(values)], c: [\(values)]")
        #expect(messages(text) == ["the matrix has more than 4096 combinations"])
    }

    @Test func manyCasesOfALongScenarioAreRefused() {
        let values = (0..<200).map(String.init).joined(separator: ", ")
        let steps = Array(repeating: "- camera.connect: {}", count: 3000).joined(separator: "\n")
        let text = suite(steps: steps).replacing("version: 06", with: "version: 06, a: [\(values)]")
        #expect(messages(text).map { $0.hasSuffix("values each are too many") } == [true])
    }

    @Test func deadlinesThatAreMultipliedDoNotOverflow() throws {
        let inner = "{ repeat: { times: 1000000, every: 24 min, steps: [ { camera.connect: {} } ] } }"
        let outer = "{ repeat: { times: 1000000, steps: [ \(inner) ] } }"
        let endless = try #require(
            onlyCase(steps: "- repeat: { times: 1000000, steps: [ \(outer) ] }\n- viewer.connect: {}"))
        #expect(endless.timeout < .seconds(1_000_000_000))
    }

    @Test func brokenFilesAreReportedAndNeverCrash() {
        var random = SeededRandom(seed: 11)
        let samples = [ExampleFile.errors, ExampleFile.producerDrop, ExampleFile.catalogChurn].map { Array($0.utf8) }
        let pieces = [
            "\t", "{", "}", "[", "]", ":", "- ", "&a", "*a", "\"", "'", "${", "}", "\u{0}", "|", "\n", "💥", "..", "%",
        ]
        for round in 0..<300 {
            var bytes = samples[round % samples.count]
            for _ in 0..<Int(1 + random.next() % 4) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 2: bytes.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))].utf8, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 40)))
                }
            }
            let result = SuiteLoader(vocabulary: words).load([ScenarioFile(path: "x.yaml", bytes: bytes)])
            let lines = SourceLines.count(bytes)
            for diagnostic in result.diagnostics {
                #expect((1...lines).contains(diagnostic.location.line))
                #expect(diagnostic.location.column >= 1)
                #expect(diagnostic.length >= 1)
            }
            #expect(result.hasErrors || !result.suites.isEmpty)
            #expect(DiagnosticRenderer.text(result.diagnostics).isEmpty == result.diagnostics.isEmpty)
        }
    }
}

private enum SourceLines {
    /// Line ends of every kind that YAML knows, generously.
    static func count(_ bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.count {
            ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0)
        } + 1
    }
}
