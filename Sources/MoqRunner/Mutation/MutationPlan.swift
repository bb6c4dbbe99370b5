import MoqScenario
import MoqTransport
import MoqWire

/// Which cases are played against a relay with a fault, and in which order.
struct MutationPlan {
    /// Cases that name a requirement of the fault first, those of its suite before others, then the rest of its suite;
    /// by their index.
    let order: [Int]

    /// The way in which combinations of a scenario are gone through: what differs most comes first.
    private static let preferences: [(version: Version, transport: TransportKind)] = [
        (.lite06, .quic), (.lite03, .quic), (.lite05, .webtransport), (.lite01, .quic), (.lite06, .websocket),
        (.lite04, .tcp), (.lite02, .webtransport), (.lite05, .quic),
    ]
    /// Combinations of one scenario that are played: where a scenario names what is broken, and where it does not.
    private static let roundsOfRelated = 8
    private static let roundsOfOthers = 3
    /// What takes long is left for last.
    private static let slowTag = "slow"

    /// The plan for `fault` over those of `cases` that may be played.
    init(_ fault: Mutant, over cases: [ScenarioCase], playable: [Int]) {
        let eligible = playable.filter { Self.shows(fault, in: cases[$0]) }
        let related = eligible.filter { cases[$0].requirements.contains(where: fault.requirements.contains) }
        let others = eligible.filter { index in
            let isRelated = cases[index].requirements.contains(where: fault.requirements.contains)
            return !isRelated && Self.isPart(cases[index], of: fault.suite)
        }
        let suite = fault.suite
        let near = related.filter { Self.isPart(cases[$0], of: suite) }
        let far = related.filter { !Self.isPart(cases[$0], of: suite) }
        order =
            Self.spread(near, cases, rounds: Self.roundsOfRelated)
            + Self.spread(far, cases, rounds: Self.roundsOfRelated)
            + Self.spread(others, cases, rounds: Self.roundsOfOthers)
    }

    private static func isPart(_ scenario: ScenarioCase, of suite: String) -> Bool {
        scenario.suite == suite || scenario.suite.hasPrefix("\(suite).")
    }

    /// Whether a fault shows on the version and the transport of a case.
    private static func shows(_ fault: Mutant, in scenario: ScenarioCase) -> Bool {
        if let versions = fault.versions {
            guard let version = Version(name: scenario.version), versions.contains(version) else { return false }
        }
        guard let transports = fault.transports else { return true }
        return transports.contains { $0.rawValue == scenario.transport }
    }

    /// One case of each scenario, then another of each, and so on.
    private static func spread(_ indices: [Int], _ cases: [ScenarioCase], rounds: Int) -> [Int] {
        var scenarios: [String: [Int]] = [:]
        for index in indices { scenarios[cases[index].scenario, default: []].append(index) }
        var placed: [(isSlow: Bool, round: Int, index: Int)] = []
        for key in scenarios.keys.sorted() {
            let sorted = (scenarios[key] ?? []).sorted { (rank(cases[$0]), $0) < (rank(cases[$1]), $1) }
            for (round, index) in sorted.prefix(rounds).enumerated() {
                placed.append((cases[index].tags.contains(slowTag), round, index))
            }
        }
        placed.sort { left, right in
            if left.isSlow != right.isSlow { return right.isSlow }
            return (left.round, left.index) < (right.round, right.index)
        }
        return placed.map(\.index)
    }

    private static func rank(_ scenario: ScenarioCase) -> Int {
        let place = preferences.firstIndex { preference in
            preference.version.description == scenario.version && preference.transport.rawValue == scenario.transport
        }
        return place ?? preferences.count
    }
}
