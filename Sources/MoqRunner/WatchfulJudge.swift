import MoqConformance
import MoqScenario
import MoqWire

/// A judge that looks again when there is something new to see: the record that it judges is looked at after every turn,
/// and mostly did not change.
struct WatchfulJudge {
    private var judge: Judge
    private var last: (sight: Sight, judgement: Judgement)?

    /// All that a judgement follows from, as far as it changes in a case.
    struct Sight: Equatable {
        /// Which state of the actor's record it is; 0 for actors without one.
        var record: Int
        /// Which state of the catalogs that were written.
        var catalogs: Int
        /// The version in which the record is read.
        var version: Version?
    }

    init(_ judge: Judge) {
        self.judge = judge
    }

    /// Judges the record of an actor as it stands.
    mutating func judge(_ actor: String, in run: CaseRun) -> Judgement {
        let sight = run.sight(of: actor)
        if let last, last.sight == sight { return last.judgement }
        let judgement = judge.judge(run.record(of: actor), run.judgeContext(of: actor))
        last = (sight, judgement)
        return judgement
    }

    /// The same where it also matters what came of a proof that the relay serves, which no record tells.
    mutating func judge(_ actor: String, in run: CaseRun, relayServes: Bool?) -> Judgement {
        var context = run.judgeContext(of: actor)
        context.relayServes = relayServes
        return judge.judge(run.record(of: actor), context)
    }
}
