import MoqBase
import MoqDrivers
import MoqEvents
import MoqRunner
import MoqScenario
import MoqWire

/// The whole suite on the embedded relay: wall-clock time, protocol time and CPU per case, in both worlds.
struct SuiteBench {
    let cases: [ScenarioCase]
    private let worlds: [RunStarted.World]
    private let jobs: Int

    /// A case whose protocol time in the simulated world is below this waits for nothing: it is made of round trips of
    /// a perfect link and of fences, where waits of scenarios are 100 ms and more.
    private static let waiting = Duration.milliseconds(50)

    init(_ flags: Flags) throws(BenchError) {
        let files = try ScenarioFiles.load(try flags.text("scenarios", default: "scenarios"))
        let vocabulary = Vocabulary(
            conditions: ErrorCondition.allNames, capabilities: Capability.names,
            versions: [Version.lite03, .lite04, .lite05, .lite06].map(\.description))
        let loaded = SuiteLoader(vocabulary: vocabulary).load(files)
        if let diagnostic = loaded.diagnostics.first(where: { $0.severity == .error }) {
            throw BenchError("the scenarios have mistakes; `moqspec lint` shows them. The first: \(diagnostic)")
        }
        cases = loaded.suites.flatMap(\.cases)
        let world = try flags.text("world", default: "both")
        switch world {
        case "both": worlds = [.simulated, .sockets]
        case "simulated": worlds = [.simulated]
        case "sockets": worlds = [.sockets]
        default: throw BenchError("--world \(world): simulated, sockets or both")
        }
        jobs = max(try flags.number("jobs", default: 1), 1)
    }

    func run() throws(BenchError) {
        for world in worlds {
            let results = play(world)
            report(world, results)
        }
    }

    func play(_ world: RunStarted.World, isWatched: Bool = true) -> RunResults {
        var options = RunOptions(
            cases: cases, target: .embedded, seed: 1, moqspecVersion: "benchmark", startedAt: ProcessClock.iso8601)
        options.isSimulated = world == .simulated
        options.jobs = jobs
        options.isWatched = isWatched
        let collected = Collected()
        _ = Run(options) { collected.results.apply($0) }.execute(signals: nil)
        collected.results.conclude()
        return collected.results
    }

    /// Results that a closure fills.
    private final class Collected {
        var results = RunResults()
    }

    private func report(_ world: RunStarted.World, _ results: RunResults) {
        let ends = results.cases.compactMap(\.end).filter { $0.protocolTime > .zero }
        let wall = results.end?.duration.inSeconds ?? 0
        let protocolTime = Sample(ends.map(\.protocolTime.inSeconds))
        let all = Sample(ends.map(\.cpuTime.milliseconds))
        let quick = Sample(ends.filter { $0.protocolTime < Self.waiting }.map(\.cpuTime.milliseconds))
        Report.say(
            "suite",
            [
                ("world", .text(world.rawValue)), ("cases", .number(results.cases.count)),
                ("played", .number(ends.count)), ("verdicts", .text(results.ledger.description)),
                ("jobs", .number(jobs)), ("wallSeconds", .decimal(wall)),
                ("protocolSeconds", .decimal(protocolTime.sum)),
                ("protocolPerWall", .decimal(wall > 0 ? protocolTime.sum / wall : 0)),
                ("protocolPerCPU", .decimal(all.sum > 0 ? protocolTime.sum / all.sum * 1000 : 0)),
                ("cpuSeconds", .decimal(all.sum / 1000)), ("cpuMeanMilliseconds", .decimal(all.mean)),
                ("cpuMedianMilliseconds", .decimal(all.median)), ("quickCases", .number(quick.count)),
                ("quickCPUMeanMilliseconds", .decimal(quick.mean)),
                ("quickCPUMedianMilliseconds", .decimal(quick.median)),
                ("quickCPU90Milliseconds", .decimal(quick.quantile(0.9))),
                ("quickCPUMostMilliseconds", .decimal(quick.most)),
            ])
        for end in ends.sorted(by: { $0.cpuTime > $1.cpuTime }).prefix(8) {
            Report.say(
                "dearest",
                [
                    ("case", .text(end.caseID)), ("cpuMilliseconds", .decimal(end.cpuTime.milliseconds)),
                    ("protocolSeconds", .decimal(end.protocolTime.inSeconds)),
                    ("wallSeconds", .decimal(end.duration.inSeconds)),
                ])
        }
    }
}
