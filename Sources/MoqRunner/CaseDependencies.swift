import MoqDrivers
import MoqEvents
import MoqScenario

/// What the cases of a run build on, and how that ended: shared by the workers of a run.
final class CaseDependencies: @unchecked Sendable {
    // Sendable by its lock: every access to what changes below holds it.
    private let lock = Lock()
    private var verdicts: [Int: Verdict] = [:]
    private let cases: [ScenarioCase]
    /// For each case the indices of those that it builds on.
    private let bases: [[Int]]

    /// Whether a case may be played yet.
    enum Readiness: Equatable {
        case ready
        /// Something that it builds on has not ended.
        case waits
        /// Something that it builds on failed; why it is not played.
        case blocked(String)
    }

    init(_ cases: [ScenarioCase]) {
        self.cases = cases
        var ofScenario: [String: [Int]] = [:]
        for (index, scenario) in cases.enumerated() { ofScenario[scenario.scenario, default: []].append(index) }
        bases = cases.map { scenario in
            scenario.buildsOn.flatMap { ofScenario[$0] ?? [] }.filter { Self.isAlike(cases[$0], scenario) }
        }
    }

    /// Whether two cases have the same version and transport, and the same values where they have the same variables.
    private static func isAlike(_ one: ScenarioCase, _ other: ScenarioCase) -> Bool {
        one.version == other.version && one.transport == other.transport
            && one.variables.allSatisfy { variable in
                other.variables.allSatisfy { $0.name != variable.name || $0.value == variable.value }
            }
    }

    /// Notes how a case ended.
    func ended(_ index: Int, _ verdict: Verdict) {
        lock.locked { verdicts[index] = verdict }
    }

    /// Whether a case may be played.
    func readiness(of index: Int) -> Readiness {
        guard !bases[index].isEmpty else { return .ready }
        return lock.locked {
            var waits = false
            for base in bases[index] {
                guard let verdict = verdicts[base] else {
                    waits = true
                    continue
                }
                if let how = Self.words(for: verdict) {
                    return .blocked("it builds on \(cases[base].id), which \(how)")
                }
            }
            return waits ? .waits : .ready
        }
    }

    /// How something ended on which nothing can be built; nil for what does not stand in the way.
    private static func words(for verdict: Verdict) -> String? {
        switch verdict {
        case .fail: "failed"
        case .known: "failed as is known"
        case .error: "ended in an error"
        case .blocked: "is blocked itself"
        // What the relay lacks, or cannot show, says nothing about what is built on it.
        case .pass, .warn, .skip, .notTestable, .vacuous: nil
        }
    }

    /// The cases among these that can only be played after one that is played alone, those included.
    func following(_ alone: [Int]) -> Set<Int> {
        var found = Set(alone)
        var grows = true
        while grows {
            grows = false
            for index in bases.indices where !found.contains(index) && bases[index].contains(where: found.contains) {
                found.insert(index)
                grows = true
            }
        }
        return found
    }
}
