import Foundation
import MoqScenario
import Testing

@testable import MoqKit

/// The definitions in fixtures/machines, and what the program has of them.
@Suite struct MachineFilesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func files() throws -> [ScenarioFile] {
        let folder = root.appending(path: "fixtures/machines")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
            .map {
                ScenarioFile(
                    path: "fixtures/machines/\($0)", bytes: Array(try Data(contentsOf: folder.appending(path: $0))))
            }
    }

    @Test func everyDefinitionIsWithoutAMistake() throws {
        let reading = MachineReader().read(try Self.files())
        #expect(reading.diagnostics.map { DiagnosticRenderer.text($0) } == [])
        #expect(!reading.definitions.isEmpty)
    }

    @Test func theProgramHasTheDefinitionsOfTheTree() throws {
        #expect(BuiltInMachines.files == (try Self.files()), "make them anew: fixtures/machines/embed.sh")
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func thePageAboutMachinesIsTheOneOfTheDefinitions() throws {
        #expect(
            try Self.text("docs/machines.md") == MachinePage().markdown,
            "make it anew: moqspec machines --report markdown=docs/machines.md")
    }

    @Test func theSchemaOfTheTreeIsTheOneOfTheProgram() throws {
        #expect(
            try Self.text("fixtures/machines/schema.json") == String(decoding: MachineSchema.bytes(), as: UTF8.self),
            "make it anew: moqspec schema --machines > fixtures/machines/schema.json")
    }

    @Test func aDiagramHasWhatMoves() throws {
        let session = try #require(MachineLibrary.builtIn.machine("session", .ios))
        let text = MachineMermaid(session).text
        #expect(text.hasPrefix("stateDiagram-v2\n    [*] --> idle\n    idle --> connecting: connect\n"))
        #expect(text.contains("    closed --> [*]\n") && !text.contains("already_closed"))
        #expect(MachineTable(session).text.contains("error already_closed"))
    }
}
