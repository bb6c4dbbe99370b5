import MoqEvents
import MoqRelay
import MoqScenario
import MoqWire
import Testing

@testable import MoqRunner

@Suite struct HopSurveyTests {
    /// The survey of a few codes on one version, against the embedded relay, perhaps a faulty one.
    private static func table(_ version: String, codes: Set<String>, fault: RelayFault? = nil) throws -> HopTable {
        let vocabulary = Vocabulary(
            conditions: ErrorCondition.allNames, capabilities: Capability.names,
            versions: ["moq-lite-\(version)"], transports: ["quic"])
        let loaded = SuiteLoader(vocabulary: vocabulary).load([HopSurvey.file])
        try #require(!loaded.hasErrors, "\(DiagnosticRenderer.text(loaded.diagnostics))")
        let cases = loaded.suites.flatMap(\.cases).filter { scenario in
            scenario.variables.contains { codes.contains($0.value) } && Combination.reasonToLeaveOut(scenario) == nil
        }
        let survey = HopSurvey(cases: cases)
        var options = RunOptions(cases: cases, target: .embedded, seed: 1, moqspecVersion: "test", startedAt: "")
        options.isSimulated = true
        options.fault = fault
        survey.attach(to: &options)
        _ = Run(options) { _ in }.execute(signals: nil)
        return survey.table(.second)
    }

    @Test func theEmbeddedRelayChangesNoCodeOfAStream() throws {
        let table = try Self.table("06", codes: ["0", "13", "24", "127", "65535"])
        #expect(table.rows.count == 9 * 5)
        let streams = table.rows.filter { $0.way.isTowardsSubscriber && $0.way.signal != .close }
        #expect(streams.count == 25)
        #expect(streams.allSatisfy { $0.fate == .unchanged && $0.outcome == .code($0.code) }, "\(streams)")
        #expect(table.count(.illegal) == 0)
        #expect(table.rows.filter { !$0.way.isTowardsSubscriber }.allSatisfy { $0.fate == .kept })
    }

    @Test func olderVersionsHaveFewerWays() throws {
        let table = try Self.table("03", codes: ["24"])
        #expect(Set(table.rows.map(\.way)) == Set(HopWay.allCases).subtracting([.fetch, .trackInfo]))
    }

    @Test func aRelayThatSwallowsCodesShows() throws {
        func fates(_ name: String, _ way: HopWay) throws -> [HopFate] {
            let fault = try #require(RelayFault.all.first { $0.name == name })
            return try Self.table("06", codes: ["13", "24"], fault: fault).rows.filter { $0.way == way }.map(\.fate)
        }
        #expect(try fates("group-code-lost", .group) == [.degraded, .degraded])
        #expect(try fates("reset-swallowed", .group) == [.illegal, .illegal])
        #expect(try fates("refusal-withheld", .refusal) == [.illegal, .illegal])
    }
}
