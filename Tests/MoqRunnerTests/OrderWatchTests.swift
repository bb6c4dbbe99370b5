import MoqBase
import MoqEvents
import MoqKit
import MoqScenario
import Testing

@testable import MoqRunner

@Suite struct OrderWatchTests {
    private static let house = """
        machine: house
        object: House
        about: Others live in it.
        source: a test
        profiles: [ios]
        states:
          building: { initial: true, about: Not yet. }
          open: Ready.
          shut: { terminal: true, about: Over. }
        inputs: { open: { kind: call }, shut: { kind: call } }
        transitions:
          - { from: building, on: open, to: open }
          - { from: open, on: open, ignore: true }
          - { from: open, on: shut, to: shut }
          - { from: shut, on: shut, ignore: true }
        """
    private static let guest = """
        machine: guest
        object: Guest
        about: Lives in a house.
        source: a test
        profiles: [ios]
        states:
          out: { initial: true, about: Elsewhere. }
          in: Inside.
          gone: { terminal: true, about: Over. }
        inputs: { enter: { kind: call }, eat: { kind: call }, leave: { kind: call } }
        transitions:
          - { from: out, on: enter, to: in }
          - { from: in, on: eat, to: same }
          - { from: [out, in], on: leave, to: gone }
        orders:
          - { after: { house: open }, in: in, source: doors }
          - { until: { house: shut }, in: in, then: gone, source: closing time }
        """
    private static let library = MachineLibrary(
        MachineReader().read([
            ScenarioFile(path: "house.yaml", bytes: Array(house.utf8)),
            ScenarioFile(path: "guest.yaml", bytes: Array(guest.utf8)),
        ]).definitions)

    private var watch = MachineWatch(.ios, since: .origin, in: Self.library)
    private var milliseconds = 0

    /// The breaches of a step, by a millisecond later than the one before.
    private mutating func step(
        _ object: String, _ input: String, to state: String, of owner: String? = nil, isRefused: Bool = false
    ) -> MachineWatch.Breach? {
        milliseconds += 1
        return watch.take(
            ModelStep(
                machine: object.hasPrefix("guest") ? "guest" : "house", object: object, owner: owner, input: input,
                state: state, isRefused: isRefused, at: .origin.advanced(by: .milliseconds(milliseconds))))
    }

    @Test mutating func whatKeepsTheOrderIsNoBreach() {
        #expect(step("house 1", "open", to: "open") == nil)
        #expect(step("guest 1", "enter", to: "in", of: "house 1") == nil)
        #expect(step("guest 1", "eat", to: "in", of: "house 1") == nil)
        #expect(watch.settle().isEmpty)
        // Within one turn the owner may come first.
        #expect(step("house 1", "shut", to: "shut") == nil)
        #expect(step("guest 1", "leave", to: "gone", of: "house 1") == nil)
        #expect(watch.settle().isEmpty)
        #expect(watch.ordersJudged.held == 2 && watch.ordersJudged.broken == 0)
    }

    @Test mutating func beforeItsOwnerLetsItAnObjectDoesNothing() throws {
        watch.meet("house", "house 1")
        let breach = try #require(step("guest 1", "enter", to: "in", of: "house 1"))
        #expect(breach.headline == "guest 1 broke an order of its machine `guest` with house 1")
        #expect(
            breach.expected
                == "not in `in` before its `house` has been `open` (a test, doors), guest.yaml:16:7")
        #expect(
            breach.actual
                == "`house 1` (house) is in `building` by nothing yet; `guest 1` is in `in` by `enter` at 0.001000 s")
        #expect(breach.requirements == ["kit.orders"])
        // It is told once.
        #expect(step("guest 1", "eat", to: "in", of: "house 1") == nil)
        #expect(watch.ordersJudged.broken == 1)
    }

    @Test mutating func whatStaysBehindItsOwnerIsToldWhenTheTurnIsOver() throws {
        #expect(step("house 1", "open", to: "open") == nil)
        #expect(step("guest 1", "enter", to: "in", of: "house 1") == nil)
        #expect(step("house 1", "shut", to: "shut") == nil)
        let breach = try #require(watch.settle().first)
        #expect(
            breach.expected.hasPrefix("no step in `in` once its `house` is `shut`; it ends in `gone` (a test, closing"))
        #expect(
            breach.actual
                == "`house 1` (house) is in `shut` by `shut` at 0.003000 s; `guest 1` is still in `in`, to which it came by `enter` at 0.002000 s"
        )
        #expect(watch.settle().isEmpty)
    }

    @Test mutating func aStepBehindTheEndOfItsOwnerIsToldAtOnce() throws {
        #expect(step("house 1", "open", to: "open") == nil)
        #expect(step("guest 1", "enter", to: "in", of: "house 1") == nil)
        #expect(step("house 1", "shut", to: "shut") == nil)
        let breach = try #require(step("guest 1", "eat", to: "in", of: "house 1"))
        #expect(breach.actual.hasSuffix("`guest 1` is in `in` by `eat` at 0.004000 s"))
        #expect(watch.settle().isEmpty)
    }

    @Test mutating func theNewestOwnerCounts() {
        #expect(step("house 1", "open", to: "open") == nil)
        #expect(step("guest 1", "enter", to: "in", of: "house 1") == nil)
        #expect(step("house 2", "open", to: "open") == nil)
        #expect(step("guest 1", "eat", to: "in", of: "house 2") == nil)
        #expect(step("house 1", "shut", to: "shut") == nil)
        #expect(watch.settle().isEmpty)
        #expect(step("house 2", "shut", to: "shut") == nil)
        #expect(watch.settle().count == 1)
    }

    @Test mutating func whereItsOwnerIsNotKnownOrWentAstrayNoOrderIsHeld() {
        #expect(step("guest 1", "enter", to: "in") == nil)
        #expect(step("guest 2", "enter", to: "in", of: "house 7") == nil)
        #expect(step("house 1", "shut", to: "shut")?.headline.contains("does not define") == true)
        #expect(step("guest 3", "enter", to: "in", of: "house 1") == nil)
        #expect(watch.settle().isEmpty && watch.ordersJudged.held == 0)
    }

    // MARK: In cases

    /// A publisher and a player that is stopped, with a fault of the kits.
    private func findings(_ fault: String) throws -> [Finding] {
        let run = try TestRun.of(
            """
            - id: tested.case
              title: A publisher is stopped
              requirements: []
              actors:
                studio: { kind: publisher, profile: android }
                couch: { kind: player, profile: ios }
              matrix: { version: [moq-lite-06], transport: [quic] }
              steps:
                - studio.start_capture: { audio: synthetic }
                - studio.add_audio_track: { name: microphone }
                - studio.add_data_track: { name: chat }
                - studio.publish: { path: live/studio }
                - studio.start: {}
                - couch.subscribe: { prefix: live }
                - couch.expect: { broadcast: studio, catalog: { audio: 1 } }
                - couch.play: {}
                - couch.expect: { player: [playing] }
                - couch.pause: {}
                - studio.stop: {}
            """
        ) { $0.kitFault = KitFault.named(fault) }
        return run.findings
    }

    @Test(arguments: [
        ("kit-track-outlives", "publisher 1/microphone", "machines/published-track.yaml"),
        ("kit-emitter-outlives", "publisher 1/chat emitter", "machines/data-track-emitter.yaml"),
        ("kit-track-before-play", "player 1/audio", "machines/player-track.yaml"),
        ("kit-track-outlives-pause", "player 1/audio", "machines/player-track.yaml"),
    ])
    func aCaseFailsWithBothStepsAndTheOrder(_ fault: String, _ object: String, _ file: String) throws {
        let finding = try #require(try findings(fault).first { $0.requirements.contains("kit.orders") })
        #expect(finding.severity == .fail && finding.headline.contains("\(object) broke an order"))
        #expect(finding.expected?.contains(file) == true)
        let owner = object.prefix { $0 != "/" }
        #expect(finding.actual?.contains("`\(owner)` (") == true)
        #expect(finding.actual?.contains("`\(object)` is ") == true)
    }

    @Test func aRightKitBreaksNone() throws { #expect(try findings("none").isEmpty) }
}
