import MoqBase
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

/// What is begun first, and what reading files on several threads makes of them.
@Suite struct OrderOfCasesTests {
    private static let some = """
        - id: tested.short
          title: It waits for nothing
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps: [{ viewer.connect: {} }]
        - id: tested.holds
          title: It waits for three seconds
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps:
            - viewer.connect: {}
            - viewer.expect: { session: connected, for: 1s }
            - wait: 2s
        - id: tested.soon
          title: It waits for half a second
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps: [{ wait: 500ms }]
        - id: tested.late
          title: What it expects may come late
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps:
            - viewer.connect: {}
            - viewer.expect: { session: connected, within: 9s }
        - id: tested.side-by-side
          title: It waits side by side, and again and again
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps:
            - parallel:
                - [{ wait: 1s }]
                - [{ repeat: { times: 4, every: 500ms, steps: [{ viewer.connect: {} }] } }]
            - viewer.never: { session: closed, for: 500ms }
        - id: tested.lingers
          title: The relay waits, and so does the case
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps: [{ relay.restart: { linger: 4s } }, { viewer.vanish: {} }]
        - id: tested.nobody-there
          title: Who is refused may have to wait for it
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { viewer: session }
          steps: [{ viewer.connect: { expect: refused, within: 15s } }]
        """

    private func round(isSimulated: Bool) throws -> Round {
        var options = RunOptions(
            cases: try TestRun.cases(Self.some), target: .embedded, seed: 1, moqspecVersion: "test", startedAt: "")
        options.isSimulated = isSimulated
        return Round(1, of: options)
    }

    @Test func howLongACaseWaitsIsKnownFromItsSteps() throws {
        let waits = try TestRun.cases(Self.some).map(\.expectedDuration)
        #expect(
            waits
                == [
                    .zero, .seconds(3), .milliseconds(500), .seconds(2), .milliseconds(2500), .seconds(6), .seconds(2),
                ])
    }

    @Test func overSocketsCasesThatWaitForLongBeginFirst() throws {
        #expect(try round(isSimulated: false).order(of: [0, 1, 2, 3, 4, 5, 6]) == [5, 1, 4, 3, 6, 0, 2])
        // Only those that were asked for, whichever they are.
        #expect(try round(isSimulated: false).order(of: [2, 1]) == [1, 2])
    }

    @Test func inSimulatedTimeThePlanIsKept() throws {
        #expect(try round(isSimulated: true).order(of: [0, 1, 2, 3, 4]) == [0, 1, 2, 3, 4])
    }

    @Test func filesReadOnSeveralThreadsAreWhatTheyAreOnOne() {
        let vocabulary = Vocabulary(
            conditions: ErrorCondition.allNames, capabilities: Capability.names,
            versions: Version.allCases.map(\.description), transports: ["quic"])
        let files = (0..<40).map { number in
            // Scenarios that are there twice, and mistakes: what is said of them has an order, too.
            let text = """
                suite: tested-\(number)
                about: Written in a test.
                scenarios:
                  - id: tested-\(number).one
                    title: One
                    requirements: [test.one]
                    matrix: { version: 06 }
                    actors: { viewer: session }
                    steps: [{ viewer.\(number % 7 == 3 ? "conect" : "connect"): {} }]
                  - id: tested.\(number / 2)
                    title: Another
                    requirements: [test.one]
                    matrix: { version: 06 }
                    actors: { viewer: session }
                    steps: [{ wait: \(number)s }]
                """
            return ScenarioFile(path: "tested-\(number).yaml", bytes: Array(text.utf8))
        }
        let loader = SuiteLoader(vocabulary: vocabulary)
        let onOne = loader.load(files)
        #expect(onOne.suites.count == 40)
        #expect(onOne.diagnostics.count >= 20)
        for threads in [1, 2, 5, 64] { #expect(loader.load(files, threads: threads) == onOne) }
    }
}
