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
}
