import Foundation
import MoqScenario
import Testing

@testable import MoqMonitor

/// The monitor and the registry of requirements speak of the same.
@Suite struct RegistryTests {
    private static func registry() throws -> RequirementRegistry {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "scenarios/requirements")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".yaml") }
        let files = try names.sorted().map { name in
            ScenarioFile(path: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
        }
        let versions = ["01", "02", "03", "04", "05", "06", "07-wip"].map { "moq-lite-\($0)" }
        let words = Vocabulary(
            conditions: [], capabilities: [], versions: versions,
            transports: ["quic", "webtransport", "websocket", "tcp"])
        return RequirementReader(vocabulary: words).read(files).registry
    }

    @Test func everyRuleIsARowThatTheMonitorChecks() throws {
        let registry = try Self.registry()
        for rule in MonitorRule.allCases {
            let row = try #require(registry[rule.id], "\(rule.id) is no requirement")
            #expect(row.checked.isMonitored, "\(rule.id) is not said to be checked by the monitor")
            #expect(row.level.rawValue == rule.level.rawValue, "\(rule.id)")
            #expect(row.profile?.rawValue == rule.profile?.rawValue, "\(rule.id)")
        }
    }

    @Test func everyRowThatTheMonitorChecksHasARule() throws {
        let ids = Set(MonitorRule.allCases.map(\.id))
        let rows = try Self.registry().requirements.filter(\.checked.isMonitored)
        #expect(rows.count >= 140)
        // What clients do among themselves no session sees: the watch over their machines holds them to it in every case.
        #expect(rows.map(\.id).filter { !ids.contains($0) } == ["kit.orders"])
    }
}
