import MoqEvents
import MoqScenario

/// One round of a run: all cases once, with the seed of the round.
struct Round: Sendable {
    /// Which one, from 1.
    let number: Int
    /// The options of the run, with the round's seed.
    let options: RunOptions
    /// What compares transports in this round.
    let comparison: TransportComparison?
    /// What the cases build on, and how that ended in this round.
    let dependencies: CaseDependencies

    init(_ number: Int, of options: RunOptions) {
        self.number = number
        var own = options
        own.seed = RunStarted.seed(options.seed, inRound: number)
        self.options = own
        comparison = options.comparesTransports ? TransportComparison(options.cases) : nil
        dependencies = CaseDependencies(options.cases)
    }

    /// The cases and the comparisons between them.
    var count: Int { options.cases.count + (comparison?.count ?? 0) }

    /// Where something of this round stands among all of the run.
    func place(_ index: Int) -> Int { (number - 1) * count + index }

    /// In which order cases are begun: first those that wait for long by the clock, the longest in front, since nobody has
    /// to wait with them and the run ends no earlier than they do. The others keep the order of the plan, and so do all
    /// where time is simulated.
    func order(of cases: [Int]) -> [Int] {
        guard !options.isSimulated else { return cases }
        let waits = cases.map { options.cases[$0].expectedDuration }
        let long = cases.indices.filter { waits[$0] >= Self.longWait }.sorted { (waits[$1], $0) < (waits[$0], $1) }
        return long.map { cases[$0] } + cases.indices.filter { waits[$0] < Self.longWait }.map { cases[$0] }
    }

    /// Cases that wait for less end before the others do anyway.
    private static let longWait = Duration.seconds(1)

    /// How a case of this round is announced.
    func started(_ scenario: ScenarioCase, worker: Int) -> CaseStarted {
        CasePlayer.started(scenario, seed: CasePlayer.seed(of: scenario, in: options), worker: worker)
            .played(in: number)
    }
}
