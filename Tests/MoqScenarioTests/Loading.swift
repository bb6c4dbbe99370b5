@testable import MoqScenario

/// The words that the tests of this room know.
let words = Vocabulary(
    conditions: [
        "not_found", "dropped", "closed", "lagged", "old", "evicted", "unauthorized", "cancelled", "protocol_violation",
        "unroutable",
    ],
    capabilities: ["path-scoping", "group-budget", "datagrams", "fetch"],
    versions: ["moq-lite-03", "moq-lite-04", "moq-lite-05", "moq-lite-06"])

/// Loads one file from its text.
func load(_ text: String, path: String = "x.yaml", vocabulary: Vocabulary = words) -> LoadResult {
    SuiteLoader(vocabulary: vocabulary).load([ScenarioFile(path: path, bytes: Array(text.utf8))])
}

/// A suite of one scenario, run on moq-lite-06, with two sessions and the given steps (one a line).
func suite(steps: String, more: String = "") -> String {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
    return """
        suite: s
        about: A test.
        scenarios:
          - id: s.one
            title: One
            requirements: [r]
            matrix: { version: 06 }\(more.isEmpty ? "" : "\n    " + more)
            actors: { camera: session, viewer: session }
            steps:
        \(indented.joined(separator: "\n"))
        """
}

/// The only case of `suite(steps:)`, or nil when something is wrong with it.
func onlyCase(steps: String, more: String = "") -> ScenarioCase? {
    let result = load(suite(steps: steps, more: more))
    guard !result.hasErrors, let cases = result.suites.first?.cases, cases.count == 1 else { return nil }
    return cases.first
}
