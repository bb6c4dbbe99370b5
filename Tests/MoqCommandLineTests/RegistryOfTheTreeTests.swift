import Foundation
import MoqRunner
import MoqScenario
import Testing

@testable import MoqCommandLine

/// Holds scenarios, registry and page of this package to each other.
@Suite struct RegistryOfTheTreeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Read once: it is the whole suite.
    private static let loaded = Result { try LoadedScenarios([root.appending(path: "scenarios").path]) }

    @Test func theRegistryIsRightAndLargeEnough() throws {
        let loaded = try Self.loaded.get()
        let wrong = loaded.result.diagnostics.filter {
            $0.severity == .error && $0.location.file.contains("/requirements/")
        }
        #expect(wrong.map { DiagnosticRenderer.text($0) } == [])
        let registry = try #require(loaded.registry)
        #expect(registry.requirements.count >= 220)
        #expect(registry.requirements.count == registry.ids.count)
    }

    @Test func everyRequirementThatAScenarioNamesExists() throws {
        let loaded = try Self.loaded.get()
        let unknown = loaded.result.diagnostics.filter { $0.message.hasPrefix("there is no requirement") }
        #expect(unknown.map { DiagnosticRenderer.text($0) } == [])
        #expect(!loaded.result.suites.isEmpty)
    }

    @Test func everyFaultBreaksRequirementsThatExistAndMeetsASuite() throws {
        let loaded = try Self.loaded.get()
        let ids = try #require(loaded.registry).ids
        let suites = loaded.result.suites.map(\.id)
        for fault in Mutant.all {
            #expect(fault.requirements.filter { !ids.contains($0) } == [], "\(fault)")
            #expect(suites.contains { $0 == fault.suite || $0.hasPrefix("\(fault.suite).") }, "\(fault)")
        }
    }

    @Test func thePageAboutRequirementsIsTheOneOfTheRegistry() throws {
        let registry = try Self.loaded.get().requirements()
        let page = try String(contentsOf: Self.root.appending(path: "docs/requirements.md"), encoding: .utf8)
        #expect(
            page == RequirementPage(registry).markdown,
            "make it anew: moqspec list --requirements --report markdown=docs/requirements.md")
    }

    @Test func everyScenarioThatThePageAboutFaultsNamesExists() throws {
        let suites = try Self.loaded.get().result.suites
        let known = Set(suites.map(\.id) + suites.flatMap { $0.scenarios.map(\.id) })
        let page = try String(contentsOf: Self.root.appending(path: "docs/faults-of-the-field.md"), encoding: .utf8)
        let quoted = page.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }
        .map { String($0.element) }
        let named = quoted.filter { word in
            word.contains(".") && word.allSatisfy { $0.isLowercase || $0.isNumber || ".-".contains($0) }
                && ![".md", ".txt", ".yaml"].contains { word.hasSuffix($0) }
        }
        #expect(named.count > 20)
        #expect(named.filter { !known.contains($0) } == [])
    }
}
