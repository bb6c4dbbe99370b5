import MoqDrivers
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

/// A case ends only when the relay has let go of what it held for it: shown to bite by a relay that says it has not.
@Suite struct ReleaseTests {
    /// The embedded relay, with something that it never lets go of, or nothing.
    private final class HoardingWorld: World, @unchecked Sendable {
        // Sendable because the thread that probes has finished before the only worker begins.
        private let inner: EmbeddedWorld
        private let hoard: String?

        init(_ inner: EmbeddedWorld, hoard: String?) {
            self.inner = inner
            self.hoard = hoard
        }

        var driver: any Driver { inner.driver }
        var access: TargetAccess { inner.access }
        func startRelay() throws(RunnerError) { try inner.startRelay() }
        func stopRelay() throws(RunnerError) { try inner.stopRelay() }
        func signalRelay(_ signal: RelaySignal) throws(RunnerError) { try inner.signalRelay(signal) }
        func trouble() -> String? { inner.trouble() }
        func held(under prefix: BroadcastPath) -> String? { hoard ?? inner.held(under: prefix) }
        var linger: Duration { inner.linger }
    }

    private func run(hoard: String?) throws -> TestRun {
        try TestRun.of(
            """
            - id: tested.release
              title: A viewer and its publisher
              requirements: [test.one]
              matrix: { version: [moq-lite-05] }
              actors: { camera: session, viewer: session }
              steps:
                - camera.publish: { broadcast: game, tracks: [video] }
                - viewer.subscribe: { broadcast: game, track: video }
                - camera.write: { track: video, groups: 1, frames: 1 }
                - viewer.expect: { track: video, groups: 1 }
            """
        ) { options in
            let settings = options
            options.world = { () throws(RunnerError) -> any World in
                let made = try EmbeddedRelaySettings(keyLog: nil, options: settings).makeWorld(seed: 1)
                return HoardingWorld(made, hoard: hoard)
            }
        }
    }

    @Test func aRelayThatHoldsOnToSomethingFailsTheCase() throws {
        let run = try run(hoard: "the relay holds a subscription")
        #expect(run.verdicts == [.fail], "\(run.story)")
        let finding = run.findings.first { $0.headline == "relay: the relay did not let go of what the case had" }
        #expect(finding?.actual == "the relay holds a subscription", "\(run.story)")
    }

    @Test func aRelayThatLetsGoPasses() throws {
        let run = try run(hoard: nil)
        #expect(run.verdicts == [.pass], "\(run.story)")
    }

    @Test func whatTheEmbeddedRelayHoldsIsSeen() throws {
        var options = RunOptions(cases: [], target: .embedded, seed: 1, moqspecVersion: "test", startedAt: "")
        options.isSimulated = true
        let world = try EmbeddedRelaySettings(keyLog: nil, options: options).makeWorld(seed: 1)
        let path = try BroadcastPath("c1/game")
        #expect(world.held(under: try BroadcastPath("c1")) == nil)
        let line = try Line(
            Line.Wish(transport: .one(.quic), versions: [.lite05], hopID: 3, seed: 3, generation: .second),
            access: world.access, driver: world.driver)
        var isAnswered = false
        while !isAnswered && world.driver.now.nanoseconds < 5_000_000_000 {
            try world.driver.turn(until: world.driver.now.advanced(by: .seconds(1)))
            line.process(at: world.driver.now)
            while let event = line.session.poll() {
                guard case .announceRequested(let id, _, _) = event else { continue }
                isAnswered = line.session.answerAnnounce(id, active: [.init(path: path)])
            }
        }
        for _ in 0..<10 { try world.driver.turn(until: world.driver.now.advanced(by: .milliseconds(10))) }
        #expect(isAnswered)
        #expect(world.held(under: try BroadcastPath("c1"))?.contains("broadcasts 1") == true)
        #expect(world.held(under: try BroadcastPath("c2")) == nil)
    }
}
