import MoqBase
import MoqEvents

/// What the monitor costs: the whole suite in simulated time with it and without it, in turns.
struct MonitorBench {
    private let suite: SuiteBench
    private let rounds: Int

    init(_ flags: Flags) throws(BenchError) {
        suite = try SuiteBench(flags)
        rounds = max(try flags.number("rounds", default: 3), 1)
    }

    func run() throws(BenchError) {
        var watched: [String: [Double]] = [:]
        var alone: [String: [Double]] = [:]
        for _ in 0..<rounds {
            add(suite.play(.simulated, isWatched: true), to: &watched)
            add(suite.play(.simulated, isWatched: false), to: &alone)
        }
        // The best of the rounds: what else the machine did adds to a case and takes nothing away.
        let pairs = suite.cases.compactMap { scenario -> (id: String, with: Double, without: Double)? in
            guard let with = watched[scenario.id]?.min(), let without = alone[scenario.id]?.min(), without > 0 else {
                return nil
            }
            return (scenario.id, with, without)
        }
        let with = Sample(pairs.map(\.with))
        let without = Sample(pairs.map(\.without))
        let ratios = Sample(pairs.map { $0.with / $0.without })
        Report.say(
            "monitor",
            [
                ("cases", .number(pairs.count)), ("rounds", .number(rounds)),
                ("withMonitorMilliseconds", .decimal(with.mean)), ("withoutMilliseconds", .decimal(without.mean)),
                ("ratioOfSums", .decimal(without.sum > 0 ? with.sum / without.sum : 0)),
                ("medianRatio", .decimal(ratios.median)), ("ratio90", .decimal(ratios.quantile(0.9))),
            ])
        for pair in pairs.sorted(by: { $0.with - $0.without > $1.with - $1.without }).prefix(8) {
            Report.say(
                "dearest",
                [
                    ("case", .text(pair.id)), ("withMonitorMilliseconds", .decimal(pair.with)),
                    ("withoutMilliseconds", .decimal(pair.without)),
                ])
        }
    }

    private func add(_ results: RunResults, to times: inout [String: [Double]]) {
        for end in results.cases.compactMap(\.end) where end.protocolTime > .zero {
            times[end.caseID, default: []].append(end.cpuTime.milliseconds)
        }
    }
}
