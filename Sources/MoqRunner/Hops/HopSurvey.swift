import MoqConformance
import MoqDrivers
import MoqScenario
import MoqWire

/// Sends every code on every way through a relay: makes the cases, and gathers what their sessions see.
public final class HopSurvey: @unchecked Sendable {
    // Sendable by its lock: every access to `seen` holds it.
    private let lock = Lock()
    private var seen: [Int: HopOutcome] = [:]
    private let cases: [ScenarioCase]

    /// All numbers of both tables, and samples of what is above them: the application's range begins at 64 in one
    /// generation, varints grow at 2^6, 2^14 and 2^30, and the codes of WebTransport end at 2^32 - 1.
    public static let codes: [UInt64] =
        Array(0...127) + [128, 200, 255, 256, 1_000, 16_383, 16_384, 65_535, 1 << 30, (1 << 32) - 1]

    private static let suite = "hops"

    /// The survey as a file of scenarios: one scenario for each way, one case for each code.
    public static var file: ScenarioFile {
        let codes = codes.map { "\"\($0)\"" }.joined(separator: ", ")
        var lines = [
            "suite: \(suite)", "about: What becomes of every error code on its way through a relay.", "defaults:",
            "  matrix: { version: all, transport: all, code: [\(codes)] }", "scenarios:",
        ]
        for way in HopWay.allCases {
            lines += [
                "  - id: \(suite).\(way.rawValue)", "    title: \"${code} - \(way.title)\"",
                "    requirements: [errors.passed-on-unchanged]",
                "    needs: [\(way.need.map { "\($0)" } ?? "")]",
                "    actors: { camera: session, viewer: session }", "    steps:",
            ]
            lines += way.steps.map { "      - \($0)" }
        }
        return ScenarioFile(path: "\(suite).yaml", bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// A survey by these of its cases.
    public init(cases: [ScenarioCase]) {
        self.cases = cases
    }

    /// Lets a run of the cases tell what sessions saw.
    public func attach(to options: inout RunOptions) {
        options.cases = cases
        options.observer = { [self] index, records in note(index, records) }
    }

    private func note(_ index: Int, _ records: [String: SessionRecord]) {
        guard let way = way(of: cases[index]), let camera = records["camera"], let viewer = records["viewer"] else {
            return
        }
        let outcome = way.outcome(camera: camera, viewer: viewer)
        lock.locked { seen[index] = outcome }
    }

    private func way(of scenario: ScenarioCase) -> HopWay? {
        HopWay(rawValue: String(scenario.scenario.dropFirst(Self.suite.count + 1)))
    }

    /// What was seen so far, for a relay of a generation.
    public func table(_ generation: CodeGeneration) -> HopTable {
        let seen = lock.locked { self.seen }
        return HopTable(
            seen.compactMap { index, outcome in
                let scenario = cases[index]
                guard let way = way(of: scenario), let version = Version(name: scenario.version),
                    let code = scenario.variables.first(where: { $0.name == "code" }).flatMap({ UInt64($0.value) })
                else { return nil }
                return HopTable.Row(
                    way: way, version: version.name, transport: scenario.transport, code: code, outcome: outcome,
                    fate: HopFate(code, on: way, as: outcome, in: generation))
            })
    }
}
