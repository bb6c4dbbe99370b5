import MoqEvents
import Testing

@testable import MoqRunner

@Suite struct RoundTests {
    private static let good = """
        - id: tested.good
          title: A frame arrives
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.write: { track: video, groups: 1 }
            - viewer.expect: { track: video, group: 0, finished: true }
        """
    private static let bad = """
        - id: tested.bad
          title: A frame that nobody writes
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.subscribe: { broadcast: game, track: video }
            - viewer.expect: { track: video, group: 0, finished: true, within: 100ms }
        """
    /// On a link that loses half of everything a frame is there in time by chance.
    private static let chancy = """
        - id: tested.chancy
          title: A frame arrives in time, perhaps
          requirements: [test.one]
          matrix: { version: 06 }
          actors: { camera: session, viewer: session }
          steps:
            - camera.publish: { broadcast: game, tracks: [video] }
            - viewer.subscribe: { broadcast: game, track: video }
            - camera.expect: { subscribe_request: { track: video } }
            - network.set: { loss: 50% }
            - camera.write: { track: video, groups: 1 }
            - viewer.expect: { track: video, group: 0, finished: true, within: 60ms }
        """

    @Test func everyRoundPlaysEveryCaseUnderAnIdOfItsOwn() throws {
        let run = try TestRun.of(Self.good) { $0.rounds = 3 }
        #expect(run.verdicts == [.pass, .pass, .pass])
        let ids = run.events.compactMap { if case .caseStarted(let event) = $0 { event.caseID } else { nil } }
        #expect(ids == ["tested.good[version=06]", "tested.good[version=06]#2", "tested.good[version=06]#3"])
        #expect(run.status.code == 0)
        let results = RunResults(of: run.events)
        #expect(results.ledger.pass == 3)
        #expect(results.disagreement == nil)
        #expect(results.cases.count == 1, "plays that ended as the first are counted, not kept")
    }

    @Test func aRoundHasTheNextSeed() throws {
        let three = try TestRun.of(Self.good, seed: 7) { $0.rounds = 3 }
        let ninth = try TestRun.of(Self.good, seed: 9)
        let seeds = { (run: TestRun) in
            run.events.compactMap { if case .caseStarted(let event) = $0 { event.seed } else { nil } }
        }
        #expect(seeds(three)[2] == seeds(ninth)[0])
        #expect(Set(seeds(three)).count == 3)
    }

    @Test func aVerdictThatVariesIsNamedAndDecides() throws {
        let run = try TestRun.of(Self.chancy + "\n" + Self.good) { $0.rounds = 20 }
        #expect(Set(run.verdicts) == [.pass, .fail], "chance does not show any more")
        #expect(run.status.code == 6)
        let results = RunResults(of: run.events)
        #expect(results.rounds.varied.map(\.caseID) == ["tested.chancy[version=06]"])
        let verdicts = try #require(results.rounds.varied.first?.verdicts)
        #expect(verdicts.all == 20 && verdicts.fail > 0 && verdicts.pass > 0)
        #expect(results.ledger.all == 40)
        #expect(results.disagreement == nil)
        #expect(run.status.reasons.first?.description.contains("tested.chancy[version=06]") == true)
    }

    @Test func whatFailsEveryTimeDoesNotVary() throws {
        let run = try TestRun.of(Self.bad) { $0.rounds = 4 }
        #expect(run.verdicts == [.fail, .fail, .fail, .fail])
        #expect(run.status.code == 1)
        #expect(RunResults(of: run.events).rounds.varied.isEmpty)
    }

    @Test func aRunUntilFailureEndsWithTheFirstOne() throws {
        let run = try TestRun.of(Self.bad + "\n" + Self.good) {
            $0.rounds = 50
            $0.stopsAtFailure = true
            $0.jobs = 1
        }
        #expect(run.verdicts == [.fail])
        #expect(run.status.code == 1)
        #expect(RunResults(of: run.events).disagreement == nil)
    }

    @Test func aRunUntilFailureThatHasNoneEndsWithItsRounds() throws {
        let run = try TestRun.of(Self.good) {
            $0.rounds = 5
            $0.stopsAtFailure = true
        }
        #expect(run.verdicts.count == 5)
        #expect(run.status.code == 0)
    }

    @Test func comparisonsAreMadeInEveryRound() throws {
        let run = try TestRun.of(Self.good, transports: ["quic", "tcp"]) {
            $0.rounds = 2
            $0.comparesTransports = true
        }
        #expect(run.verdicts.count == 6, "two cases and their comparison, twice")
        #expect(Set(run.verdicts) == [.pass], "\(run.story)")
        #expect(RunResults(of: run.events).disagreement == nil)
    }
}
