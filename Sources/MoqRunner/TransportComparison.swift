import MoqDrivers
import MoqEvents
import MoqScenario

/// Holds what the sessions of the same scenario saw on different transports against each other, once all have run.
final class TransportComparison: @unchecked Sendable {
    // Sendable by its lock: every access to the state below holds it.
    private let lock = Lock()
    private var told: [Int: (trace: SessionTrace?, verdict: Verdict)] = [:]
    private let cases: [ScenarioCase]
    /// The indices of the cases of each comparison, in the order of the plan.
    private let groups: [[Int]]

    init(_ cases: [ScenarioCase]) {
        self.cases = cases
        var groups: [[Int]] = []
        var places: [String: Int] = [:]
        for (index, scenario) in cases.enumerated() {
            if let place = places[scenario.idOnAnyTransport] {
                groups[place].append(index)
            } else {
                places[scenario.idOnAnyTransport] = groups.count
                groups.append([index])
            }
        }
        // What runs on one transport only has nothing to be compared with.
        self.groups = groups.filter { $0.count > 1 }
    }

    /// How many comparisons there are.
    var count: Int { groups.count }

    /// Takes what came of one case.
    func add(_ index: Int, _ trace: SessionTrace?, _ verdict: Verdict) {
        lock.locked { told[index] = (trace, verdict) }
    }

    /// What came of each comparison: a case of its own, with its findings.
    func outcomes() -> [(scenario: ScenarioCase, findings: [Finding], verdict: Verdict)] {
        lock.locked { groups.map(outcome) }
    }

    private func outcome(_ group: [Int]) -> (scenario: ScenarioCase, findings: [Finding], verdict: Verdict) {
        var scenario = cases[group[0]].over(TransportChoice.comparisonName)
        let passed = group.filter { index in
            guard let entry = told[index] else { return false }
            return entry.trace != nil && (entry.verdict == .pass || entry.verdict == .warn)
        }
        let names = passed.map { cases[$0].transport }
        scenario.title = "\(scenario.title): the same on \(names.joined(separator: ", "))"
        func finding(_ severity: Finding.Severity, _ headline: String, expected: String? = nil, actual: String? = nil)
            -> Finding
        {
            Finding(
                caseID: scenario.id, severity: severity, headline: headline, place: FilePlace(scenario.location),
                expected: expected, actual: actual)
        }
        guard passed.count > 1, let reference = told[passed[0]]?.trace else {
            let who = group.map { cases[$0].transport }.joined(separator: ", ")
            return (
                scenario,
                [finding(.skip, "fewer than two transports of \(who) passed, so there is nothing to compare")],
                .skip
            )
        }
        var findings: [Finding] = []
        for index in passed.dropFirst() {
            guard let trace = told[index]?.trace else { continue }
            let (mine, other) = (names[0], cases[index].transport)
            let differences = reference.differences(from: trace, mine: mine, other: other)
            guard !differences.isEmpty else { continue }
            findings.append(
                finding(
                    .fail, "sessions saw other things over \(other) than over \(mine)",
                    expected: "the same moq-lite events on both", actual: differences.joined(separator: "\n")))
        }
        return (scenario, findings, findings.isEmpty ? .pass : .fail)
    }
}
