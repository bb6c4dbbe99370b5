import MoqScenario
import MoqWire

@testable import MoqCommandLine

/// What the tests of the command line are held against.
enum Samples {
    /// A file with one case, over at once.
    static let quickSuite = """
        suite: quick
        about: Over at once.
        scenarios:
          - id: quick.announced
            title: A watcher is told of a broadcast
            requirements: [a.b]
            matrix: { version: [moq-lite-06], transport: quic }
            actors: { camera: session, viewer: session }
            steps:
              - camera.publish: { broadcast: game, tracks: [video] }
              - viewer.expect: { announced: game }
        """

    /// Two suites: `errors` with two scenarios on two versions each, and `fetch` with one on 06 only.
    static let files = [
        ScenarioFile(
            path: "scenarios/errors.yaml",
            bytes: Array(
                """
                suite: errors
                about: Codes raised on purpose.
                defaults: { matrix: { version: [moq-lite-05, moq-lite-06], transport: quic } }
                scenarios:
                  - id: errors.not-found
                    title: A refusal is a reset
                    requirements: [a.b]
                    tags: [codes, quick]
                    actors: { camera: session, viewer: session }
                    steps: &steps
                      - camera.publish: { broadcast: game, tracks: [video] }
                      - viewer.expect: { announced: game }
                  - id: errors.dropped.mid-group
                    title: A dropped group is reset
                    requirements: [a.b]
                    tags: [codes]
                    actors: { camera: session, viewer: session }
                    steps: *steps
                """.utf8)),
        ScenarioFile(
            path: "scenarios/fetch.yaml",
            bytes: Array(
                """
                suite: fetch
                about: Groups on request.
                scenarios:
                  - id: fetch.whole
                    title: A group is fetched
                    requirements: [a.b]
                    needs: [fetch]
                    matrix: { version: [moq-lite-06], transport: [quic, webtransport] }
                    actors: { camera: session, viewer: session }
                    steps:
                      - camera.publish: { broadcast: game, tracks: [video] }
                      - viewer.expect: { announced: game }
                """.utf8)),
    ]

    /// What the loader makes of the files.
    static func loaded() -> LoadResult {
        SuiteLoader(vocabulary: .ofThisRelease).load(files)
    }

    /// The same, with the scenarios of `errors` over every transport.
    static func onEveryTransport() -> LoadResult {
        var files = files
        let text = String(decoding: files[0].bytes, as: UTF8.self)
        files[0].bytes = Array(text.replacing("transport: quic", with: "transport: all").utf8)
        return SuiteLoader(vocabulary: .ofThisRelease).load(files)
    }

    /// The arguments of a command, taken apart.
    static func parsed(_ command: CommandDescription, _ words: [String]) throws -> ParsedArguments {
        try FlagParser(command).parse(words)
    }

    /// What is said about a mistake; nil when there is none.
    static func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
