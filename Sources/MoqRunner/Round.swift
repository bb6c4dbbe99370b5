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

    /// How a case of this round is announced.
    func started(_ scenario: ScenarioCase, worker: Int) -> CaseStarted {
        CasePlayer.started(scenario, seed: CasePlayer.seed(of: scenario, in: options), worker: worker)
            .played(in: number)
    }
}
