import MoqScenario
import Testing

@testable import MoqCommandLine

@Suite struct RequirementFilesTests {
    @Test func theRegistryBesideScenariosIsReadAndIsNoSuite() throws {
        let folder = try RequirementSamples.folder()
        let loaded = try LoadedScenarios(["\(folder.path)/scenarios"])
        #expect(loaded.result.suites.map(\.id) == ["errors", "fetch"])
        #expect(loaded.registry?.ids == ["a.b", "fetch.answer", "fetch.late", "fetch.early"])
        #expect(loaded.lintText.hasSuffix("4 files, 3 scenarios, 6 cases, 4 requirements: 1 warning"))
        #expect(loaded.lintText.contains("warning: no scenario names `fetch.late`, which is to be checked by one"))
        #expect(loaded.lintCode(isStrict: false) == 0 && loaded.lintCode(isStrict: true) == 2)
        // A run has nothing to say about that.
        #expect(loaded.warningLine == nil)
    }

    @Test func theRegistryAboveAFileIsItsOwnAndNothingIsSaidAboutOtherFiles() throws {
        let folder = try RequirementSamples.folder()
        try folder.write("scenarios/deep/down.yaml", String(decoding: Samples.files[0].bytes, as: UTF8.self))
        let loaded = try LoadedScenarios(["\(folder.path)/scenarios/deep/down.yaml"])
        #expect(loaded.registry?.requirements.count == 4)
        #expect(loaded.lintCode(isStrict: true) == 0)
    }

    @Test func aRequirementThatIsNotInTheRegistryIsAMistake() throws {
        let folder = try RequirementSamples.folder()
        let text = String(decoding: Samples.files[0].bytes, as: UTF8.self)
        try folder.write("scenarios/errors.yaml", text.replacing("[a.b]", with: "[fetch.anser]"))
        let loaded = try LoadedScenarios(["\(folder.path)/scenarios"])
        #expect(loaded.lintCode(isStrict: false) == 2)
        #expect(loaded.lintText.contains("there is no requirement `fetch.anser`"))
        #expect(loaded.lintText.contains("did you mean `fetch.answer`?"))
    }

    @Test func mistakesOfTheRegistryAreShownByLintAndKeepARunFromBeginning() throws {
        let folder = try RequirementSamples.folder()
        let text = RequirementSamples.other.replacing("must", with: "most")
        try folder.write("scenarios/requirements/a.yaml", text)
        let loaded = try LoadedScenarios(["\(folder.path)/scenarios"])
        #expect(loaded.lintText.contains("requirements/a.yaml:6:12: error: `level` is `most`"))
        // The id is known all the same, so that one mistake is not told for every scenario.
        #expect(loaded.result.diagnostics.count == 1)
        #expect(Samples.message { _ = try loaded.suites() } != nil)
    }

    @Test func theRegistryCanBeCheckedAlone() throws {
        let folder = try RequirementSamples.folder()
        for path in ["requirements", "requirements/", "requirements/fetch.yaml"] {
            let loaded = try LoadedScenarios(["\(folder.path)/scenarios/\(path)"])
            #expect(loaded.result.suites.isEmpty && !loaded.result.hasErrors)
            #expect(loaded.registry?["fetch.answer"] != nil)
            #expect(loaded.lintCode(isStrict: true) == 0)
        }
    }

    @Test func scenariosWithoutARegistryNameWhatTheyLike() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x.yaml", String(decoding: Samples.files[0].bytes, as: UTF8.self))
        let loaded = try LoadedScenarios([path])
        #expect(loaded.registry == nil && !loaded.result.hasErrors)
        #expect(Samples.message { _ = try loaded.requirements() }?.contains("have no registry") == true)
    }
}
