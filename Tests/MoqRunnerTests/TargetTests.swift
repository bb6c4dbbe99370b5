import Foundation
import MoqBase
import MoqDrivers
import MoqEvents
import MoqTransport
import MoqWire
import Testing

@testable import MoqRunner

@Suite struct TargetTests {
    private static let anything = """
        - id: tested.connect
          title: A session
          requirements: [test.one]
          matrix: { version: [moq-lite-05] }
          actors: { camera: session }
          steps:
            - camera.connect: {}
        """

    @Test func aRelayThatNobodyRunsEndsTheRunWithoutVerdict() throws {
        let run = try TestRun.of(Self.anything) {
            $0.isSimulated = false
            // Nobody listens on the discard port of loopback.
            if let url = try? RelayURL("moqt://127.0.0.1:9/anon") { $0.target = .url(url) }
            $0.connectTimeout = .milliseconds(500)
        }
        #expect(run.status.code == 3)
        #expect(run.verdicts.isEmpty)
        let reason = run.status.reasons.first?.description ?? ""
        #expect(reason.contains("127.0.0.1:9"), "\(reason)")
    }

    @Test func aNameWithSeveralAddressesIsTriedAtEach() throws {
        // Somebody has the port at the IPv4 address of localhost only, and says nothing.
        let driver = try SocketDriver()
        let address = try driver.bind(Mute(), to: .loopback(port: 0))
        let run = try TestRun.of(Self.anything) {
            $0.isSimulated = false
            if let url = try? RelayURL("moqt://localhost:\(address.port)/anon") { $0.target = .url(url) }
            $0.connectTimeout = .milliseconds(300)
        }
        #expect(run.status.code == 3)
        let reason = run.status.reasons.first?.description ?? ""
        #expect(reason.contains("127.0.0.1:\(address.port)"), "\(reason)")
        #expect(!reason.contains("\n"))
    }

    @Test func aCommandThatEndsAtOnceIsToldWithItsStatus() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("moqspec-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: output) }
        let run = try TestRun.of(Self.anything) {
            $0.isSimulated = false
            $0.target = .command("false {port}", path: "/anon", outputPath: output.path)
        }
        #expect(run.status.code == 3)
        let reason = run.status.reasons.first?.description ?? ""
        #expect(reason.contains("exited with status 1"), "\(reason)")
    }

    @Test func aCapabilityCanBeLackingOnOneVersionOnly() throws {
        let scenario = """
            - id: tested.takeover
              title: A session
              requirements: [test.one]
              needs: [takeover]
              matrix: { version: [moq-lite-04, moq-lite-05] }
              actors: { camera: session }
              steps:
                - camera.connect: {}
            """
        let run = try TestRun.of(scenario) { $0.capabilitiesRemoved = ["takeover@05"] }
        #expect(run.verdicts == [.pass, .skip])
    }

    @Test func theGenerationIsConcludedFromTheRefusals() {
        #expect(TargetProbe.conclude([(.lite06, 54), (.lite03, 54)]).0 == .second)
        #expect(TargetProbe.conclude([(.lite05, 30), (.lite04, 30)]).0 == .first)
        #expect(TargetProbe.conclude([(.lite04, 13)]).0 == .first)
        #expect(TargetProbe.conclude([(.lite04, 99)]).0 == nil)
        #expect(TargetProbe.conclude([]).0 == nil)
        let mixed = TargetProbe.conclude([(.lite06, 54), (.lite04, 30)])
        #expect(mixed.0 == nil)
        #expect(mixed.1.hasPrefix("mixed evidence"))
    }

    @Test(arguments: [CodeGeneration.first, .second])
    func theEmbeddedRelayIsProbedLikeAnyOther(generation: CodeGeneration) throws {
        let run = try TestRun.of(Self.anything) { $0.generation = generation }
        let probed = run.events.compactMap { event -> TargetProbed? in
            if case .targetProbed(let event) = event { event } else { nil }
        }
        #expect(probed.first?.generation == (generation == .first ? .first : .second))
        #expect(run.verdicts == [.pass], "\(run.story)")
    }
}

/// Says nothing.
private final class Mute: DatagramMachine {
    func receive(_ batch: DatagramBatch, at now: Instant) {}
    func transmit(at now: Instant) -> DatagramBatch? { nil }
    var deadline: Instant? { nil }
    func advance(to now: Instant) {}
}
