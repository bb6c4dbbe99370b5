import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

/// When cases are skipped for what they need.
@Suite struct CapabilityTests {
    @Test func whatWaitsForMinutesIsPlayedInSimulatedTimeOnlyUnlessItIsAskedFor() throws {
        let scenario = try Self.scenario(needing: "simulated-time")
        var findings = Self.findings
        #expect(findings.reasonToSkip(scenario)?.contains("not in simulated time") == true)
        findings.isSimulated = true
        #expect(findings.reasonToSkip(scenario) == nil)
        findings.isSimulated = false
        findings.added = ["simulated-time"]
        #expect(findings.reasonToSkip(scenario) == nil)
    }

    private static var findings: TargetFindings {
        TargetFindings(receptions: [.init(transport: .one(.quic), versions: [.lite06])], evidence: "")
    }

    private static func scenario(needing capability: String) throws -> ScenarioCase {
        let vocabulary = Vocabulary(
            conditions: [], capabilities: Capability.names, versions: [Version.lite06.description])
        let yaml = """
            suite: tested
            about: A test.
            scenarios:
              - id: tested.need
                title: A case that needs something
                requirements: [a.b]
                needs: [\(capability)]
                actors: { guest: session }
                steps:
                  - guest.connect: {}
                  - guest.expect: { session: connected }
            """
        let loaded = SuiteLoader(vocabulary: vocabulary).load([
            ScenarioFile(path: "tested.yaml", bytes: Array(yaml.utf8))
        ])
        return try #require(loaded.suites.first?.cases.first)
    }

    @Test func theHarnessLooksOnOverWhatCostsLeastWhereEveryCaseHasARelay() {
        var findings = TargetFindings(
            receptions: [.init(transport: .one(.webtransport), versions: [.lite05, .lite06])], evidence: "")
        #expect(findings.control.transport == .one(.webtransport))
        findings.isEmbedded = true
        #expect(findings.control.transport == .one(.webtransport))
        findings.isSimulated = true
        #expect(findings.control.transport == .one(.tcp))
        #expect(findings.control.version == .lite06)
        var wrong = findings
        wrong.isWrongOnPurpose = true
        #expect(wrong.control.transport == .one(.webtransport))
        findings.protectsStreams = true
        #expect(findings.control.transport == .one(.webtransport))
    }
}
