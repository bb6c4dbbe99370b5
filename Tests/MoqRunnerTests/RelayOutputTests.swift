import Foundation
import Testing

@testable import MoqRunner

@Suite struct RelayOutputTests {
    private func size(afterBounding bytes: Int) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        // A hole takes no room on the disk.
        #expect(truncate(file.path, bytes) == 0)
        RelayProcess(command: "true", outputPath: file.path).boundOutput()
        return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? -1
    }

    @Test func outputWithinItsBoundIsLeftAlone() throws {
        #expect(try size(afterBounding: RelayProcess.outputKept) == RelayProcess.outputKept)
    }

    @Test func outputBeyondItsBoundIsEmptied() throws {
        #expect(try size(afterBounding: RelayProcess.outputKept + 1) == 0)
    }
}
