import MoqScenario

@testable import MoqCommandLine

/// A registry of two areas, with files beside the scenarios of `Samples`.
enum RequirementSamples {
    static let fetch = """
        area: fetch
        about: Groups on request.
        requirements:
          - id: fetch.answer
            says: A fetch is answered with frames | nothing else.
            level: must
            binds: relay
            versions: 05..
            transports: [quic, webtransport]
            source: { draft: "moq-lite-06, FETCH", peer: moq-ffi 0.4.18 }
            checked: both
          - id: fetch.late
            says: A fetch that comes late is answered too.
            level: observed
            binds: any
            source: { peer: moq-ffi 0.3.12 }
            checked: scenario
            profile: deployed
            differs_from: fetch.early
          - id: fetch.early
            says: A fetch that comes late is refused.
            level: should
            binds: relay
            source: { draft: "moq-lite-06, FETCH" }
            checked: no
            because: nobody can tell
            profile: draft
            differs_from: fetch.late
        """

    static let other = """
        area: a
        about: Another.
        requirements:
          - id: a.b
            says: It holds.
            level: must
            binds: relay
            source: { peer: moq-ffi 0.4.18 }
            checked: monitor
        """

    /// The registry alone.
    static func registry() -> RequirementRegistry {
        let files = [("a.yaml", other), ("fetch.yaml", fetch)].map { ScenarioFile(path: $0, bytes: Array($1.utf8)) }
        return RequirementReader(vocabulary: .ofThisRelease).read(files).registry
    }

    /// A folder with the scenarios of `Samples` and the registry beside them.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in Samples.files { try folder.write(file.path, String(decoding: file.bytes, as: UTF8.self)) }
        let fetchScenarios = String(decoding: Samples.files[1].bytes, as: UTF8.self)
        try folder.write("scenarios/fetch.yaml", fetchScenarios.replacing("[a.b]", with: "[fetch.answer, a.b]"))
        try folder.write("scenarios/requirements/a.yaml", other)
        try folder.write("scenarios/requirements/fetch.yaml", fetch)
        return folder
    }
}
