import Glibc
import Testing

@testable import MoqCommandLine

@Suite struct ScenarioFilesTests {
    @Test func filesOfAFolderComeInTheOrderOfTheirNamesAndEachOnce() throws {
        let folder = try TemporaryFolder()
        for name in ["b.yaml", "a/z.yml", "a/y.yaml", ".hidden.yaml", "notes.txt", "c.yaml"] {
            try folder.write(name, name)
        }
        let files = try ScenarioFiles.read(["\(folder.path)/c.yaml", "\(folder.path)/"])
        let names = files.map { String($0.path.dropFirst(folder.path.count + 1)) }
        #expect(names == ["c.yaml", "a/y.yaml", "a/z.yml", "b.yaml"])
        #expect(files.last?.bytes == Array("b.yaml".utf8))
    }

    @Test func aFileIsReadWhateverItIsCalled() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("notes.txt", "x")
        #expect(try ScenarioFiles.read([path]).count == 1)
    }

    @Test func whatIsNotThereIsSaid() throws {
        let folder = try TemporaryFolder()
        try folder.write("empty/notes.txt", "x")
        #expect(
            Samples.message { _ = try ScenarioFiles.read(["no/such/folder"]) }
                == "no/such/folder: No such file or directory")
        #expect(
            Samples.message { _ = try ScenarioFiles.read(["\(folder.path)/empty"]) }
                == "\(folder.path)/empty: there is no scenario (*.yaml) in this folder")
        #expect(Samples.message { _ = try ScenarioFiles.read(["/dev/null"]) }?.contains("neither") == true)
    }

    @Test func anEndlessFileIsReadOnlyToItsBound() throws {
        let folder = try TemporaryFolder()
        #expect(try InputFile.read("/dev/zero", limit: 100_000).count == 100_000)
        let pipe = "\(folder.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(
            Samples.message { _ = try InputFile.read(pipe, limit: 1, patience: .zero) }?.contains("does anybody write")
                == true)
    }

    @Test func aPipeThatNobodyReadsIsNotWaitedForAsOutput() throws {
        let folder = try TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(
            Samples.message { _ = try OutputFile(creating: pipe, flag: "--save") }
                == "--save: \(pipe) cannot be written: nobody reads from this pipe; start its reader first")
    }

    @Test func aFileThatAFlagNamesIsLookedForBeforeTheRun() throws {
        let folder = try TemporaryFolder()
        #expect(
            Samples.message { try InputFile.check("absent.pem", flag: "tls-root") }
                == "--tls-root absent.pem: No such file or directory")
        #expect(Samples.message { try InputFile.check(folder.path, flag: "x") }?.contains("folder") == true)
        #expect(Samples.message { try InputFile.check("/dev/zero", flag: "x") } == nil)
        let device = Samples.message { try InputFile.check("/dev/zero", flag: "x", mustBeRegular: true) }
        #expect(device?.contains("no regular file") == true)
    }
}
