import MoqBase
import MoqDrivers
import MoqEvents
import MoqScenario

/// Breaks the embedded relay in one way after another, in simulated time, and sees which case notices.
///
/// A case that notices is played without any fault, too: what fails anyway proves nothing.
public final class MutationRun {
    private let work: MutationWork
    private let jobs: Int

    /// How often the main thread looks after the workers.
    private static let watchInterval = Duration.milliseconds(5)

    /// A run of `faults` over `cases`, on so many threads.
    public init(
        faults: [Mutant], cases: [ScenarioCase], jobs: Int, seed: UInt64, moqspecVersion: String
    ) throws(MutationProblem) {
        var options = RunOptions(
            cases: cases, target: .embedded, seed: seed, moqspecVersion: moqspecVersion, startedAt: "")
        options.isSimulated = true
        do throws(RunnerError) {
            work = MutationWork(faults, options, target: try PreparedTarget(options))
        } catch {
            throw MutationProblem(description: error.description)
        }
        self.jobs = max(1, min(jobs, faults.count))
    }

    /// Plays; gives a result for each fault, in their order. Fewer where `isCutShort` said that the run ends, or where
    /// a case hung. `onResult` hears of each as soon as it and all before it are there.
    public func execute(
        isCutShort: () -> Bool = { false }, onResult: (MutationResult) -> Void = { _ in }
    ) throws(MutationProblem) -> [MutationResult] {
        var told = 0
        func tell() {
            while let result = work.result(at: told) {
                onResult(result)
                told += 1
            }
        }
        var threads: [WorkerThread] = []
        for worker in 0..<jobs {
            let job = MutationJob(worker, work)
            work.workerBegan()
            do {
                threads.append(try WorkerThread { job.play() })
            } catch {
                work.workerEnded()
                work.stop()
                throw MutationProblem(description: error.description)
            }
        }
        while work.isRunning {
            ProcessClock.pause(Self.watchInterval)
            if isCutShort() { work.stop() }
            tell()
            // A thread that hangs cannot be ended, only left behind.
            if work.lookForHangs(at: .now) { return work.inOrder }
        }
        for thread in threads { thread.join() }
        tell()
        if let problem = work.problem { throw MutationProblem(description: problem) }
        return work.inOrder
    }
}

/// What the workers of a mutation run share.
final class MutationWork: @unchecked Sendable {
    // Sendable by its lock: every access to what changes holds it.
    let faults: [Mutant]
    let options: RunOptions
    let target: PreparedTarget
    /// What is known of the relay, which is wrong on purpose.
    let findings: TargetFindings
    let playable: [Int]
    private let lock = Lock()
    private var nextFault = 0
    private var isStopped = false
    private var running = 0
    private var results: [Int: MutationResult] = [:]
    private var soundness: [Int: Bool] = [:]
    private var firstProblem: String?
    private var underWay: [Int: (fault: Int, caseID: String, progress: RunProgress, watch: CaseWatch)] = [:]

    /// How long one case may take by the clock: the longest take seconds on a busy machine.
    private static let casePatience = Duration.seconds(60)
    /// How long a case may take to end once it was told to.
    private static let stopPatience = Duration.seconds(5)

    init(_ faults: [Mutant], _ options: RunOptions, target: PreparedTarget) {
        self.faults = faults
        self.options = options
        self.target = target
        var findings = target.findings
        findings.isWrongOnPurpose = true
        self.findings = findings
        playable = options.cases.indices.filter { target.findings.reasonToSkip(options.cases[$0]) == nil }
    }

    /// The next fault to play, by its index.
    func next() -> Int? {
        lock.locked {
            guard !isStopped, nextFault < faults.count else { return nil }
            defer { nextFault += 1 }
            return nextFault
        }
    }

    func add(_ result: MutationResult, at index: Int) { lock.locked { results[index] = result } }
    func result(at index: Int) -> MutationResult? { lock.locked { results[index] } }
    func report(problem: String) { lock.locked { firstProblem = firstProblem ?? problem } }
    var problem: String? { lock.locked { firstProblem } }
    var inOrder: [MutationResult] { lock.locked { results.keys.sorted().compactMap { results[$0] } } }

    func workerBegan() { lock.locked { running += 1 } }
    func workerEnded() { lock.locked { running -= 1 } }
    var isRunning: Bool { lock.locked { running > 0 } }

    /// Begins no further fault, and lets the cases under way end.
    func stop() {
        lock.locked {
            isStopped = true
            for entry in underWay.values { entry.progress.stop("the run was stopped") }
        }
    }

    var hasStopped: Bool { lock.locked { isStopped } }

    /// Whether a case passes without any fault, as far as that is known.
    func isSound(_ index: Int) -> Bool? { lock.locked { soundness[index] } }
    func note(_ index: Int, isSound: Bool) { lock.locked { soundness[index] = isSound } }

    func caseBegan(_ worker: Int, fault: Int, _ scenario: ScenarioCase, _ progress: RunProgress) {
        let watch = CaseWatch(began: .now, patience: Self.casePatience)
        lock.locked { underWay[worker] = (fault, scenario.id, progress, watch) }
    }

    func caseEnded(_ worker: Int) { lock.locked { underWay[worker] = nil } }

    /// Stops cases that take too long; true when one does not stop, so that the run cannot go on.
    func lookForHangs(at now: CaseWatch.Moment) -> Bool {
        lock.locked {
            for worker in underWay.keys.sorted() {
                guard let entry = underWay[worker], entry.watch.isOverdue(at: now) else { continue }
                entry.progress.stop("it did not end within \(Self.casePatience)")
                guard entry.watch.extended(by: Self.stopPatience).isOverdue(at: now) else { continue }
                isStopped = true
                results[entry.fault] = MutationResult(
                    fault: faults[entry.fault], outcome: .unplayable("\(entry.caseID) hangs"), played: 0, unsound: [],
                    duration: Self.casePatience)
                return true
            }
            return false
        }
    }
}
